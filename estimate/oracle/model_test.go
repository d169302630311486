//go:build oracle

package oracle

import (
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// modelSets are real collections that, like the shapes, the checkpoint writes.
// Most take several pages in memory.
var modelSets = []string{
	"atlas/theaters", "atlas/zips", "atlas/neighborhoods", "atlas/shipwrecks", "smalldumps/orderexample_orders", "solana/tokens",
	"osv/vulns", "emoji/png", "vega/flights_200k", "gitlog/prometheus", "nsi/items", "openapi/operations",
}

// giants are where documents of megabytes stand among small ones: sizes of
// documents by their number.
var giants = []struct {
	name string
	docs int
	size func(i int, rng *rand.Rand) int
}{
	{"first", 20_000, at(0, 12<<20)},
	{"last", 20_000, at(19_999, 12<<20)},
	{"in a row", 10_000, func(i int, _ *rand.Rand) int { return among(i, i > 5_000 && i < 5_004, 11<<20) }},
	{"a third of a page", 20_000, func(i int, _ *rand.Rand) int { return among(i, i%10_000 < 4, 3<<20) }},
	{"of every size", 50, func(_ int, rng *rand.Rand) int { return 100 << rng.IntN(17) }},
	{"above a block", 60, func(_ int, rng *rand.Rand) int { return 20_000 << rng.IntN(9) }},
}

func at(n, size int) func(int, *rand.Rand) int {
	return func(i int, _ *rand.Rand) int { return among(i, i == n, size) }
}

// among gives the size of a giant, or of a small document.
func among(i int, giant bool, size int) int {
	if giant {
		return size
	}
	return 150 + i*7919%211
}

// TestModelOfGiants: a page of less than five documents and more than 10 MB is
// written before its turn, read back and appended to.
func TestModelOfGiants(t *testing.T) {
	var s modelScore
	for seed, g := range giants {
		docs := func() iter.Seq2[[]byte, error] { return worded(g.docs, uint64(seed), g.size) }
		s.check(t, collection{
			name:   g.name,
			source: func() Source { return Source{sampler.Collection{NS: sampler.Namespace{Coll: g.name}}, docs()} },
			load:   func(dir string, c Config) (Result, error) { return Load(dir, docs(), c) },
		})
	}
	s.log(t)
}

// TestModel: the model's file is the engine's, to the byte.
func TestModel(t *testing.T) {
	var s modelScore
	for _, shape := range Shapes() {
		s.check(t, generatedShape(shape))
	}
	s.log(t)
}

func TestModelOnRealSets(t *testing.T) {
	dir := dataDir(t)
	var s modelScore
	for _, set := range modelSets {
		s.check(t, realSet(dir, set))
	}
	s.log(t)
}

type modelScore struct{ exact, n int }

func (s *modelScore) log(t *testing.T) {
	t.Logf("WiredTiger %s: %d of %d to the byte", EngineVersion(), s.exact, s.n)
}

func (s *modelScore) check(t *testing.T, c collection) {
	if !strings.Contains(c.name, *truthSets) {
		return
	}
	t.Run(c.name, func(t *testing.T) {
		for _, p := range c.project(t, 0).Compressors {
			r := loadLike(t, c, p)
			used := r.FileBytes - r.FreeBytes
			if s.n++; used == p.StorageSize {
				s.exact++
			}
			off := float64(p.StorageSize)/float64(used) - 1
			t.Logf("%-6s %9d bytes, %d+%d pages; model %+d blocks, %d+%d pages, %+.2f %%", p.Compressor,
				used, r.Pages.Leaf, r.Pages.Internal, (p.StorageSize-used)/4096, p.LeafPages, p.InternalPages, 100*off)
			if used != p.StorageSize {
				t.Errorf("%s: %d bytes, model %d: %+.2f %%", p.Compressor, used, p.StorageSize, 100*off)
			}
		}
	})
}

// loadLike loads the collection until the file is as projected, at most three
// times. From 10.0 on eviction may begin at 2.5 % of the cache already
// (eviction_updates_target), and on a busy machine it then writes a page or two
// out of turn; 3.2.1 has no such target and needs one load.
func loadLike(t *testing.T, c collection, p estimate.CompressorResult) (r Result) {
	t.Helper()
	loads := 3
	if EngineVersion().Major < 10 {
		loads = 1
	}
	for range loads {
		var err error
		if r, err = c.load(t.TempDir(), Config{Compressor: p.Compressor}); err != nil {
			t.Fatal(err)
		}
		if r.FileBytes-r.FreeBytes == p.StorageSize {
			break
		}
	}
	return r
}
