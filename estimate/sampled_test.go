package estimate

import (
	"fmt"
	"math"
	"testing"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/racetest"
)

// Of 12 seeds of four samples each under two compressors, 96 intervals at 95 %,
// at most 12 may miss what a complete read gives. The four figures of a seed
// hang together, so count seeds: if one in twenty missed everything, more than 3
// of 12 would by chance with 1 − Σ C(12,k)·0.05^k·0.95^(12−k), k ≤ 3, once in 450
// sets of seeds. They are fixed.
func TestSampledAgainstWhole(t *testing.T) {
	seeds := 12
	if racetest.Enabled {
		seeds = 2 // each as parallel as the others
	}
	missed, cases := 0, 0
	for _, shape := range []string{"orders", "drift"} {
		c := made(t, shape, shape, 21, 16<<20)
		o := testOptions(t, "none,snappy")
		o.CacheBytes = 64 << 20
		whole := estimateOne(t, o, c)
		o.SampleBytes = 4 << 20
		for seed := range int64(seeds) {
			o.Seed = seed
			for _, runBytes := range []int64{0, 256 << 10} { // thinned out here, chosen by the source
				c.runBytes = runBytes
				r := estimateOne(t, o, c)
				checkResult(t, r)
				if runBytes == 0 && (r.Sample.Complete || r.Sample.Bytes > 4<<20 || r.Sample.Bytes < 1<<20 || r.Sample.Runs < 3) {
					t.Fatalf("%s, seed %d: %+v", shape, seed, r.Sample)
				}
				if r.Count != whole.Count || r.Size != whole.Size {
					t.Fatalf("%s: %d documents of %d bytes", shape, r.Count, r.Size)
				}
				for i, k := range r.Compressors {
					w := whole.Compressors[i]
					cases++
					if w.StorageSize < k.StorageSizeLow || w.StorageSize > k.StorageSizeHigh {
						missed++
						t.Logf("%s, seed %d, %s: %d to %d, whole %d", shape, seed, k.Name(), k.StorageSizeLow, k.StorageSizeHigh, w.StorageSize)
					}
					if k.SamplingError <= 0 || k.SamplingError > 0.5 {
						t.Errorf("%s, seed %d, %s: sampling error %g", shape, seed, k.Name(), k.SamplingError)
					}
					if off := math.Abs(float64(k.StorageSize)/float64(w.StorageSize) - 1); off > 0.2 {
						t.Errorf("%s, seed %d, %s: %d, whole %d", shape, seed, k.Name(), k.StorageSize, w.StorageSize)
					}
				}
			}
		}
	}
	t.Logf("%d of %d intervals miss", missed, cases)
	if missed > 12 {
		t.Errorf("%d of %d intervals miss what the whole comes to", missed, cases)
	}
}

// The stretches of a sample are encoded for their places: RecordIds and positions
// are those of the whole collection. Where documents are half as large, RecordIds
// grow twice as fast.
func TestPlaces(t *testing.T) {
	at := func(run sampler.Run, documents, each int) *stretch {
		return &stretch{run: run, bytes: make([]byte, documents*each), ends: make([]int32, documents)}
	}
	run := func(position float64) sampler.Run { return sampler.Run{Position: position, Stratum: 3} }
	for _, tt := range []struct {
		name      string
		stretches []*stretch
		first     []int64
		positions []float64
	}{
		{"a stream", []*stretch{{ends: []int32{0}}, {offset: 25_000, ordinal: 300, ends: []int32{0}}}, []int64{1, 301}, []float64{0, 0.25}},
		{"known", []*stretch{at(sampler.Run{Position: 0.5, RecordID: 777}, 10, 100)}, []int64{777}, []float64{0.5}},
		{"alike", []*stretch{at(run(0.2), 10, 100), at(run(0.7), 10, 100)}, []int64{201, 701}, []float64{0.2, 0.7}},
		// The first stretch stands for bytes 0 to 45,500, half way to the second, in
		// documents of 50 bytes: 910 of them, and 545 for the rest, of which there are
		// 1,000. Before the first lie 20/45.5 of its 910, 400; before the second 910
		// and 24.5/54.5 of its 545, 245.
		{"small ones first", []*stretch{at(run(0.2), 20, 50), at(run(0.7), 10, 100)},
			[]int64{1 + 400*1000/1455, 1 + 1155*1000/1455}, []float64{0.2, 0.7}},
	} {
		p := newPopulation(tt.stretches, 1000, 100_000)
		for i, s := range p.stretches {
			if pos := p.position(s); s.first != tt.first[i] || pos != tt.positions[i] {
				t.Errorf("%s: first RecordId %d at %g, want %d at %g", tt.name, s.first, pos, tt.first[i], tt.positions[i])
			}
		}
	}
}

// In which order runs come is nothing to the figures.
func TestRunsInAnyOrder(t *testing.T) {
	c := made(t, "drift", "drift", 25, 6<<20)
	c.runBytes = 128 << 10
	o := testOptions(t, "none,zstd:1")
	o.SampleBytes, o.NoIndexes = 2<<20, false
	want := asJSON(t, estimateOne(t, o, c))
	c.shuffled = true
	if got := asJSON(t, estimateOne(t, o, c)); got != want {
		t.Errorf("shuffled:\n%s\nin order:\n%s", got, want)
	}
}

// A stretch stands for what lies nearer to it than to its neighbours; the first
// and the last also for what lies before and behind them.
func TestShares(t *testing.T) {
	at := func(offset int64, n int) *stretch { return &stretch{offset: offset, bytes: make([]byte, n)} }
	for _, tt := range []struct {
		stretches []*stretch
		want      []float64
	}{
		{[]*stretch{at(0, 100)}, []float64{1}},
		{[]*stretch{at(900, 100)}, []float64{1}},
		// Between 200 and 600: half way is 400.
		{[]*stretch{at(100, 100), at(600, 100)}, []float64{0.4, 0.6}},
		{[]*stretch{at(0, 100), at(100, 100), at(500, 500)}, []float64{0.1, 0.25, 0.65}},
		// One that reaches into the next stands for all of its own.
		{[]*stretch{at(0, 500), at(300, 100), at(800, 100)}, []float64{0.5, 0.1, 0.4}},
		// Two parts of a collection that say the same places.
		{[]*stretch{at(0, 100), at(0, 100), at(500, 100), at(500, 100)}, []float64{0.1, 0.2, 0.3, 0.4}},
	} {
		p := newPopulation(tt.stretches, 100, 1000)
		got := p.shares()
		sum := 0.0
		for i, w := range tt.want {
			sum += got[i]
			if math.Abs(got[i]-w) > 1e-9 {
				t.Errorf("stretches stand for %v, want %v", got, tt.want)
				break
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%v add up to %g", got, sum)
		}
	}
}

// One stretch says nothing of how places differ. The result is still one that
// can be printed, and says that the sample is thin.
func TestOneStretch(t *testing.T) {
	o := testOptions(t, "none,snappy")
	o.SampleBytes = 600 << 10
	c := made(t, "orders", "orders", 22, 3<<20)
	for _, c.runBytes = range []int64{0, 600 << 10} {
		r := estimateOne(t, o, c)
		checkResult(t, r)
		asJSON(t, r) // fails on infinite figures
		for _, k := range r.Compressors {
			if r.Sample.Runs != 1 || k.SamplingError != 1 || !hasWarning(r.Warnings, "wide-interval") {
				t.Errorf("%d stretches, %s: sampling error %g, %+v", r.Sample.Runs, k.Name(), k.SamplingError, r.Warnings)
			}
		}
	}
}

// A source that could not count says how well it knows.
func TestProjectedCount(t *testing.T) {
	c := made(t, "orders", "orders", 23, 4<<20)
	c.runBytes = 512 << 10
	o := testOptions(t, "none")
	o.SampleBytes = 2 << 20
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	sink, err := e.Begin(c.c)
	if err != nil {
		t.Fatal(err)
	}
	end, err := c.end(sampler.Budget{Bytes: o.SampleBytes, Seed: 1}, sink)
	if err != nil {
		t.Fatal(err)
	}
	end.CountMeasured, end.CountStdErr = false, 100
	if err := e.End(c.c, end); err != nil {
		t.Fatal(err)
	}
	r := e.Result().Collections[0]
	// 1.96 standard errors to each side.
	if r.CountKind != "projected" || r.CountLow != r.Count-196 || r.CountHigh != r.Count+196 {
		t.Errorf("%s: %d to %d around %d", r.CountKind, r.CountLow, r.CountHigh, r.Count)
	}
}

// More documents of the same kind: everything but the averages grows alike, and
// the labels still add up.
func TestDocs(t *testing.T) {
	c := made(t, "orders", "orders", 24, 2<<20)
	c.c.Indexes = indexSpecs(t, idKey)
	o := testOptions(t, "none,snappy")
	o.NoIndexes = false
	one := estimateOne(t, o, c)
	for _, times := range []int64{3, 1000} {
		o.Docs = times * one.Count
		r := estimateOne(t, o, c)
		checkResult(t, r)
		if r.Count != o.Docs || r.Size != times*one.Size || r.CountKind != "projected" || r.AvgObjSize != one.AvgObjSize ||
			!hasWarning(r.Warnings, "docs") || r.TotalIndexSize != times*one.TotalIndexSize {
			t.Errorf("%d times: %+v", times, r)
		}
		for i, k := range r.Compressors {
			if w := one.Compressors[i]; k.StorageSize != times*w.StorageSize || k.LeafPages != times*w.LeafPages || k.Ratio != w.Ratio {
				t.Errorf("%d times, %s: %+v", times, k.Name(), k)
			}
		}
	}
	o.Docs = one.Count
	if r := estimateOne(t, o, c); asJSON(t, r) != asJSON(t, one) {
		t.Error("as many documents as there are change the result")
	}
}

// Batches for the ratio that people compute by hand come from all over.
func TestBatcher(t *testing.T) {
	for _, offered := range []int{0, 1, 255, 256, 257, 1000, 5000} {
		b := &batcher{}
		for i := range offered {
			if b.take() {
				b.batches = append(b.batches, fmt.Append(nil, i))
			}
		}
		if len(b.batches) > mostBatches || len(b.batches) < min(offered, mostBatches/2) {
			t.Errorf("%d of %d are kept", len(b.batches), offered)
		}
		step := 1
		for offered > step*mostBatches {
			step *= 2
		}
		for i, batch := range b.batches {
			if want := fmt.Sprint(i * step); string(batch) != want {
				t.Fatalf("of %d, number %d is %s, want %s", offered, i, batch, want)
			}
		}
	}
}
