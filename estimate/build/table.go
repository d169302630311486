package build

import (
	"time"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// Config says what is built.
type Config struct {
	Table   wt.Table
	Setting codec.Setting
	Release wt.Release
	// CacheBytes of the server; it bounds how much stays dirty until the
	// checkpoint.
	CacheBytes int64
	// Overlap is how many reconciliations run at once beyond that; 1 or less
	// means never more than one.
	Overlap int
}

// A Table builds one file. Use: Page for each in-memory page in key order,
// then Finish.
type Table struct {
	cfg      Config
	pool     *Pool
	feedback reconcile.Feedback
	tree     *reconcile.Tree
	file     *block.File
	slots    slots
	loaded   int64 // footprint of the pages so far
	lastKey  []byte
	out      File
}

// File is a finished table. Sizes in bytes.
type File struct {
	Size                     int64
	LeafPages, InternalPages int64
	Images                   int64           // sum of leaf images
	LeafDisk                 int64           // sum of leaf blocks
	LeafStored               int64           // the same before rounding
	Uncompressed             int64           // leaf pages whose compression was dropped
	Blocks                   map[int64]int64 // leaf blocks by size on disk
	Documents, Window        int64
	Records                  int64
	InternalDisk             int64
	CodecTime                time.Duration
}

// New returns an empty table. The pool may be shared.
func New(cfg Config, pool *Pool) *Table {
	cfg.Table.Compressor = cfg.Setting.Name
	return &Table{
		cfg: cfg, pool: pool, feedback: reconcile.NewFeedback(cfg.Table),
		tree: reconcile.NewTree(cfg.Table, cfg.Release), file: block.NewFile(cfg.Table.AllocationSize),
		out: File{Blocks: map[int64]int64{}},
	}
}

// dirtyTargetPct is the share of the cache that may be dirty before eviction
// starts to write: eviction_dirty_target's default. WiredTiger: dist/api_data.py.
const dirtyTargetPct = 5

func (t *Table) overlap() int {
	if t.cfg.Overlap <= 1 || t.loaded*100 <= t.cfg.CacheBytes*dirtyTargetPct {
		return 1
	}
	return t.cfg.Overlap
}

// Page reconciles the next in-memory page. The page is not needed afterwards.
func (t *Table) Page(p *reconcile.Page) error {
	t.loaded += p.Footprint
	t.feedback = t.slots.wait(t.overlap(), t.feedback)
	split := t.cfg.Table.NewSplit(t.feedback.Size)
	chunks := cut(p, split, t.cfg.Table.AllocationSize)
	images := make([][]byte, len(chunks))
	for i, c := range chunks {
		images[i] = p.Cells[p.Start(c.First):p.Ends[c.First+c.Records-1]]
	}
	blocks, err := t.write(images)
	if err != nil {
		return err
	}
	for i, c := range chunks {
		t.place(p, c, blocks[i])
	}
	t.slots.start(chunks, blocks)
	t.lastKey = append(t.lastKey[:0], wt.LeafKey(p.Cells[p.Start(p.Records()-1):])...)
	t.out.Documents += p.Documents
	t.out.Window += p.Window
	t.out.Records += int64(p.Records())
	return nil
}

func cut(p *reconcile.Page, split wt.Split, alloc int64) (chunks []reconcile.Chunk) {
	c := reconcile.Cutter{Split: split, Alloc: alloc, Emit: func(k reconcile.Chunk) { chunks = append(chunks, k) }}
	for i, end := range p.Ends {
		c.Add(int64(end) - int64(p.Start(i)))
	}
	c.Finish()
	return chunks
}

func (t *Table) write(images [][]byte) ([]block.Block, error) {
	j := &job{setting: t.cfg.Setting, rule: block.Rule{SaveUnit: t.cfg.Release.SavesUnit()}, alloc: t.cfg.Table.AllocationSize}
	blocks, err := t.pool.write(j, images)
	t.out.CodecTime += j.spent
	return blocks, err
}

// place enters one leaf block into the file and the tree.
func (t *Table) place(p *reconcile.Page, c reconcile.Chunk, b block.Block) {
	t.out.Images += b.Image
	t.out.LeafDisk += b.Disk
	t.out.LeafStored += b.Content()
	t.out.Blocks[b.Disk]++
	if b.Stored == 0 {
		t.out.Uncompressed++
	}
	first := wt.LeafKey(p.Cells[p.Start(c.First):])
	key := first
	if c.First > 0 {
		key = reconcile.Separator(wt.LeafKey(p.Cells[p.Start(c.First-1):]), first)
	}
	t.tree.Leaf(reconcile.Child{
		Key: key, Kind: wt.ChildLeaf, Window: p.Windows(c),
		Cookie: t.cookie(b),
	})
}

func (t *Table) cookie(b block.Block) []byte {
	alloc := t.cfg.Table.AllocationSize
	return wt.AppendCookie(nil, t.file.Append(b.Disk), b.Disk, alloc, b.Checksum)
}

// Finish writes the internal pages and the checkpoint.
func (t *Table) Finish() (File, error) {
	pages, err := t.tree.Build(func(cells []byte) ([]byte, error) {
		blocks, err := t.write([][]byte{cells})
		if err != nil {
			return nil, err
		}
		t.out.InternalDisk += blocks[0].Disk
		return t.cookie(blocks[0]), nil
	})
	if err != nil {
		return File{}, err
	}
	if pages > 0 {
		t.file.Checkpoint()
	}
	t.out.Size = t.file.Size()
	t.out.LeafPages, t.out.InternalPages = t.tree.Leaves(), pages
	return t.out, nil
}
