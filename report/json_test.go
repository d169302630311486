package report

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

func TestEveryFormatIsStable(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeLevels} {
		for _, f := range Formats() {
			o := Options{Format: f, Explain: true}
			first, second := rendered(t, result(), o), rendered(t, result(), o)
			if first != second {
				t.Errorf("%s: the same value gave two texts", f)
			}
		}
	}
}

func TestJSONIsStable(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeHostile} {
		first := rendered(t, result(), Options{Format: JSON})
		if second := rendered(t, result(), Options{Format: JSON}); first != second {
			t.Error("the same value gave two texts")
		}
		if !strings.HasSuffix(first, "}\n") {
			t.Error("no newline at the end")
		}
	}
}

func TestJSONHasNoNull(t *testing.T) {
	r := estimate.Result{Collections: []estimate.CollectionResult{{Advice: &estimate.Advice{}}}}
	for _, r := range []estimate.Result{{}, r} {
		if s := rendered(t, r, Options{Format: JSON}); strings.Contains(s, "null") {
			t.Errorf("null in %s", s)
		}
	}
}

// A sample too thin for an interval has an infinite error. It is saved, read
// and shown as no interval, never as a narrow one.
func TestWithoutInterval(t *testing.T) {
	r := madeOrders()
	for i := range r.Collections[0].Compressors {
		k := &r.Collections[0].Compressors[i]
		k.SamplingError, k.StorageSizeLow, k.StorageSizeHigh = math.Inf(1), 0, math.MinInt64
	}
	back, err := Parse(strings.NewReader(rendered(t, r, Options{Format: JSON})))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []estimate.Result{r, back} {
		for _, f := range []Format{Table, Markdown, HTML} {
			s := strings.ReplaceAll(rendered(t, r, Options{Format: f, Explain: true}), nbsp, " ")
			if !strings.Contains(s, "± ?") || !strings.Contains(s, "no interval") || strings.Contains(s, "8,388,608") {
				t.Errorf("%s does not say that there is no interval", f)
			}
		}
	}
}

// A saved result renders as the one that was saved, in every format.
func TestParseRoundTrip(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeLevels} {
		r := result()
		back, err := Parse(strings.NewReader(rendered(t, r, Options{Format: JSON})))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Formats() {
			o := Options{Format: f, Explain: true}
			if d := cmp.Diff(rendered(t, r, o), rendered(t, back, o)); d != "" {
				t.Errorf("%s after a round trip (-before +after):\n%s", f, d)
			}
		}
	}
}

func TestParseIgnoresUnknownFields(t *testing.T) {
	r, err := Parse(strings.NewReader(`{"schemaVersion": 1, "new": [1], "seed": 7, "tool": {"name": "x", "mood": null}}`))
	if err != nil || r.Seed != 7 || r.Tool.Name != "x" {
		t.Errorf("got seed %d tool %q, err %v", r.Seed, r.Tool.Name, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, why, hint string }{
		{"newer schema", `{"schemaVersion": 2}`, "newer", "newer one"},
		{"no schema", `{}`, "no schemaVersion", "--format json"},
		{"schema zero", `{"schemaVersion": 0}`, "no schemaVersion", "--format json"},
		{"null", `null`, "no schemaVersion", "--format json"},
		{"not JSON", `wtsize 0.1`, "not JSON", "--format json"},
		{"cut short", `{"schemaVersion": 1, "seed": `, "not JSON", "--format json"},
		{"empty", ``, "not JSON", "--format json"},
		{"wrong type", `{"schemaVersion": 1, "seed": "secret"}`, "field seed", "--format json"},
		{"two documents", `{"schemaVersion": 1} {}`, "not JSON", "--format json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(strings.NewReader(c.in))
			var f *sampler.Fault
			if !errors.As(err, &f) {
				t.Fatalf("err = %v, want a Fault", err)
			}
			if !strings.Contains(f.Why, c.why) || !strings.Contains(f.Hint, c.hint) {
				t.Errorf("why %q hint %q, want %q and %q", f.Why, f.Hint, c.why, c.hint)
			}
			if strings.Contains(f.Error(), "secret") {
				t.Error("the error quotes a value")
			}
		})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestParseIsBounded(t *testing.T) {
	if _, err := parse(endless{}, 1<<20); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("err = %v, want a refusal", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"schemaVersion": 1, "collections": [{"ns": "a.b", "compressors": [{"compressor": "zstd"}], "indexes": [{"key": {"a": 1}}]}]}`)
	f.Add(rendered(f, madeOrders(), Options{Format: JSON}))
	f.Fuzz(func(t *testing.T, in string) {
		r, err := Parse(strings.NewReader(in))
		if err != nil {
			return
		}
		for _, format := range Formats() {
			rendered(t, r, Options{Format: format, Explain: true})
		}
	})
}
