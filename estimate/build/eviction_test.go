package build

import (
	"math/rand/v2"
	"testing"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// chunksOf makes a reconciliation of images that end up with the stored sizes.
func chunksOf(images, stored []int64) (chunks []reconcile.Chunk, blocks []block.Block) {
	for i := range images {
		chunks = append(chunks, reconcile.Chunk{Last: i == len(images)-1})
		blocks = append(blocks, block.Block{Image: images[i], Stored: stored[i]})
	}
	return chunks, blocks
}

const large, small = 40_000, 10_000 // stored sizes that move the page size down and up

func TestEvictionOrder(t *testing.T) {
	var e eviction
	f := reconcile.NewFeedback(wt.Collection())
	const top, step = 128 << 10, 3276
	// Two at once, one with larger images: their blocks are written at 100, 200,
	// 210, 300, 420, each moving the size when its time has come. The last block
	// of a reconciliation moves it down, but never up.
	e.start(chunksOf([]int64{100, 100, 100}, []int64{large, large, small}))
	e.start(chunksOf([]int64{210, 210}, []int64{large, large}))
	for i, want := range []struct {
		pass float64
		size int64
		left int // reconciliations
	}{
		{99, top, 2}, {1, top - step, 2}, {50, top - step, 2}, {50, top - 2*step, 2}, {10, top - 3*step, 2},
		{89.5, top - 3*step, 2}, {0.5, top - 3*step, 1}, {119, top - 3*step, 1}, {2, top - 4*step, 0},
		{1000, top - 4*step, 0},
	} {
		f = e.pass(want.pass, f)
		if f.Size != want.size || len(e) != want.left {
			t.Errorf("step %d: size %d, %d under way; want %+v", i, f.Size, len(e), want)
		}
	}
}

// Time that passes in pieces is time that passes at once; finish is all the time
// there is.
func TestEvictionPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for range 200 {
		var a, b, c eviction
		for range 1 + rng.IntN(5) {
			n := 1 + rng.IntN(30)
			images, stored := make([]int64, n), make([]int64, n)
			for i := range images {
				images[i] = 1 + rng.Int64N(1000)
				stored[i] = []int64{0, small, 31_000, large}[rng.IntN(4)]
			}
			for _, e := range []*eviction{&a, &b, &c} {
				e.start(chunksOf(images, stored))
			}
		}
		f := reconcile.NewFeedback(wt.Collection())
		fa, fb := f, f
		for len(a) > 0 {
			// Whole numbers, so that pieces add up without rounding.
			pieces, sum := rng.IntN(10), 0.0
			for range pieces {
				p := float64(rng.IntN(200))
				fa = a.pass(p, fa)
				sum += p
			}
			if fb = b.pass(sum, fb); fa != fb || len(a) != len(b) {
				t.Fatalf("in pieces size %d, %d under way; at once %d, %d", fa.Size, len(a), fb.Size, len(b))
			}
			for i := range a {
				if a[i].left != b[i].left || len(a[i].blocks) != len(b[i].blocks) {
					t.Fatalf("reconciliation %d has %g left, and %g", i, a[i].left, b[i].left)
				}
			}
		}
		if fc := c.finish(f); fc != fa || len(c) != 0 {
			t.Fatalf("finish ends at %d with %d under way, passing at %d", fc.Size, len(c), fa.Size)
		}
	}
}

// Time never runs backwards: no step takes less than none or more than was
// given, and no chunk has less than nothing left.
func TestEvictionSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	var e eviction
	f := reconcile.NewFeedback(wt.Collection())
	written := 0
	for range 2000 {
		if len(e) < 4 {
			images := []int64{1 + rng.Int64N(100), 1 + rng.Int64N(100)}
			e.start(chunksOf(images, []int64{large, small}))
		}
		before := 0
		for _, r := range e {
			before += len(r.blocks)
		}
		given := 100 * rng.Float64()
		var spent float64
		spent, f = e.step(given, f)
		after := 0
		for _, r := range e {
			after += len(r.blocks)
			if r.left < 0 || len(r.chunks) != len(r.blocks) {
				t.Fatalf("%g left, %d chunks of %d blocks", r.left, len(r.chunks), len(r.blocks))
			}
		}
		if spent < 0 || spent > given || before-after > 1 || before == after && spent != given {
			t.Fatalf("of %g spent %g, %d blocks written", given, spent, before-after)
		}
		written += before - after
	}
	if written < 500 {
		t.Errorf("%d blocks written", written)
	}
}
