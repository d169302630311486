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

	// Pages still in the cache: what the checkpoint will write. Among them, for
	// their place in the tree, are pages that were forced out.
	dirty      []loadedPage
	dirtyBytes int64 // footprint
	dirtyCells int64 // held by this process

	read written // what was read back from the page before

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
	page := loadedPage{Page: p, read: t.read}
	t.read = written{}
	if p.Forced() {
		var err error
		if page.forced, err = t.reconcile(page, t.evicting()); err != nil {
			return err
		}
		blocks := page.forced[0].blocks
		t.read = written{len(p.Tail), blocks[len(blocks)-1]}
		if p.Records() == 0 {
			return nil
		}
	} else {
		t.dirtyBytes += p.Footprint
	}
	t.dirty = append(t.dirty, page)
	t.dirtyCells += page.held()
	for len(t.dirty) > 0 && (t.dirty[0].Forced() || t.dirtyBytes > min(t.dirtyTarget(), mostDirty) || t.dirtyCells > mostCells) {
		if err := t.writeOldest(t.evicting()); err != nil {
			return err
		}
	}
	return nil
}

// evicting reports whether eviction threads are at work.
func (t *Table) evicting() bool { return t.loaded > t.dirtyTarget() }

func (t *Table) writeOldest(evicting bool) error {
	p := t.dirty[0]
	t.dirty[0] = loadedPage{}
	t.dirty = t.dirty[1:]
	t.dirtyCells -= p.held()
	pages := p.forced
	if !p.Forced() {
		t.dirtyBytes -= p.Footprint
		var err error
		if pages, err = t.reconcile(p, evicting); err != nil {
			return err
		}
	}
	for i, r := range t.runs {
		r.place(p.Page, pages[i])
	}
	return nil
}

// reconcile cuts and compresses a page at the page size that each run finds, and
// lets its blocks move that.
func (t *Table) reconcile(p loadedPage, evicting bool) ([]cutPage, error) {
	out := make([]cutPage, len(t.runs))
	known := map[int64]cutPage{} // by page size: runs often agree
	for i, r := range t.runs {
		size := r.advance(evicting)
		w, ok := known[size]
		if !ok {
			var err error
			if w, err = t.write(p, size); err != nil {
				return nil, err
			}
			known[size] = w
		}
		r.start(w, p.held())
		out[i] = w
	}
	return out, nil
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
		if err := t.writeOldest(false); err != nil {
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
