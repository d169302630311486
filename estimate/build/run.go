package build

import (
	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// run is one course of events: which page sizes the reconciliations found.
type run struct {
	alloc    int64
	margin   float64
	overlap  float64
	feedback reconcile.Feedback
	evicting eviction
	period   float64 // from the last page's start to the next
	tree     *reconcile.Tree
	file     *block.File
	out      File
}

// File is a finished table. Sizes in bytes.
type File struct {
	Size                     int64
	LeafPages, InternalPages int64
	Records                  int64
	Ledger                   Ledger
	Images                   int64           // sum of leaf images
	LeafDisk                 int64           // sum of leaf blocks
	Blocks                   map[int64]int64 // leaf blocks by size on disk
	Uncompressed             int64           // leaf pages stored as they are
	// Up and Down are by how much LeafDisk would change if the codec's output
	// were larger or smaller by Config.Margin; Crossed counts the leaf blocks
	// that would change, by the multiple of the allocation unit next to them.
	Up, Down int64
	Crossed  map[int64]int64
}

// Ledger labels every byte of a file. The parts add up to its size;
// CompressionSaved is negative.
type Ledger struct {
	Documents, Cells, Headers, TimeWindows, Internal, CompressionSaved, Rounding, File int64
}

// Sum is the size of the file.
func (l Ledger) Sum() int64 {
	return l.Documents + l.Cells + l.Headers + l.TimeWindows + l.Internal + l.CompressionSaved + l.Rounding + l.File
}

func newRun(cfg Config, overlap float64) *run {
	return &run{
		alloc: cfg.Table.AllocationSize, margin: cfg.Margin, overlap: overlap,
		feedback: reconcile.NewFeedback(cfg.Table),
		tree:     reconcile.NewTree(cfg.Table, cfg.Release),
		file:     block.NewFile(cfg.Table.AllocationSize),
		out:      File{Blocks: map[int64]int64{}, Crossed: map[int64]int64{}},
	}
}

// advance lets time pass until the next page is taken up and returns the page
// size it finds. The checkpoint writes one page after the other.
func (r *run) advance(evicting bool) int64 {
	if evicting && r.overlap > 1 {
		r.feedback = r.evicting.pass(r.period, r.feedback)
	} else {
		r.feedback = r.evicting.finish(r.feedback)
	}
	return r.feedback.Size
}

// start lets the reconciliation of a page, whose cells take so many bytes, begin.
func (r *run) start(w cutPage, cells int64) {
	r.evicting.start(w.chunks, w.blocks)
	r.period = float64(cells) / r.overlap
}

// place enters the blocks of one in-memory page, without its tail's, into the
// file and the tree.
func (r *run) place(p *reconcile.Page, w cutPage) {
	for i, c := range w.chunks {
		if c.First < p.Records() {
			r.leaf(p, c, w.blocks[i])
		}
	}
	l := &r.out.Ledger
	l.Documents += p.Documents
	l.TimeWindows += p.Window
	l.Cells += int64(len(p.Cells)) - p.Documents - p.Window
	r.out.Records += int64(p.Records())
}

func (r *run) leaf(p *reconcile.Page, c reconcile.Chunk, b block.Block) {
	r.tally(b)
	first := wt.LeafKey(p.Cells[p.Start(c.First):])
	key := first
	if c.First > 0 {
		key = reconcile.Separator(wt.LeafKey(p.Cells[p.Start(c.First-1):]), first)
	}
	r.tree.Leaf(reconcile.Child{Key: key, Kind: wt.ChildLeaf, Window: p.Windows(c), Cookie: r.cookie(b)})
}

func (r *run) tally(b block.Block) {
	o := &r.out
	o.Images += b.Image
	o.LeafDisk += b.Disk
	o.Blocks[b.Disk]++
	o.Ledger.Headers += wt.HeaderBytes
	o.Ledger.CompressionSaved -= b.Image - b.Content()
	o.Ledger.Rounding += b.Disk - b.Content()
	if b.Stored == 0 {
		o.Uncompressed++
		return
	}
	up := wt.Align(int64(float64(b.Stored)*(1+r.margin)), r.alloc)
	down := wt.Align(int64(float64(b.Stored)*(1-r.margin)), r.alloc)
	o.Up += up - b.Disk
	o.Down += b.Disk - down
	if up > b.Disk {
		o.Crossed[b.Disk]++
	} else if down < b.Disk {
		o.Crossed[down]++
	}
}

func (r *run) cookie(b block.Block) []byte {
	return wt.AppendCookie(nil, r.file.Append(b.Disk), b.Disk, r.alloc, b.Checksum)
}

// finish writes the internal pages and the checkpoint.
func (r *run) finish(compress func([][]byte) ([]block.Block, error)) (File, error) {
	pages, err := r.tree.Build(func(cells []byte) ([]byte, error) {
		blocks, err := compress([][]byte{cells})
		if err != nil {
			return nil, err
		}
		r.out.Ledger.Internal += blocks[0].Disk
		return r.cookie(blocks[0]), nil
	})
	if err != nil {
		return File{}, err
	}
	if pages > 0 {
		r.file.Checkpoint()
	}
	r.out.Size = r.file.Size()
	r.out.Ledger.File = r.out.Size - r.out.LeafDisk - r.out.Ledger.Internal
	r.out.LeafPages, r.out.InternalPages = r.tree.Leaves(), pages
	return r.out, nil
}
