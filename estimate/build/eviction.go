package build

import (
	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
)

// eviction holds the reconciliations that are under way in simulated time. Each
// writes its chunks in order, and a chunk takes as long as its image is large:
// time is counted in image bytes of one thread.
type eviction []running

type running struct {
	chunks []reconcile.Chunk
	blocks []block.Block
	left   float64 // time to the end of the chunk at hand
}

// start adds a reconciliation.
func (e *eviction) start(chunks []reconcile.Chunk, blocks []block.Block) {
	*e = append(*e, running{chunks, blocks, float64(blocks[0].Image)})
}

// finish lets every reconciliation end and returns the page size then in force.
func (e *eviction) finish(f reconcile.Feedback) reconcile.Feedback {
	for len(*e) > 0 {
		_, f = e.step((*e)[e.next()].left, f)
	}
	return f
}

// pass lets time pass and returns the page size then in force.
func (e *eviction) pass(t float64, f reconcile.Feedback) reconcile.Feedback {
	for len(*e) > 0 && t > 0 {
		var spent float64
		spent, f = e.step(t, f)
		t -= spent
	}
	return f
}

// next is the reconciliation whose chunk ends first.
func (e *eviction) next() (n int) {
	for i, r := range *e {
		if r.left < (*e)[n].left {
			n = i
		}
	}
	return n
}

// step advances to the end of a chunk, or by t where none ends sooner.
func (e *eviction) step(t float64, f reconcile.Feedback) (float64, reconcile.Feedback) {
	n := e.next()
	ends := (*e)[n].left <= t
	t = min(t, (*e)[n].left)
	for i := range *e {
		(*e)[i].left -= t
	}
	if !ends {
		return t, f
	}
	r := &(*e)[n]
	f = f.Wrote(r.blocks[0].Stored, r.chunks[0].Last)
	r.chunks, r.blocks = r.chunks[1:], r.blocks[1:]
	if len(r.blocks) == 0 {
		*e = append((*e)[:n], (*e)[n+1:]...)
	} else {
		r.left = float64(r.blocks[0].Image)
	}
	return t, f
}
