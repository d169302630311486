//go:build oracle

package oracle

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/index"
	"github.com/wtsize/wtsize/estimate/wt"
)

// stringKeys are n entries of an index on a text, in the order of their documents.
func stringKeys(n int, text func(i int) string) []Entry {
	out := make([]Entry, n)
	for i := range out {
		k := append([]byte{60}, text(i)...)
		out[i].Key = append(append(k, 0, 4), recordIDValue(int64(i+1))...)
	}
	return out
}

// TestGrown inserts keys in random order, of few values and ascending into an
// index, and compares the blocks in use with a Grower's. What fits into one page
// in memory comes out the same to the byte; a larger one does not, as it is cut
// where the engine happened to cut it.
func TestGrown(t *testing.T) {
	cases := []struct {
		n         int
		tolerance float64
	}{{30_000, 0}, {120_000, 0.01}}
	if os.Getenv("WTSIZE_FULL") != "" {
		cases = append(cases, struct {
			n         int
			tolerance float64
		}{1_000_000, 0.04})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range cases {
		for name, keys := range map[string][]Entry{
			"random":     stringKeys(c.n, func(int) string { return fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()) }),
			"200 values": stringKeys(c.n, func(int) string { return fmt.Sprintf("u%04d", r.IntN(200)) }),
			"ascending":  stringKeys(c.n, func(i int) string { return fmt.Sprintf("orders/vn/2026/10/%08d", i) }),
		} {
			grown, err := GrowIndex(t.TempDir(), seq(keys), Config{})
			if err != nil {
				t.Fatal(err)
			}
			used := grown.FileBytes - grown.FreeBytes
			got, bulk := grownSizes(t, keys)
			off := float64(got)/float64(used) - 1
			t.Logf("%d %s: %d bytes in use, %d (%+.2f%%) of a Grower, %d in bulk (%+.2f%%)",
				c.n, name, used, got, 100*off, bulk, 100*(float64(bulk)/float64(used)-1))
			if math.Abs(off) > c.tolerance {
				t.Errorf("%d %s: %d bytes, want %d within %.1f%%", c.n, name, got, used, 100*c.tolerance)
			}
		}
	}
}

// grownSizes are a Grower's size and a bulk load's.
func grownSizes(t *testing.T, keys []Entry) (grown, bulk int64) {
	t.Helper()
	n := int64(len(keys))
	release := wt.Newest()
	if r := EngineVersion().Release(); r != "" {
		var err error
		if release, err = wt.ParseRelease(r); err != nil {
			t.Fatal(err)
		}
	}
	cfg := index.Config{Table: wt.Index(), Release: release}
	g := index.NewGrower(cfg, index.Growth{
		Entries: n, Documents: n, MaxFootprint: cfg.Table.MaxFootprint(defaultCache),
		Turnover: index.Turnover(defaultCache, index.Footprint(cfg.Release, 1, float64(len(keys[0].Key)))), Seed: 1,
	})
	b := index.NewBuilder(cfg)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return bytes.Compare(keys[i].Key, keys[j].Key) })
	for _, i := range order {
		g.Add(keys[i].Key, nil, int64(i+1))
		b.Add(keys[i].Key, nil)
	}
	f, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return g.Finish(), f.Size
}
