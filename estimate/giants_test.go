package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/racetest"
)

// fill adds n documents of 8 KiB, and of a size where large says so.
func fill(s *store, n int, large map[int]int) (giants int64) {
	for i := range n {
		size := docBytes
		if b := large[i]; b > 0 {
			size = b
			giants += int64(b)
		}
		s.add(numberedDoc(i, size))
	}
	return giants
}

// Once not everything is held, giants are apart: all are stood for, none is in an
// ordinary stretch, and each is where it was.
func TestStoreGiants(t *testing.T) {
	// Larger than GiantRuns · 512 KiB, and one that just is not.
	large := map[int]int{12: 3 << 20, 375: sampler.GiantRuns*stretchBytes + 1, 1125: 5 << 20, 1126: 4 << 20, 1875: sampler.GiantRuns * stretchBytes}
	s := newStore(16<<20, 1, newMemory(64<<20))
	giants := fill(s, 5000, large) - sampler.GiantRuns*stretchBytes
	var held, stands int64
	ordinaries := 0
	for _, k := range s.finish() {
		held += int64(len(k.bytes))
		if k.stands == 0 {
			ordinaries++
			for i := range k.ends {
				if len(k.document(i)) > sampler.GiantRuns*stretchBytes {
					t.Errorf("a stretch holds a document of %d bytes", len(k.document(i)))
				}
			}
			continue
		}
		stands += k.stands
		if len(k.ends) != 1 || large[docNumber(k.bytes)] != len(k.bytes) || k.ordinal != int64(docNumber(k.bytes)) {
			t.Errorf("giant %d of %d bytes and %d documents at %d", docNumber(k.bytes), len(k.bytes), len(k.ends), k.ordinal)
		}
	}
	if s.complete() || ordinaries < 4 || held > 16<<20 || math.Abs(float64(stands-giants)) > 10 {
		t.Errorf("%d ordinary stretches, %d bytes held, %d stood for of %d", ordinaries, held, stands, giants)
	}
}

// What fits is held in order, giants too.
func TestStoreGiantsInOrder(t *testing.T) {
	s := newStore(16<<20, 1, newMemory(64<<20))
	fill(s, 500, map[int]int{10: 4 << 20, 20: 5 << 20})
	n := 0
	for _, k := range s.finish() {
		for i := range k.ends {
			if docNumber(k.document(i)) != n || k.stands != 0 {
				t.Fatalf("document %d is number %d", n, docNumber(k.document(i)))
			}
			n++
		}
	}
	if !s.complete() || n != 500 {
		t.Errorf("%d documents, complete %v", n, s.complete())
	}
}

// Where all documents are large, none is a giant: they are many.
func TestStoreAllLarge(t *testing.T) {
	s := newStore(32<<20, 1, newMemory(64<<20))
	for i := range 40 {
		s.add(numberedDoc(i, 3<<20))
	}
	for _, k := range s.finish() {
		if k.stands > 0 {
			t.Errorf("document %d of 3 MiB is a giant", docNumber(k.bytes))
		}
	}
}

// Giants share the collection with what lies around the other stretches.
func TestSharesOfGiants(t *testing.T) {
	at := func(offset int64, n int, stands int64) *stretch {
		return &stretch{offset: offset, bytes: make([]byte, n), ends: []int32{int32(n)}, stands: stands}
	}
	for _, tt := range []struct {
		stretches []*stretch
		want      []float64
	}{
		{[]*stretch{at(100, 100, 0), at(300, 200, 400), at(600, 100, 0)}, []float64{0.4 * 0.6, 0.4, 0.6 * 0.6}},
		{[]*stretch{at(0, 200, 1000)}, []float64{1}},
		{[]*stretch{at(0, 200, 300), at(500, 200, 100)}, []float64{0.75, 0.25}},
		{[]*stretch{at(0, 200, 900), at(500, 200, 300), at(900, 10, 0)}, []float64{0.9, 0.3, 0}}, // more than there is
	} {
		got := newPopulation(tt.stretches, 100, 1000).shares()
		for i, w := range tt.want {
			if math.Abs(got[i]-w) > 1e-9 {
				t.Errorf("stretches stand for %v, want %v", got, tt.want)
				break
			}
		}
	}
}

// A tenth of a stream is giants that do not compress, among small documents that
// do: the sample gives what the whole read gives.
func TestSampledGiants(t *testing.T) {
	c := made(t, "log", "log", 27, 36<<20)
	rng := rand.New(rand.NewPCG(27, 28))
	for _, n := range []int{len(c.docs) / 3, len(c.docs) / 2} {
		giant := numberedDoc(n, 2_400_000)
		for i := 100; i < len(giant)-1; i++ {
			giant[i] = byte(rng.Uint32())
		}
		c.docs[n] = giant
	}
	o := testOptions(t, "none,zstd:1")
	o.CacheBytes = 256 << 20
	whole := estimateOne(t, o, c)
	o.SampleBytes = 16 << 20
	seeds := int64(4)
	if racetest.Enabled {
		seeds = 1 // each as parallel as the others
	}
	for o.Seed = range seeds {
		r := estimateOne(t, o, c)
		checkResult(t, r)
		for i, k := range r.Compressors {
			w := whole.Compressors[i]
			off := float64(k.StorageSize)/float64(w.StorageSize) - 1
			t.Logf("seed %d, %s: %+.2f %%", o.Seed, k.Name(), 100*off)
			if math.Abs(off) > 0.02 {
				t.Errorf("seed %d, %s: %+.2f %% off the whole read's", o.Seed, k.Name(), 100*off)
			}
		}
	}
}
