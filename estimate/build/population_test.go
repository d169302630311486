package build

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// runsOf cuts documents into runs of about runBytes, keeping every keep-th.
func runsOf(cfg Config, docs [][]byte, window func(int) wt.TimeWindow, runBytes, keep int) (runs []Run, scale float64) {
	var kept, total float64
	for first, n := 0, 0; first < len(docs); n++ {
		end, bytes := first, 0
		for end < len(docs) && bytes < runBytes {
			bytes += len(docs[end])
			end++
		}
		total += float64(bytes)
		if n%keep == 0 {
			from := first
			page := reconcile.Encode(cfg.Release, end-first, bytes, func(i int) ([]byte, wt.TimeWindow, []byte) {
				return wt.AppendPackedInt64(nil, int64(from+i+1)), window(from + i), docs[from+i]
			})
			runs = append(runs, Run{Page: page, Share: float64(bytes)})
			kept += float64(bytes)
		}
		first = end
	}
	for i := range runs {
		runs[i].Share /= kept
	}
	return runs, total / kept
}

// A collection known whole by its runs comes out as if it had been built, with
// the same documents and the same mix of pages but for three things: page sizes
// between the four grid points are interpolated, pages do not end where the
// engine's do (PhaseBytes says what that is worth), and one block more or less
// near the end of a page shifts where the next begins. 16 pages of half a
// megabyte are few for all that; measured, 96 cases of six shapes, four settings
// and four overlaps: median 0.5 %, at most 2.6 times the phase (3.9 times with
// the pure Go zstd, whose log pages lie next to a cliff).
func TestPopulationAgainstWhole(t *testing.T) {
	pool := newTestPool(t, 2)
	var sum, n float64
	for _, name := range []string{"orders", "log", "drift", "random"} {
		docs := shape(t, name, 7, 8<<20)
		for _, setting := range []string{"none", "snappy", "zstd:1"} {
			cfg := testConfig(t, setting)
			cfg.CacheBytes = 32 << 20
			_, want := whole(t, cfg, pool, docs, nothing)
			runs, scale := runsOf(cfg, docs, nothing, 512<<10, 1)
			p := NewPopulation(cfg, pool, runs, scale)
			got, _, err := p.Files()
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range got {
				w := want[i]
				tolerance := 0.003
				if setting != "none" {
					tolerance = 4.5 * p.PhaseBytes(f) / float64(w.Size)
				}
				off := float64(f.Size)/float64(w.Size) - 1
				if math.Abs(off) > tolerance {
					t.Errorf("%s, %s, overlap %g: %d, built %d (%+.2f %%, allowed %.2f)",
						name, setting, cfg.Overlaps[i], f.Size, w.Size, 100*off, 100*tolerance)
				}
				checkProjected(t, f, cfg)
				if f.Records != w.Records || f.Ledger.Documents != w.Ledger.Documents || f.Ledger.Cells != w.Ledger.Cells {
					t.Errorf("%s: records %+v, built %+v", name, f.Ledger, w.Ledger)
				}
				sum, n = sum+off, n+1
			}
		}
	}
	// What is left is noise to both sides.
	if mean := sum / n; math.Abs(mean) > 0.006 {
		t.Errorf("mean error of %g cases %+.2f %%", n, 100*mean)
	}
}

// checkProjected is checkFile for scaled counts: sums hold to the byte, the
// histogram to the rounding of its counts.
func checkProjected(t *testing.T, f File, cfg Config) {
	t.Helper()
	alloc := cfg.Table.AllocationSize
	if f.Ledger.Sum() != f.Size || f.Size%alloc != 0 || f.LeafDisk%alloc != 0 {
		t.Errorf("size %d, leaf blocks %d, labels add up to %d: %+v", f.Size, f.LeafDisk, f.Ledger.Sum(), f.Ledger)
	}
	var pages, disk, slack int64
	for size, n := range f.Blocks {
		if size%alloc != 0 || size == 0 || n < 0 {
			t.Errorf("%d blocks of %d bytes", n, size)
		}
		pages, disk, slack = pages+n, disk+n*size, slack+size
	}
	if pages != f.LeafPages || disk < f.LeafDisk-slack || disk > f.LeafDisk+slack {
		t.Errorf("histogram has %d pages of %d bytes, the file %d of %d", pages, disk, f.LeafPages, f.LeafDisk)
	}
	l := f.Ledger
	if l.Headers != f.LeafPages*wt.HeaderBytes || l.Documents+l.Cells+l.TimeWindows+l.Headers != f.Images {
		t.Errorf("images of %d bytes in %d pages, labels %+v", f.Images, f.LeafPages, l)
	}
	if l.CompressionSaved > 0 || cfg.Setting.Name == codec.None && l.CompressionSaved != 0 {
		t.Errorf("compression saved %d bytes", -l.CompressionSaved)
	}
	if l.Rounding < 0 || f.Up < 0 || f.Down < 0 || f.Uncompressed > f.LeafPages+1 || f.InternalPages < 1 {
		t.Errorf("%+v", f)
	}
}

// A sample of a quarter stands for four times as much, whatever its windows. The
// documents are alike, so beside the records only what TestPopulationAgainstWhole
// names differs.
func TestPopulationScale(t *testing.T) {
	pool := newTestPool(t, 2)
	docs := shape(t, "orders", 8, 8<<20)
	for setting, tolerance := range map[string]float64{"none": 0.005, "snappy": 0.04} {
		cfg := testConfig(t, setting)
		cfg.CacheBytes = 32 << 20
		runs, scale := runsOf(cfg, docs, batched, 256<<10, 4)
		_, want := whole(t, cfg, pool, docs, batched)
		files, visits, err := NewPopulation(cfg, pool, runs, scale).Files()
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			checkProjected(t, f, cfg)
			near := func(what string, got, want int64, tolerance float64) {
				if math.Abs(float64(got)/float64(want)-1) > tolerance {
					t.Errorf("%s, overlap %g: %s %d, want %d", setting, cfg.Overlaps[i], what, got, want)
				}
			}
			near("documents", f.Ledger.Documents, want[i].Ledger.Documents, 1e-6)
			near("records", f.Records, want[i].Records, 0.01)
			near("time windows", f.Ledger.TimeWindows, want[i].Ledger.TimeWindows, 0.01)
			near("size", f.Size, want[i].Size, tolerance)
		}
		share := 0.0
		for _, v := range visits {
			share += v
		}
		if math.Abs(share-1) > 1e-9 {
			t.Errorf("%s: visits add up to %g", setting, share)
		}
	}
}

// Ten thousand times as large a collection has ten thousand times the pages, at
// no more work: every n-th in-memory page is laid out.
func TestPopulationHuge(t *testing.T) {
	pool := newTestPool(t, 2)
	docs := shape(t, "orders", 9, 2<<20)
	cfg := testConfig(t, "snappy")
	runs, _ := runsOf(cfg, docs, nothing, 256<<10, 1)
	small, _, err := NewPopulation(cfg, pool, runs, 100).Files()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPopulation(cfg, pool, runs, 1_000_000)
	huge, _, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(newSimulation(p, 1).pages()); n > mostPages+len(runs) {
		t.Errorf("%d pages are laid out", n)
	}
	for i, f := range huge {
		checkProjected(t, f, cfg)
		// 100 times the sample is 1,500 pages: the noise of their mix is over.
		if ratio := float64(f.Size) / float64(small[i].Size) / 10_000; math.Abs(ratio-1) > 0.01 {
			t.Errorf("overlap %g: %g times 10,000 as large", cfg.Overlaps[i], ratio)
		}
	}
	if out, err := p.Replicates(5, huge[0]); out != nil || err != nil {
		t.Errorf("a large population has replicates %v, %v", out, err)
	}
}

// The seed decides, the number of workers does not.
func TestPopulationSeed(t *testing.T) {
	docs := shape(t, "log", 10, 2<<20)
	cfg := testConfig(t, "snappy")
	runs, scale := runsOf(cfg, docs, nothing, 128<<10, 2)
	project := func(workers int) ([]File, []float64) {
		p := NewPopulation(cfg, newTestPool(t, workers), runs, scale)
		files, _, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Replicates(6, files[0])
		if err != nil {
			t.Fatal(err)
		}
		return files, out
	}
	files, spread := project(1)
	for _, workers := range []int{2, 5} {
		again, out := project(workers)
		if !reflect.DeepEqual(files, again) || !reflect.DeepEqual(spread, out) {
			t.Errorf("%d workers give other files, or replicates %v instead of %v", workers, out, spread)
		}
	}
	if len(spread) != 6 || slices.Max(spread) == slices.Min(spread) {
		t.Errorf("replicates %v", spread)
	}
	for _, s := range spread {
		if math.Abs(s) > 0.2 {
			t.Errorf("replicates %v", spread)
		}
	}
	// One run alone cannot be resampled.
	one := NewPopulation(cfg, newTestPool(t, 1), []Run{{Page: runs[0].Page, Share: 1}}, 3)
	if out, err := one.Replicates(6, files[0]); out != nil || err != nil {
		t.Errorf("replicates of one run: %v, %v", out, err)
	}
}

// What runs cost adds up to what the file holds.
func TestRunCosts(t *testing.T) {
	pool := newTestPool(t, 2)
	docs := shape(t, "drift", 11, 4<<20)
	cfg := testConfig(t, "zstd:1")
	cfg.CacheBytes = 32 << 20
	runs, scale := runsOf(cfg, docs, nothing, 256<<10, 1)
	p := NewPopulation(cfg, pool, runs, scale)
	files, visits, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	costs, err := p.RunCosts(visits)
	if err != nil {
		t.Fatal(err)
	}
	var b, d float64
	for i, r := range runs {
		c := costs[i]
		if c.X != r.Share || c.Y <= 0 || c.Y > 1.1*c.X {
			t.Errorf("run %d: a share of %g, %g given, takes %g on disk", i, r.Share, c.X, c.Y)
		}
		b, d = b+c.X, d+c.Y
	}
	want := float64(files[0].LeafDisk) / float64(files[0].Images)
	if got := d / b; math.Abs(got/want-1) > 0.03 {
		t.Errorf("runs take %g of their share, the file %g", got, want)
	}
}

// Populations of hardly anything, and of one giant.
func TestPopulationSmall(t *testing.T) {
	pool := newTestPool(t, 2)
	rng := rand.New(rand.NewPCG(31, 32))
	for name, docs := range map[string][][]byte{
		"one": sized(rng, 5), "two": sized(rng, 5, 300), "giant": sized(rng, 4<<20),
		"giant and others": append(sized(rng, 100, 200, 4<<20), shape(t, "tiny", 1, 100<<10)...),
	} {
		for _, setting := range []string{"none", "snappy", "zstd:1"} {
			cfg := testConfig(t, setting)
			runs, _ := runsOf(cfg, docs, nothing, 64<<10, 1)
			p := NewPopulation(cfg, pool, runs, 3)
			files, visits, err := p.Files()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				checkProjected(t, f, cfg)
				if least := f.Ledger.Documents; setting == "none" && f.Size < least {
					t.Errorf("%s: %d bytes hold documents of %d", name, f.Size, least)
				}
			}
			if _, err := p.RunCosts(visits); err != nil {
				t.Error(err)
			}
		}
	}
}
