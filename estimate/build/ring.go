package build

import (
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// ringChunk is a chunk of a run that has been closed into a ring.
type ringChunk struct {
	cells  []byte
	weight float64 // share of cells that no other chunk of the ring holds
}

// ring cuts a run into chunks that are as full as chunks within a long page:
// where the run ends, it goes on with its first records. Leaving the last,
// partial chunk out instead would leave out the largest documents more often
// than others, since a run ends with the document that fills it; keeping it
// would make every few blocks a short one.
func ring(p *reconcile.Page, split wt.Split, alloc int64) (out []ringChunk) {
	n := p.Records()
	if int64(len(p.Cells)) < 2*split.Size {
		for _, c := range cut(p, split, alloc) {
			out = append(out, ringOf(p, c))
		}
		return out
	}
	done := false
	c := reconcile.Cutter{Split: split, Alloc: alloc, Emit: func(k reconcile.Chunk) {
		if !done {
			out = append(out, ringOf(p, k))
			done = k.First+k.Records >= n
		}
	}}
	for i := 0; !done && i < 3*n; i++ {
		at := i % n
		c.Add(int64(p.Ends[at]) - int64(p.Start(at)))
	}
	if !done {
		c.Finish()
	}
	return out
}

func ringOf(p *reconcile.Page, c reconcile.Chunk) ringChunk {
	n := p.Records()
	over := c.First + c.Records - n
	if over <= 0 {
		return ringChunk{p.Cells[p.Start(c.First):p.Ends[c.First+c.Records-1]], 1}
	}
	own := p.Cells[p.Start(c.First):]
	again := p.Cells[:p.Ends[min(over, n)-1]]
	cells := append(append(make([]byte, 0, len(own)+len(again)), own...), again...)
	return ringChunk{cells, float64(len(own)) / float64(len(cells))}
}
