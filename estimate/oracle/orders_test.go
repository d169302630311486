//go:build oracle

package oracle

import (
	"os"
	"testing"
)

// ordersCase is a collection that outruns eviction. WTSIZE_FULL=1 asks for the
// published million of documents; of fewer, one page more or less at a small
// size counts for more: five loads of 200,000 into 3.2.1 lay up to 6 % apart.
func ordersCase() (c collection, snappyBeside float64) {
	if os.Getenv("WTSIZE_FULL") != "" {
		return generatedShape(Shape{Name: "orders", Docs: 1_000_000}), 0.005
	}
	return generatedShape(Shape{Name: "orders", Docs: 200_000}), 0.02
}

// TestOrders: the model of a collection that outruns eviction lies within the
// engine's range over several loads, and what is given beside it.
func TestOrders(t *testing.T) {
	c, snappyBeside := ordersCase()
	beside := map[string]float64{"none": 0.002, "snappy": snappyBeside, "zlib": 0.003, "zstd": 0.002}
	loads := map[string]int{"none": 1, "snappy": 5, "zlib": 1, "zstd": 1}
	for _, p := range c.project(t, 0).Compressors {
		var low, high int64
		for i := range loads[p.Compressor] {
			r, err := c.load(t.TempDir(), Config{Compressor: p.Compressor})
			if err != nil {
				t.Fatal(err)
			}
			used := r.FileBytes - r.FreeBytes
			if i == 0 {
				low, high = used, used
			}
			low, high = min(low, used), max(high, used)
		}
		nearest := min(max(p.StorageSize, low), high)
		off := float64(p.StorageSize-nearest) / float64(nearest)
		t.Logf("%s, %s: engine %d to %d, model %d (%d to %d): %+.2f %%", c.name, p.Compressor, low, high,
			p.StorageSize, p.StorageSizeLow, p.StorageSizeHigh, 100*off)
		if off < -beside[p.Compressor] || off > beside[p.Compressor] {
			t.Errorf("%s: %+.2f %% beyond the engine's range, want at most %.1f %%", p.Compressor, 100*off, 100*beside[p.Compressor])
		}
	}
}
