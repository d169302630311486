package estimate

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/generate"
)

// fake is a source of collections made up in memory. Their documents come by
// interleaved, as in an archive.
type fake []*fakeCollection

type fakeCollection struct {
	c    sampler.Collection
	docs [][]byte
	// runBytes: the source chooses runs of this size within the budget, as it
	// does in a plain file; else everything streams past.
	runBytes int64
	// shuffled: the runs come in any order.
	shuffled bool
	// fault ends the collection after its documents.
	fault *sampler.Fault
}

// made is a collection of a generated shape, bytes in all.
func made(t testing.TB, coll, shape string, seed uint64, bytes int) *fakeCollection {
	t.Helper()
	s, err := generate.New(shape, seed)
	if err != nil {
		t.Fatal(err)
	}
	s.Expect(int64(bytes / 400))
	f := &fakeCollection{c: sampler.Collection{NS: sampler.Namespace{DB: "shop", Coll: coll}, Type: sampler.Plain}}
	for bytes > 0 {
		doc := append([]byte(nil), s.Next()...)
		f.docs = append(f.docs, doc)
		bytes -= len(doc)
	}
	return f
}

func (f *fakeCollection) size() (n int64) {
	for _, d := range f.docs {
		n += int64(len(d))
	}
	return n
}

// Read is sampler.Source's.
func (f fake) Read(_ context.Context, b sampler.Budget, v sampler.Visitor) error {
	sinks := make([]sampler.Sink, len(f))
	ends := make([]sampler.End, len(f))
	for i, c := range f {
		var err error
		if sinks[i], err = v.Begin(c.c); err != nil {
			return err
		}
	}
	const turn = 100
	for at, left := 0, true; left; at += turn {
		left = false
		for i, c := range f {
			if c.runBytes > 0 || at >= len(c.docs) {
				continue
			}
			left = true
			for _, doc := range c.docs[at:min(at+turn, len(c.docs))] {
				if err := sinks[i].Document(doc); err != nil {
					return err
				}
			}
		}
	}
	for i, c := range f {
		var err error
		if ends[i], err = c.end(b, sinks[i]); err != nil {
			return err
		}
		if err := v.End(c.c, ends[i]); err != nil {
			return err
		}
	}
	return nil
}

// end delivers the runs of a source that chooses, and says what there was.
func (f *fakeCollection) end(b sampler.Budget, sink sampler.Sink) (sampler.End, error) {
	n := int64(len(f.docs))
	e := sampler.End{
		Documents: n, Bytes: f.size(), Count: n, Size: f.size(),
		CountMeasured: true, Method: "all", Fault: f.fault,
	}
	if f.runBytes == 0 {
		return e, nil
	}
	e.Method, e.Documents, e.Bytes = "runs", 0, 0
	rng := rand.New(rand.NewPCG(uint64(b.Seed), 5))
	strata := b.Bytes / f.runBytes
	stratum := e.Size / strata
	starts := make([]int64, strata) // a run lies within its stratum whole
	for s := range starts {
		starts[s] = int64(s)*stratum + rng.Int64N(max(1, stratum-f.runBytes))
	}
	order := rng.Perm(int(strata))
	if !f.shuffled {
		slices.Sort(order)
	}
	for _, s := range order {
		var before int64 // bytes before document first
		first := 0
		for before < starts[s] {
			before += int64(len(f.docs[first]))
			first++
		}
		r := sampler.Run{Position: float64(before) / float64(e.Size), Stratum: s, RecordID: int64(first) + 1}
		if err := sink.Run(r); err != nil {
			return e, err
		}
		for end := before + f.runBytes; before < end && first < len(f.docs); first++ {
			doc := f.docs[first]
			before += int64(len(doc))
			e.Documents, e.Bytes = e.Documents+1, e.Bytes+int64(len(doc))
			if err := sink.Document(doc); err != nil {
				return e, err
			}
		}
	}
	return e, nil
}

// testOptions are small and quick: pages of half a megabyte, no timings.
func testOptions(t testing.TB, compressors string) Options {
	t.Helper()
	settings, err := codec.ParseList(compressors)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Compressors: settings, CacheBytes: 32 << 20, Topology: Standalone, Seed: 1,
		NoTimings: true, NoIndexes: true,
	}
}

func estimateAll(t testing.TB, o Options, f fake) Result {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	b := sampler.Budget{Bytes: o.SampleBytes, RunBytes: 512 << 10, Seed: o.Seed}
	if err := f.Read(t.Context(), b, e); err != nil {
		t.Fatal(err)
	}
	return e.Result()
}

func estimateOne(t testing.TB, o Options, c *fakeCollection) CollectionResult {
	t.Helper()
	r := estimateAll(t, o, fake{c})
	if len(r.Collections) != 1 {
		t.Fatalf("%d collections, skipped %+v", len(r.Collections), r.Skipped)
	}
	return r.Collections[0]
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// checkResult is what holds of every result.
func checkResult(t *testing.T, r CollectionResult) {
	t.Helper()
	for _, c := range r.Compressors {
		l := c.Ledger
		sum := l.Documents + l.Cells + l.Headers + l.TimeWindows + l.Internal + l.CompressionSaved + l.Rounding + l.File
		if sum != c.StorageSize || l.CompressionSaved > 0 {
			t.Errorf("%s: storageSize %d, labels add up to %d: %+v", c.Name(), c.StorageSize, sum, l)
		}
		if c.StorageSizeLow > c.StorageSize || c.StorageSizeHigh < c.StorageSize || c.StorageSizeLow < 0 {
			t.Errorf("%s: %d is not within %d and %d", c.Name(), c.StorageSize, c.StorageSizeLow, c.StorageSizeHigh)
		}
		if r.CountKind == "measured" && c.StorageSize%r.Table.AllocationSize != 0 {
			t.Errorf("%s: %d bytes are not whole blocks", c.Name(), c.StorageSize)
		}
		var pages, last int64
		for _, bar := range c.PageDiskHistogram {
			if bar.Bytes <= last || bar.Bytes%r.Table.AllocationSize != 0 {
				t.Errorf("%s: histogram %+v", c.Name(), c.PageDiskHistogram)
			}
			pages, last = pages+bar.Pages, bar.Bytes
		}
		if pages != c.LeafPages {
			t.Errorf("%s: histogram holds %d of %d leaf pages", c.Name(), pages, c.LeafPages)
		}
		if c.SamplingError < 0 || c.ModelSpread < 0 || c.Ratio < 0 {
			t.Errorf("%s: %+v", c.Name(), c)
		}
	}
}

func hasWarning(ws []sampler.Warning, code string) bool {
	for _, w := range ws {
		if w.Code == code {
			return true
		}
	}
	return false
}
