package sampler

import (
	"math"
	"math/rand/v2"
	"testing"
)

// All that was offered is stood for, whatever is kept; what is kept stays within
// the bound, and in order.
func TestGiants(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit int64
		sizes []int64
		kept  int // at least
	}{
		{"none", 100, nil, 0},
		{"one fits", 100, []int64{100}, 1},
		{"one does not", 10, []int64{100}, 1},
		{"all fit", 100, []int64{50, 30, 20}, 3},
		{"one byte too many", 99, []int64{50, 30, 20}, 1},
		{"alike", 35, []int64{10, 10, 10, 10, 10, 10, 10}, 3},
	} {
		g := NewGiants[int](tt.limit, rand.New(rand.NewPCG(1, 2)))
		var total int64
		for i, n := range tt.sizes {
			g.Add(i, n, float64(n))
			total += n
		}
		var stands int64
		kept, last := 0, -1
		g.Each(func(item int, n int64) {
			if item <= last {
				t.Errorf("%s: %d comes after %d", tt.name, item, last)
			}
			kept, last, stands = kept+1, item, stands+n
		})
		if kept < tt.kept {
			t.Errorf("%s: %d kept, want %d", tt.name, kept, tt.kept)
		}
		if math.Abs(float64(stands-total)) > float64(kept) || kept > 1 && g.Held() > tt.limit {
			t.Errorf("%s: stand for %d of %d, %d held", tt.name, stands, total, g.Held())
		}
	}
}

// In the mean over draws, small and large stand for what they have, as they do
// exactly where a number of giants is the bound and not their bytes.
func TestGiantsInTheMean(t *testing.T) {
	sizes := []int64{2000, 3000, 5000, 9000, 2000, 16000}
	sum := make([]float64, len(sizes))
	const draws, times = 5_000, 8
	for seed := range uint64(draws) {
		g := NewGiants[int](60_000, rand.New(rand.NewPCG(seed, 3)))
		for i := range times * len(sizes) {
			n := sizes[i%len(sizes)]
			g.Add(i%len(sizes), n, float64(n))
		}
		g.Each(func(i int, stands int64) { sum[i] += float64(stands) / draws / times })
	}
	for i, n := range sizes {
		if math.Abs(sum[i]/float64(n)-1) > 0.05 {
			t.Errorf("%d bytes are stood for by %.0f in the mean", n, sum[i])
		}
	}
}
