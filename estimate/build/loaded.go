package build

import (
	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// loadedPage is a page to be entered into the file.
type loadedPage struct {
	*reconcile.Page
	read   written   // what it begins with, where that was read back
	forced []cutPage // by run, where it was forced out
}

// held is how many bytes of cells the page keeps in memory.
func (p loadedPage) held() int64 { return int64(len(p.Cells) + len(p.Tail)) }

// written is an image, by the length of its cells, and its block.
type written struct {
	cells int
	block block.Block
}

// cutPage is an in-memory page, cut and compressed at one page size; last of all
// comes what holds its tail, if it has one.
type cutPage struct {
	chunks []reconcile.Chunk
	blocks []block.Block
}

func (t *Table) write(p loadedPage, size int64) (cutPage, error) {
	w := cutPage{chunks: cut(p.Page, t.cfg.Table.NewSplit(size), t.cfg.Table.AllocationSize)}
	images := make([][]byte, len(w.chunks), len(w.chunks)+1)
	for i, c := range w.chunks {
		images[i] = p.Cells[p.Start(c.First):p.Ends[c.First+c.Records-1]]
		t.kept.offer(images[i])
	}
	if p.Forced() {
		if n := len(w.chunks); n > 0 {
			w.chunks[n-1].Last = false
		}
		w.chunks = append(w.chunks, reconcile.Chunk{First: p.Records(), Last: true})
		images = append(images, p.Tail)
	}
	if len(images[0]) == p.read.cells { // the same image gives the same block
		w.blocks, images = append(w.blocks, p.read.block), images[1:]
	}
	blocks, err := t.compress(images)
	w.blocks = append(w.blocks, blocks...)
	return w, err
}

func cut(p *reconcile.Page, split wt.Split, alloc int64) (chunks []reconcile.Chunk) {
	c := reconcile.Cutter{Split: split, Alloc: alloc, Emit: func(k reconcile.Chunk) { chunks = append(chunks, k) }}
	for i, end := range p.Ends {
		c.Add(int64(end) - int64(p.Start(i)))
	}
	c.Finish()
	return chunks
}
