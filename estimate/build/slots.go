package build

import (
	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
)

// slots holds the reconciliations that are under way in simulated time. One
// writes its chunks in order; each takes as long as its image is large, which
// holds for every codec and for the disk.
type slots []running

type running struct {
	chunks []reconcile.Chunk
	blocks []block.Block
	left   int64 // image bytes still to go of the chunk at hand
}

// start adds a reconciliation.
func (s *slots) start(chunks []reconcile.Chunk, blocks []block.Block) {
	*s = append(*s, running{chunks, blocks, blocks[0].Image})
}

// wait lets time pass until fewer than n reconciliations are under way, and
// returns the page size then in force.
func (s *slots) wait(n int, f reconcile.Feedback) reconcile.Feedback {
	for len(*s) >= max(n, 1) {
		f = s.step(f)
	}
	return f
}

// step advances to the end of the chunk that is finished first.
func (s *slots) step(f reconcile.Feedback) reconcile.Feedback {
	next := 0
	for i, r := range *s {
		if r.left < (*s)[next].left {
			next = i
		}
	}
	passed := (*s)[next].left
	for i := range *s {
		(*s)[i].left -= passed
	}
	r := &(*s)[next]
	f = f.Wrote(r.blocks[0].Stored, r.chunks[0].Last)
	r.chunks, r.blocks = r.chunks[1:], r.blocks[1:]
	if len(r.blocks) == 0 {
		*s = append((*s)[:next], (*s)[next+1:]...)
	} else {
		r.left = r.blocks[0].Image
	}
	return f
}
