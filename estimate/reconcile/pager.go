package reconcile

import "github.com/wtsize/wtsize/estimate/wt"

// A Pager encodes records and hands over one in-memory page at a time, in the
// sizes in which an appending load leaves them in the cache: once a page has
// reached the split footprint, the next access moves its last record to a new
// page. A page of few huge records is evicted as it is instead.
//
// WiredTiger: src/btree/bt_read.c, __evict_force_check; src/btree/bt_split.c,
// __split_insert.
type Pager struct {
	emit        func(*Page) error
	limit, most int64
	release     wt.Release
	skip        wt.SkipList
	page        *Page
	last        record
}

// record is what a Pager must know of the last record to move it.
type record struct {
	footprint, document, window int64
}

// NewPager returns a Pager for table t of release r in a cache of cacheBytes.
// emit receives each full page and owns it from then on.
func NewPager(t wt.Table, r wt.Release, cacheBytes int64, emit func(*Page) error) *Pager {
	p := &Pager{emit: emit, release: r, skip: wt.NewSkipList()}
	p.page = p.newPage()
	p.limit, p.most = t.SplitFootprint(cacheBytes), t.MaxFootprint(cacheBytes)
	p.page.Fresh = true
	return p
}

func (p *Pager) newPage() *Page { return &Page{Footprint: p.release.EmptyPageBytes()} }

// Add places a record: its table key, its time window and its value.
func (p *Pager) Add(key []byte, w wt.TimeWindow, value []byte) error {
	if err := p.access(); err != nil {
		return err
	}
	pg := p.page
	pg.reserve(len(key) + len(value) + cellRoom)
	pg.Cells = wt.AppendKeyCell(pg.Cells, 0, key)
	head := len(pg.Cells)
	pg.Cells = wt.AppendValueHead(pg.Cells, w, len(value))
	p.last = record{
		footprint: p.release.RecordFootprint(len(key), len(value), p.skip.Depth()),
		document:  int64(len(value)),
	}
	if !w.IsZero() {
		pg.windows = append(pg.windows, w)
		p.last.window = int64(len(pg.Cells) - head - wt.ValueHeadLen(len(value)))
	}
	pg.Cells = append(pg.Cells, value...)
	pg.Ends = append(pg.Ends, int32(len(pg.Cells)))
	pg.add(p.last, 1)
	return nil
}

// cellRoom is more than the heads of a record's two cells take.
const cellRoom = 128

// mostSpare bounds what a page of huge records keeps free for more of them.
const mostSpare = 1 << 20

// reserve makes room for n more bytes of cells.
func (p *Page) reserve(n int) {
	if need := len(p.Cells) + n; need > cap(p.Cells) {
		p.Cells = append(make([]byte, 0, need+min(need/4, mostSpare)), p.Cells...)
	}
}

func (p *Page) add(r record, sign int64) {
	p.Footprint += sign * r.footprint
	p.Documents += sign * r.document
	p.Window += sign * r.window
}

// access is what the engine does when an insert reaches the last page.
func (p *Pager) access() error {
	pg, n := p.page, p.page.Records()
	switch {
	case pg.Footprint < p.limit:
		return nil
	case n >= wt.MinInsertSplit:
		next := p.newPage()
		last := pg.Cells[pg.Start(n-1):]
		// As much as a page takes, but not what one of huge records took.
		next.Cells = append(make([]byte, 0, len(last)+min(len(pg.Cells), int(p.limit))), last...)
		next.Ends = append(make([]int32, 0, n+n/8), int32(len(next.Cells)))
		next.add(p.last, 1)
		if len(pg.windows) > 0 {
			next.windows = append(next.windows, pg.windows[n-1])
			pg.windows = pg.windows[:n-1]
		}
		pg.Cells, pg.Ends = pg.Cells[:pg.Start(n-1)], pg.Ends[:n-1]
		pg.add(p.last, -1)
		p.page = next
		return p.emit(pg)
	case pg.Footprint >= p.most:
		p.page = p.newPage()
		return p.emit(pg)
	}
	return nil
}

// Close hands over the last page, if it holds anything.
func (p *Pager) Close() error {
	if p.page.Records() == 0 {
		return nil
	}
	pg := p.page
	p.page = p.newPage()
	return p.emit(pg)
}
