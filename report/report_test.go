package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wtsize/wtsize/estimate"
)

var update = flag.Bool("update", false, "rewrite the golden reports in testdata")

// goldens are whole reports; their results are made up in fixture_test.go.
var goldens = []struct {
	name   string
	result func() estimate.Result
	opts   Options
}{
	{"orders.txt", madeOrders, Options{}},
	{"orders.color.txt", madeOrders, Options{Color: true}},
	{"orders.bytes.txt", madeOrders, Options{Bytes: true}},
	{"orders.explain.txt", madeOrders, Options{Explain: true}},
	{"orders.json", madeOrders, Options{Format: JSON}},
	{"dump.txt", madeDump, Options{}},
	{"dump.explain.txt", madeDump, Options{Explain: true}},
	{"dump.json", madeDump, Options{Format: JSON}},
	{"orders.csv", madeOrders, Options{Format: CSV}},
	{"dump.csv", madeDump, Options{Format: CSV}},
	{"hostile.csv", madeHostile, Options{Format: CSV}},
	{"orders.md", madeOrders, Options{Format: Markdown}},
	{"orders.explain.md", madeOrders, Options{Format: Markdown, Explain: true}},
	{"dump.md", madeDump, Options{Format: Markdown}},
	{"hostile.md", madeHostile, Options{Format: Markdown}},
	{"levels.txt", madeLevels, Options{}},
	{"hostile.txt", madeHostile, Options{}},
	{"hostile.json", madeHostile, Options{Format: JSON}},
}

func TestGoldenReports(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			compareGolden(t, g.name, []byte(rendered(t, g.result(), g.opts)))
		})
	}
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got; -update rewrites):\n%s", name, d)
	}
}

func rendered(t testing.TB, r estimate.Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// No line passes the width, whatever the names: the terminal wraps nothing.
// Commands are exempt where one word of theirs is too long, and these are not.
func TestTableFitsWidth(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeHostile, madeLevels} {
		for _, cols := range []int{60, 80, 100, 140} {
			for _, o := range []Options{{}, {Bytes: true}, {Explain: true}, {Explain: true, Bytes: true}} {
				o.Width = cols
				for _, line := range strings.Split(rendered(t, result(), o), "\n") {
					if width(line) > cols && !strings.Contains(line, "db.getCollection(") {
						t.Errorf("%d columns of %d (%+v): %s", width(line), cols, o, line)
					}
				}
			}
		}
	}
}

func TestTableWithoutColorHasNoEscapes(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeHostile} {
		for _, f := range []Format{Table, CSV, Markdown} {
			if s := rendered(t, result(), Options{Format: f, Explain: true}); strings.ContainsAny(s, "\x1b\x00\r\u202e\u200b\ufeff") {
				t.Errorf("%s holds a control, bidirectional or invisible character", f)
			}
		}
	}
}

// What was cut short says so in every format that people read.
func TestInterruptedSaysSo(t *testing.T) {
	r := madeDump()
	r.Interrupted = true
	for _, f := range []Format{Table, Markdown, HTML} {
		if s := rendered(t, r, Options{Format: f}); !strings.Contains(s, "Interrupted: the figures rest on what was read before") {
			t.Errorf("%s does not say that reading was interrupted", f)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Render(&bytes.Buffer{}, madeOrders(), Options{Format: "pdf"})
	if err == nil || !strings.Contains(err.Error(), `"pdf"`) {
		t.Errorf("err = %v, want one that names the format", err)
	}
}

func TestEmptyResults(t *testing.T) {
	for _, r := range []estimate.Result{{}, {Collections: []estimate.CollectionResult{{}}},
		{Collections: []estimate.CollectionResult{{}, {Advice: &estimate.Advice{}}}}} {
		for _, f := range Formats() {
			if s := rendered(t, r, Options{Format: f, Explain: true}); strings.TrimSpace(s) == "" {
				t.Errorf("%s of an empty result is empty", f)
			}
		}
	}
}
