package index

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
	"github.com/wtsize/wtsize/sampler/generate"
	"github.com/wtsize/wtsize/sampler/racetest"
)

var newest = Config{Table: wt.Index(), Release: wt.Newest()}

func indexOf(t testing.TB, key string) *keystring.Generator {
	t.Helper()
	ix, err := keystring.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return keystring.New(ix, keystring.Options{})
}

// sampleOf takes runs spread evenly, each at a random place of its stratum.
func sampleOf(t testing.TB, key string, docs [][]byte, runs int, share float64, seed uint64) *Sample {
	t.Helper()
	s := NewSample(indexOf(t, key), Limits{})
	r := rand.New(rand.NewPCG(seed, 9))
	n := len(docs)
	length := max(1, int(share*float64(n)/float64(runs)))
	for i := range runs {
		low, high := i*n/runs, (i+1)*n/runs
		if high-low > length {
			low += r.IntN(high - low - length + 1)
		}
		s.Run(float64(low)/float64(n), 0)
		for _, doc := range docs[low:min(low+length, n)] {
			if err := s.Document(doc); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// sorterOf takes all entries, documents numbered from 1.
func sorterOf(t testing.TB, key string, docs [][]byte) *Sorter {
	t.Helper()
	s, g := NewSorter(64<<20, t.TempDir()), indexOf(t, key)
	for i, doc := range docs {
		err := g.Entries(doc, int64(i+1), func(k, v []byte) {
			if err := s.Add(k, v); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func exactSize(t testing.TB, key string, docs [][]byte) int64 {
	t.Helper()
	s := sorterOf(t, key, docs)
	f, err := Build(newest, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Size
}

// madeOrders are what orders has made so far.
var madeOrders [][]byte

func orders(t testing.TB, n int) [][]byte {
	t.Helper()
	if len(madeOrders) < n {
		stream, err := generate.New("orders", 3)
		if err != nil {
			t.Fatal(err)
		}
		madeOrders = make([][]byte, n)
		for i := range madeOrders {
			madeOrders[i] = bytes.Clone(stream.Next())
		}
	}
	return madeOrders[:n]
}

// TestProject sizes indexes of generated orders from a tenth of them, in 64
// runs, and compares with the file of all. The tolerances are about twice what
// three seeds showed at 100,000 documents.
func TestProject(t *testing.T) {
	docs := orders(t, 40000)
	for _, v := range []struct {
		key       string
		tolerance float64
	}{
		{"{_id: 1}", 0.02},                     // in the order of insertion
		{"{userId: 1}", 0.03},                  // 200 values
		{"{traceId: 1}", 0.02},                 // random
		{"{ref: 1}", 0.04},                     // a counter at the end of a text
		{"{tenantId: 1, createdAt: -1}", 0.05}, // 500 values, each in order
		{"{tags: 1}", 0.03},                    // several entries a document
		{"{createdAt: 1}", 0.05},               // nearly in order
		{"{userId: 'hashed'}", 0.03},           // 200 values
		{"{userId: 1, ref: 1}", 0.03},
	} {
		if racetest.Enabled && v.tolerance > 0.02 { // some of every kind will do there
			continue
		}
		want := exactSize(t, v.key, docs)
		s := sampleOf(t, v.key, docs, 64, 0.1, 1)
		p, err := s.Project(newest, Population{Documents: int64(len(docs))}, 0.95, 1)
		if err != nil {
			t.Fatal(err)
		}
		off := float64(p.Size)/float64(want) - 1
		t.Logf("%s: %+.2f%%", v.key, 100*off)
		if math.Abs(off) > v.tolerance {
			t.Errorf("%s: %d bytes, want %d (%+.1f%%)", v.key, p.Size, want, 100*off)
		}
		if p.Low > want || p.High < want {
			t.Errorf("%s: %d is outside %d..%d", v.key, want, p.Low, p.High)
		}
	}
}

// TestProjectReal does the same with real sets, a tenth in 16 runs. Single runs
// of grouped data can be far off, so the median and the 95th percentile count.
func TestProjectReal(t *testing.T) {
	long(t)
	var offs []float64
	covered := 0
	for _, row := range readTruth(t) {
		if row.entries < 10000 {
			continue
		}
		docs := allDocuments(t, row.set)
		s := sampleOf(t, row.key, docs, 16, 0.1, 1)
		p, err := s.Project(newest, Population{Documents: int64(len(docs))}, 0.95, 1)
		if err != nil {
			t.Fatal(err)
		}
		off := math.Abs(float64(p.Size)/float64(row.size) - 1)
		offs = append(offs, off)
		if p.Low <= row.size && row.size <= p.High {
			covered++
		} else {
			t.Logf("%s %s: %d outside %d..%d", row.set, row.name, row.size, p.Low, p.High)
		}
	}
	slices.Sort(offs)
	n := len(offs)
	t.Logf("%d indexes: median %.1f%%, 95th percentile %.1f%%, %d covered", n, 100*offs[n/2], 100*offs[n*95/100], covered)
	if offs[n/2] > 0.03 || offs[n*95/100] > 0.12 {
		t.Errorf("median %.3f, 95th percentile %.3f", offs[n/2], offs[n*95/100])
	}
	// Of 25 intervals of 95 %, 20 or fewer hold the truth with probability 0.1 %.
	if covered < n*8/10 {
		t.Errorf("%d of %d intervals hold the truth", covered, n)
	}
}

// TestProjectComplete: a sample of everything is exact, without an interval.
func TestProjectComplete(t *testing.T) {
	docs := orders(t, 5000)
	for _, key := range []string{"{_id: 1}", "{tags: 1}", "{total: 1}"} {
		s := sampleOf(t, key, docs, 8, 1, 1)
		p, err := s.Project(newest, Population{Documents: int64(len(docs))}, 0.95, 1)
		want := exactSize(t, key, docs)
		if err != nil || p.Size != want || p.Low != want || p.High != want {
			t.Errorf("%s: %+v, want %d (%v)", key, p, want, err)
		}
	}
}

// TestProjectSeed: the same seed gives the same figures.
func TestProjectSeed(t *testing.T) {
	docs := orders(t, 4000)
	project := func(seed int64) Projection {
		p, err := sampleOf(t, "{traceId: 1}", docs, 16, 0.1, 1).Project(newest, Population{Documents: 8000}, 0.95, seed)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if a, b := project(5), project(5); a != b {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestProjectEmpty(t *testing.T) {
	s := NewSample(indexOf(t, "{a: 1}"), Limits{})
	if p, err := s.Project(newest, Population{}, 0.95, 1); err != nil || p.Size != 4096 {
		t.Errorf("%+v %v", p, err)
	}
}

// TestProjectSingles: documents drawn one by one are runs of one.
func TestProjectSingles(t *testing.T) {
	docs := orders(t, 40000)
	want := exactSize(t, "{traceId: 1}", docs)
	p, err := sampleOf(t, "{traceId: 1}", docs, 4000, 0.1, 1).Project(newest, Population{Documents: 40000}, 0.95, 1)
	if err != nil || math.Abs(float64(p.Size)/float64(want)-1) > 0.03 {
		t.Errorf("%+v, want %d (%v)", p, want, err)
	}
}

// TestSampleLimits: a sample keeps within its bounds and stays one of every run.
func TestSampleLimits(t *testing.T) {
	docs := orders(t, 4000)
	for _, runs := range []int{1, 10, 4000} {
		s := NewSample(indexOf(t, "{traceId: 1}"), Limits{Entries: 500})
		for i, doc := range docs {
			if i%(len(docs)/runs) == 0 {
				s.Run(float64(i)/float64(len(docs)), 0)
			}
			if err := s.Document(doc); err != nil {
				t.Fatal(err)
			}
			if len(s.entries) > 501 {
				t.Fatalf("%d entries", len(s.entries))
			}
		}
		seen := map[int32]bool{}
		for _, e := range s.entries {
			seen[e.run] = true
			if string(s.keyOf(&e)) == "" || len(s.endsOf(&e)) != levelsPerComponent {
				t.Fatal("an entry lost its key")
			}
		}
		if len(s.entries) < 200 || len(seen) < min(runs, 200) || s.docs != 4000 {
			t.Errorf("%d runs: %d entries of %d runs", runs, len(s.entries), len(seen))
		}
	}
}
