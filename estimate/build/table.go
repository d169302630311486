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
	// Overlaps are how many reconciliations run at once beyond that, on
	// average; 1 means one after the other. Each gives a file of its own.
	Overlaps []float64
	// Margin is the relative error of the codec for which File says what
	// rounding would make of it.
	Margin float64
	// Images is how many leaf images File keeps for timing.
	Images int
	Seed   uint64
}

// A Table builds one file under one compressor, once for each overlap. Use:
// Page for each in-memory page in key order, then Finish.
type Table struct {
	cfg    Config
	pool   *Pool
	runs   []*run
	spent  time.Duration
	loaded int64 // footprint of the pages so far

	// Pages still in the cache: what the checkpoint will write.
	dirty      []*reconcile.Page
	dirtyBytes int64 // footprint
	dirtyCells int64 // held by this process

	kept keeper
}

// New returns an empty table. The pool may be shared.
func New(cfg Config, pool *Pool) *Table {
	cfg.Table.Compressor = cfg.Setting.Name
	t := &Table{cfg: cfg, pool: pool}
	if !cfg.Table.LeafFeedback() || len(cfg.Overlaps) == 0 {
		cfg.Overlaps = []float64{1} // without feedback the order of writing is nothing to the sizes
	}
	for _, overlap := range cfg.Overlaps {
		t.runs = append(t.runs, newRun(cfg, overlap))
	}
	t.kept = newKeeper(cfg)
	return t
}

// dirtyTargetPct is the share of the cache that may be dirty before eviction
// starts to write: eviction_dirty_target's default. WiredTiger: dist/api_data.py.
const dirtyTargetPct = 5

// mostDirty bounds the pages held for the checkpoint. In a larger cache more
// would stay dirty; which pages those are makes no difference beyond this.
const (
	mostDirty = 64 << 20
	mostCells = 44 << 20
)

func (t *Table) dirtyTarget() int64 { return t.cfg.CacheBytes * dirtyTargetPct / 100 }

// Page takes the next in-memory page and keeps it until it has been written.
func (t *Table) Page(p *reconcile.Page) error {
	t.loaded += p.Footprint
	t.dirty = append(t.dirty, p)
	t.dirtyBytes += p.Footprint
	t.dirtyCells += int64(len(p.Cells))
	for t.dirtyBytes > min(t.dirtyTarget(), mostDirty) || t.dirtyCells > mostCells {
		if err := t.reconcileOldest(t.loaded > t.dirtyTarget()); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) reconcileOldest(evicting bool) error {
	p := t.dirty[0]
	t.dirty[0] = nil
	t.dirty = t.dirty[1:]
	t.dirtyBytes -= p.Footprint
	t.dirtyCells -= int64(len(p.Cells))
	written := map[int64]cutPage{} // by page size: runs often agree
	for _, r := range t.runs {
		size := r.advance(evicting)
		w, ok := written[size]
		if !ok {
			var err error
			if w, err = t.write(p, size); err != nil {
				return err
			}
			written[size] = w
		}
		r.place(p, w)
	}
	return nil
}

// cutPage is an in-memory page, cut and compressed at one page size.
type cutPage struct {
	chunks []reconcile.Chunk
	blocks []block.Block
}

func (t *Table) write(p *reconcile.Page, size int64) (cutPage, error) {
	w := cutPage{chunks: cut(p, t.cfg.Table.NewSplit(size), t.cfg.Table.AllocationSize)}
	images := make([][]byte, len(w.chunks))
	for i, c := range w.chunks {
		images[i] = p.Cells[p.Start(c.First):p.Ends[c.First+c.Records-1]]
		t.kept.offer(images[i])
	}
	var err error
	w.blocks, err = t.compress(images)
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

func (t *Table) compress(images [][]byte) ([]block.Block, error) {
	j := &job{
		setting: t.cfg.Setting, alloc: t.cfg.Table.AllocationSize,
		rule: block.Rule{SaveUnit: t.cfg.Release.SavesUnit()},
	}
	blocks, err := t.pool.write(j, images)
	t.spent += j.spent
	return blocks, err
}

// Finish writes what is still in the cache, the internal pages and the
// checkpoint. It returns one file for each overlap, in their order.
func (t *Table) Finish() ([]File, error) {
	for len(t.dirty) > 0 {
		if err := t.reconcileOldest(false); err != nil {
			return nil, err
		}
	}
	files := make([]File, len(t.runs))
	for i, r := range t.runs {
		f, err := r.finish(t.compress)
		if err != nil {
			return nil, err
		}
		files[i] = f
	}
	return files, nil
}

// Images are the leaf images kept for timing, without the bytes that are never
// compressed.
func (t *Table) Images() [][]byte { return t.kept.images }

// CodecTime is the time spent compressing, summed over all cores.
func (t *Table) CodecTime() time.Duration { return t.spent }
