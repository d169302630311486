package reconcile

import (
	"slices"

	"github.com/wtsize/wtsize/estimate/wt"
)

// A Pager encodes records and hands over one in-memory page at a time, in the
// sizes in which an appending load leaves them in the cache: once a page has
// reached the split footprint, the next access moves its last record to a new
// page. A page of few huge records is forced out instead, and its last image read
// back and appended to; that image does not count against the limits.
//
// WiredTiger: src/btree/bt_read.c, __evict_force_check; src/btree/bt_split.c,
// __split_insert and __split_multi.
type Pager struct {
	emit        func(*Page) error
	table       wt.Table
	limit, most int64
	release     wt.Release
	skip        wt.SkipList
	page        *Page
	last        int64 // footprint of the last record
	// What was read back: the page's first records, and the size of their image.
	read  int
	image int64
}

// NewPager returns a Pager for table t of release r in a cache of cacheBytes.
// emit receives each full page and owns it from then on.
func NewPager(t wt.Table, r wt.Release, cacheBytes int64, emit func(*Page) error) *Pager {
	p := &Pager{emit: emit, table: t, release: r, skip: wt.NewSkipList()}
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
	if !w.IsZero() {
		pg.windows = append(pg.windows, w)
		pg.Window += int64(len(pg.Cells) - head - wt.ValueHeadLen(len(value)))
	}
	pg.Cells = append(pg.Cells, value...)
	pg.Ends = append(pg.Ends, int32(len(pg.Cells)))
	pg.Documents += int64(len(value))
	p.last = p.release.RecordFootprint(len(key), len(value), p.skip.Depth())
	pg.Footprint += p.last
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

// access is what the engine does when an insert reaches the last page. A page
// that a huge record was moved to is forced out in turn.
func (p *Pager) access() error {
	for {
		var err error
		appended, inserts := p.page.Footprint-p.image, p.page.Records()-p.read
		switch {
		case appended < p.limit:
			return nil
		case inserts >= wt.MinInsertSplit:
			err = p.split()
		case appended >= p.most && inserts > 0:
			err = p.forceOut()
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// split moves the last record to a new page.
func (p *Pager) split() error {
	pg, next := p.page, p.newPage()
	room := min(len(pg.Cells), int(p.limit)) // as much as a page takes
	if p.last >= p.most {
		room = 0 // a page of its own
	}
	next.take(pg, pg.Records()-1)
	next.Cells = append(make([]byte, 0, len(next.Cells)+room), next.Cells...)
	if room == 0 {
		pg.Cells = slices.Clone(pg.Cells) // without what the huge record took
	}
	next.Footprint += p.last
	pg.Footprint -= p.last
	return p.handOver(next)
}

// forceOut hands over all but what its last image holds. Where that begins can
// depend on the page size in force, for records of about that size: it is taken
// to be the size that a tree starts with.
func (p *Pager) forceOut() error {
	pg, next := p.page, p.newPage()
	at := 0
	c := Cutter{Split: p.table.NewSplit(p.table.LeafStart()), Alloc: p.table.AllocationSize, Emit: func(k Chunk) { at = k.First }}
	for i, end := range pg.Ends {
		c.Add(int64(end) - int64(pg.Start(i)))
	}
	c.Finish()
	next.Fresh = pg.Fresh && at == 0
	next.take(pg, at)
	pg.Tail = next.Cells
	pg.Footprint -= int64(len(pg.Tail))
	err := p.handOver(next)
	p.read, p.image = next.Records(), wt.HeaderBytes+int64(len(next.Cells))
	next.Footprint += p.image + int64(p.read)*wt.ReadRecordBytes
	return err
}

// handOver emits the page and goes on with the next.
func (p *Pager) handOver(next *Page) error {
	pg := p.page
	p.page, p.read, p.image = next, 0, 0
	return p.emit(pg)
}

// Close hands over the last page, if it holds anything.
func (p *Pager) Close() error {
	if p.page.Records() == 0 {
		return nil
	}
	return p.handOver(p.newPage())
}
