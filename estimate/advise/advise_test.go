package advise

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// anyInput draws a collection: sizes in the usual order or in any, intervals
// from nothing to wide, samples thin to complete.
func anyInput(r *rand.Rand) Input {
	in := Input{DB: "d", Coll: "c", Size: 1 + r.Int64N(10*gb), IndexBytes: r.Int64N(3) * r.Int64N(5*gb)}
	n := float64(in.Size)
	for _, o := range []Option{{Compressor: "none"}, {Compressor: "snappy"}, {Compressor: "zlib"}, {Compressor: "zstd", Level: 1},
		{Compressor: "zstd"}, {Compressor: "zstd", Level: 12}, {Compressor: "zstd", Level: 19}} {
		n *= 0.6 + 0.42*r.Float64()
		if r.IntN(6) > 0 {
			o.StorageSize = int64(n) + 4096
			in.Options = append(in.Options, o)
		}
	}
	in.Options = spread(in.Options, r.Float64()*0.1*float64(r.IntN(2)), r.Float64()*0.03)
	for i := range in.Options {
		if o := &in.Options[i]; r.IntN(8) == 0 { // blocks next to a multiple of 4 KB, on either side
			o.Low -= int64(r.IntN(2)) * o.StorageSize / 8
			o.High += int64(r.IntN(2)) * o.StorageSize / 8
		}
	}
	in.Current = []string{"", "none", "snappy", "zlib", "zstd"}[r.IntN(5)]
	in.Sample = Sample{Bytes: r.Int64N(in.Size) + 1, Complete: r.IntN(3) == 0}
	return in
}

// No recommendation saves under 5 % of data plus indexes, not even at the
// unfavourable ends; and the option recommended is one that was tried.
func TestChangesPay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	counts := map[string]int{}
	for range 4_000 {
		in := anyInput(r)
		a := Advise(in)
		counts[a.Action]++
		if a.Action != Change {
			continue
		}
		var now, to Option
		for _, o := range in.Options {
			current := in.Current
			if current == "" {
				current = "snappy"
			}
			if o.Compressor == current && (o.Level == 0 || o.Level == 6) {
				now = o
			}
			if o.Compressor == a.Compressor && level(o.Compressor, o.Level) == a.Level {
				to = o
			}
		}
		least := float64(now.StorageSize+in.IndexBytes) * 0.05
		if float64(now.StorageSize-to.StorageSize) < least || float64(now.Low-to.High) < least || a.SavesBytes != now.StorageSize-to.StorageSize {
			t.Fatalf("%+v for %+v", a, in)
		}
		if len(a.Commands) == 0 {
			t.Fatalf("no commands in %+v", a)
		}
	}
	for _, action := range []string{Change, Keep, Undecided} {
		if counts[action] < 100 {
			t.Errorf("%s was advised %d times only: the test does not reach it", action, counts[action])
		}
	}
}

// rank orders the actions by how much they ask of the user.
var rank = map[string]int{Keep: 0, Undecided: 1, Change: 2}

func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 4_000 {
		in := anyInput(r)
		before := Advise(in)
		larger := in
		larger.IndexBytes += r.Int64N(gb)
		if after := Advise(larger); rank[after.Action] > rank[before.Action] {
			t.Fatalf("larger indexes turn %s into %s: %+v", before.Action, after.Action, in)
		}
		wider := in
		wider.Options = append([]Option{}, in.Options...)
		for i := range wider.Options {
			o := &wider.Options[i]
			o.Low -= o.Low / 50
			o.High += o.High / 50
		}
		if after := Advise(wider); before.Action != Change && after.Action == Change {
			t.Fatalf("wider intervals turn %s into change: %+v", before.Action, in)
		}
	}
}

// The smaller the one alternative, the more readily it is advised.
func TestMonotoneInTheAlternative(t *testing.T) {
	last := -1
	for percent := int64(120); percent > 0; percent-- {
		in := Input{Size: gb, IndexBytes: 100 * mb, Current: "snappy", Sample: Sample{Bytes: 64 * mb},
			Options: spread([]Option{{Compressor: "snappy", StorageSize: 400 * mb}, {Compressor: "zstd", StorageSize: 4 * mb * percent}}, 0.02, 0.01)}
		got := rank[Advise(in).Action]
		if got < last {
			t.Errorf("at %d %% of snappy the advice falls back to %d", percent, got)
		}
		last = got
	}
	if last != rank[Change] {
		t.Error("a file of 1 % is not worth a change")
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		zstd int64
		want string
	}{{9_501, Keep}, {9_500, Change}, {9_499, Change}} {
		in := Input{Size: 10_000, Current: "none", Sample: Sample{Complete: true}, Options: []Option{
			{Compressor: "none", StorageSize: 10_000, Low: 10_000, High: 10_000},
			{Compressor: "zstd", StorageSize: c.zstd, Low: c.zstd, High: c.zstd}}}
		if got := Advise(in).Action; got != c.want {
			t.Errorf("zstd of %d for none of 10,000: %s, want %s", c.zstd, got, c.want)
		}
	}
}

// A level that is the smallest only while its blocks stay below a multiple of
// 4 KB is no better than one that is there for sure.
func TestCliffWinsNothing(t *testing.T) {
	options := files(700_000, 228_000, 150_000, 132_000)
	at := func(level int, n, low, high int64) Option {
		return Option{Compressor: "zstd", Level: level, StorageSize: n, Low: low, High: high}
	}
	options = append(options, at(12, 132_000, 120_000, 132_000), at(16, 116_000, 116_000, 132_200), at(19, 112_000, 112_000, 132_200))
	in := Input{Size: 660_000, IndexBytes: 24_000, Current: "snappy", Options: options, Sample: Sample{Complete: true}}
	if a := Advise(in); a.Action != Change || a.Level != 6 {
		t.Errorf("%s level %d, want a change to level 6: %q", a.Action, a.Level, a.Why)
	}
	in.Options[5].High, in.Options[6].High = 116_000, 112_000
	if a := Advise(in); a.Action != Change || a.Level != 16 {
		t.Errorf("without a cliff: %s level %d, want a change to level 16", a.Action, a.Level)
	}
}

// The server's zstd level is no other compressor's, and a change to zstd at
// another one sets it.
func TestZstdLevelOfTheServer(t *testing.T) {
	in := orders("zlib")
	in.ZstdLevel = 3
	a := Advise(in)
	if a.Action != Change || a.Compressor != "zstd" || a.Level != 6 {
		t.Fatalf("%+v", a)
	}
	if text := strings.Join(a.Commands, "\n"); !strings.Contains(text, "zstdCompressionLevel: 6") {
		t.Errorf("a server at level 3 is not set to 6:\n%s", text)
	}
	in.Current = "zstd"
	if a := Advise(in); a.Action != Undecided || !strings.Contains(strings.Join(a.Why, " "), "zstd level 3, which is in use, was not tried") {
		t.Errorf("%+v", a)
	}
}

// The sample that the advice asks for settles the question.
func TestSampleNeededSuffices(t *testing.T) {
	in := Input{Size: 40 * gb, Current: "zlib", Sample: Sample{Bytes: 64 << 20},
		Options: spread(files(41*gb, 15*gb, 10*gb, 9_200*mb), 0.04, 0.005)}
	a := Advise(in)
	if a.Action != Undecided {
		t.Fatalf("%+v", a)
	}
	text := strings.Join(a.Why, " ")
	_, after, found := strings.Cut(text, "--sample ")
	// Sampling blurs by 4 % of 19.2 GB, 0.768 GB. The saving is 0.8 GB, 0.5 GB are
	// needed and 0.096 GB are fixed: 0.204 GB are left, (0.768 / 0.204)² = 14.2.
	if !found || !strings.HasPrefix(after, "908MiB.") {
		t.Fatalf("no sample in %q", text)
	}
	in.Options = spread(files(41*gb, 15*gb, 10*gb, 9_200*mb), 0.04/math.Sqrt(908.0/64), 0.005)
	in.Sample.Bytes = 908 << 20
	if a := Advise(in); a.Action != Change {
		t.Errorf("with the sample asked for: %+v", a)
	}
}

var hostile = []string{
	"orders", "it's", `"quoted"`, `back\slash`, "new\nline", "tab\t", "$(rm -rf ~)", "`x`", "a;b", "a b", "-rf", "", "*", "~",
	"đơn hàng", "\u202eright to left", "\u2028", "emoji 🐢", "\x01", "\x7f", "\ufeff", "\U000e0041", "'; drop", "$'x'", "!!", "%s",
}

func TestQuoteJS(t *testing.T) {
	for _, s := range hostile {
		q := quoteJS(s)
		var back string
		if err := json.Unmarshal([]byte(q), &back); err != nil || back != s {
			t.Errorf("%q becomes %s, which reads as %q (%v)", s, q, back, err)
		}
		if strings.ContainsAny(q, "\n\r\u2028\u2029\u202e") {
			t.Errorf("%q becomes %q", s, q)
		}
	}
}

func TestQuoteShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	for _, s := range append(hostile, "caf\xe9", "\xff'\\") {
		word := quoteShell("--db=" + s)
		out, err := exec.Command(bash, "-c", "printf %s "+word).Output()
		if err != nil || string(out) != "--db="+s {
			t.Errorf("%q becomes %s, which bash reads as %q (%v)", s, word, out, err)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, db, coll string) {
		in := orders("snappy")
		in.DB, in.Coll = db, coll
		a := Advise(in)
		for _, line := range append(a.Why, a.Commands...) {
			if !printable(line) {
				t.Errorf("%q.%q: %q", db, coll, line)
			}
		}
		var back string
		if utf8.ValidString(coll) {
			if err := json.Unmarshal([]byte(quoteJS(coll)), &back); err != nil || back != coll {
				t.Errorf("%q is quoted as %s", coll, quoteJS(coll))
			}
		}
	})
}

func TestSetCompressor(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "block_compressor=zstd"},
		{"block_compressor=snappy", "block_compressor=zstd"},
		{" block_compressor=snappy , leaf_page_max=64KB", " leaf_page_max=64KB,block_compressor=zstd"},
		{"app_metadata=(a=1,block_compressor=x),block_compressor=none", "app_metadata=(a=1,block_compressor=x),block_compressor=zstd"},
		{"a=)b,(c,d", "a=)b,(c,d,block_compressor=zstd"},
		{",,", "block_compressor=zstd"},
	} {
		if got := setCompressor(c.in, "zstd"); got != c.want {
			t.Errorf("setCompressor(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Options read from a file may be anything.
func TestOddOptions(t *testing.T) {
	for _, raw := range []bson.Raw{nil, {}, {5, 0, 0, 0, 0}, {1, 2, 3}, {200, 0, 0, 0, 2, 'a', 0}, {12, 0, 0, 0, 2, 'a', 0, 99, 0, 0, 0, 0}} {
		if got := createOptions(raw, "zstd"); !strings.Contains(got, "block_compressor=zstd") {
			t.Errorf("% x: %s", []byte(raw), got)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{size(0), "0 B"}, {size(999), "999 B"}, {size(1000), "0.98 KiB"}, {size(1024), "1.00 KiB"}, {size(123456789), "118 MiB"},
		{size(1 << 60), "1.00 EiB"}, {sampleFlag(1), "1B"}, {sampleFlag(2 << 20), "2MiB"}, {sampleFlag(5<<30 + 1), "6GiB"},
		{percent(0.05), "5.0 %"}, {percent(0.0994), "9.9 %"}, {percent(0.0996), "10 %"}, {percent(0.444), "44 %"}, {percent(-0.02), "-2.0 %"},
		{duration(0.0000123), "12.3 µs"}, {duration(0.00123), "1.23 ms"}, {duration(1.5), "1.50 s"}, {duration(600), "10.0 min"}, {duration(36000), "10.0 h"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
