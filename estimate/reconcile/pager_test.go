package reconcile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/wt"
)

const cache = 1 << 30

// entry is a record of a test: values have their number at both ends.
type entry struct {
	key, value []byte
	window     wt.TimeWindow
}

func (e entry) cells() []byte {
	return append(wt.AppendValueHead(wt.AppendKeyCell(nil, 0, e.key), e.window, len(e.value)), e.value...)
}

func numbered(id, n int) []byte {
	v := make([]byte, max(n, 4))
	binary.LittleEndian.PutUint32(v, uint32(id))
	binary.LittleEndian.PutUint32(v[len(v)-4:], uint32(id))
	return v
}

// entries gives n records of the sizes that size says, keyed from 1 on.
func entries(n int, size func(i int) int, window func(i int) wt.TimeWindow) []entry {
	out := make([]entry, n)
	for i := range out {
		out[i] = entry{key: wt.AppendPackedInt64(nil, int64(i+1)), value: numbered(i, size(i))}
		if window != nil {
			out[i].window = window(i)
		}
	}
	return out
}

func pagesOf(t *testing.T, cacheBytes int64, rs []entry) []*Page {
	t.Helper()
	var pages []*Page
	p := NewPager(wt.Collection(), wt.Newest(), cacheBytes, func(pg *Page) error { pages = append(pages, pg); return nil })
	for _, r := range rs {
		if err := p.Add(r.key, r.window, r.value); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return pages
}

// A loaded is how a page ought to come: so many records of its own, and so many
// bytes of cells that are read back with the next page.
type loaded struct{ records, tail int }

// naivePages works pages out from footprints alone: WiredTiger,
// src/btree/bt_read.c, __evict_force_check, and src/btree/bt_split.c,
// __split_insert, which leaves the old page all records but the last. What was
// read back counts neither as bytes nor as records to split.
func naivePages(rs []entry, split, most int64) (pages []loaded) {
	skip := wt.NewSkipList()
	feet := make([]int64, len(rs))
	for i, r := range rs {
		feet[i] = wt.Newest().RecordFootprint(len(r.key), len(r.value), skip.Depth())
	}
	first, read := 0, 0 // of the page at hand: its first record, and how many were read back
	for next := range rs {
		for { // record next is about to come; the page holds first to next-1
			foot := wt.Newest().EmptyPageBytes() + int64(16*read)
			for _, f := range feet[first+read : next] {
				foot += f
			}
			inserts := next - first - read
			if foot >= split && inserts >= 5 {
				pages = append(pages, loaded{records: next - 1 - first})
				first, read = next-1, 0
				continue
			}
			if foot >= most && inserts > 0 {
				tail := lastImage(rs[first:next])
				bytes := 0
				for _, r := range rs[next-tail : next] {
					bytes += len(r.cells())
				}
				pages = append(pages, loaded{next - first - tail, bytes})
				first, read = next-tail, tail
			}
			break
		}
	}
	return append(pages, loaded{records: len(rs) - first})
}

// lastImage is how many records the last image of a page holds.
func lastImage(rs []entry) (n int) {
	c := Cutter{Split: wt.Collection().NewSplit(128 << 10), Alloc: 4096, Emit: func(k Chunk) { n = k.Records }}
	for _, r := range rs {
		c.Add(int64(len(r.cells())))
	}
	c.Finish()
	return n
}

// checkPages walks all cells: every record once, in order, and the sums right.
func checkPages(t *testing.T, pages []*Page, rs []entry) {
	t.Helper()
	at := 0
	skip := wt.NewSkipList()
	var tail []byte // of the page before
	for i, pg := range pages {
		var documents int64
		footprint := wt.Newest().EmptyPageBytes()
		if fresh := at == 0; pg.Records() == 0 && !pg.Forced() || pg.Fresh != fresh {
			t.Errorf("page %d: %d records, fresh %v", i, pg.Records(), pg.Fresh)
		}
		if !bytes.HasPrefix(append(pg.Cells, pg.Tail...), tail) {
			t.Fatalf("page %d does not begin with what was read back", i)
		}
		if len(tail) > 0 {
			footprint += wt.HeaderBytes + int64(len(tail))
		}
		for j := range pg.Records() {
			r := rs[at]
			if !bytes.Equal(wt.LeafKey(pg.Cells[pg.Start(j):]), r.key) || !bytes.Equal(pg.Value(j), r.value) {
				t.Fatalf("page %d, record %d is not record %d", i, j, at)
			}
			documents += int64(len(r.value))
			foot := wt.Newest().RecordFootprint(len(r.key), len(r.value), skip.Depth())
			if pg.Start(j) < len(tail) {
				foot = wt.ReadRecordBytes
			}
			footprint += foot
			at++
		}
		if pg.Documents != documents || at > 0 && pg.Records() > 0 && int(pg.Ends[pg.Records()-1]) != len(pg.Cells) {
			t.Errorf("page %d: documents %d, want %d; cells %d, ends %v",
				i, pg.Documents, documents, len(pg.Cells), pg.Ends)
		}
		if pg.Footprint != footprint && !pg.Forced() {
			t.Errorf("page %d: footprint %d, want %d", i, pg.Footprint, footprint)
		}
		checkWindows(t, pg, rs[at-pg.Records():at])
		tail = pg.Tail
	}
	if at != len(rs) {
		t.Fatalf("%d of %d records are on pages", at, len(rs))
	}
}

func checkWindows(t *testing.T, pg *Page, rs []entry) {
	t.Helper()
	var bytes int64
	var all wt.TimeAggregate
	for _, r := range rs {
		all.Add(r.window)
		if !r.window.IsZero() {
			bytes += int64(len(wt.AppendValueHead(nil, r.window, len(r.value))) - wt.ValueHeadLen(len(r.value)))
		}
	}
	if pg.Window != bytes {
		t.Errorf("windows take %d bytes, want %d", pg.Window, bytes)
	}
	if got := pg.Windows(Chunk{Records: len(rs)}); got != all {
		t.Errorf("windows %+v, want %+v", got, all)
	}
	if len(rs) > 2 {
		var some wt.TimeAggregate
		for _, r := range rs[1:3] {
			some.Add(r.window)
		}
		if got := pg.Windows(Chunk{First: 1, Records: 2}); got != some {
			t.Errorf("windows of a chunk %+v, want %+v", got, some)
		}
	}
}

func TestPager(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	window := func(i int) wt.TimeWindow {
		return wt.TimeWindow{StartTS: 1_700_000_000<<32 + uint64(i), StartTxn: 1 + uint64(i)/500}
	}
	small := int64(2 << 20) // of cache: pages split at 33554 bytes
	table := wt.Collection()
	for _, tt := range []struct {
		name  string
		cache int64
		rs    []entry
	}{
		{"nothing", small, nil},
		{"one", small, entries(1, func(int) int { return 5 }, nil)},
		{"small", small, entries(3000, func(int) int { return 60 + rng.IntN(200) }, nil)},
		{"windows", small, entries(3000, func(int) int { return 60 + rng.IntN(200) }, window)},
		{"around five to a page", small, entries(400, func(int) int { return 6000 + rng.IntN(3000) }, nil)},
		{"around the most", small, entries(200, func(int) int { return 5000 + rng.IntN(60_000) }, window)},
		{"mixed", small, entries(1000, func(i int) int { return 10 << rng.IntN(14) }, nil)},
		{"real pages", cache, entries(60_000, func(i int) int { return 300 }, nil)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pages := pagesOf(t, tt.cache, tt.rs)
			if len(tt.rs) == 0 {
				if len(pages) != 0 {
					t.Errorf("%d pages of nothing", len(pages))
				}
				return
			}
			checkPages(t, pages, tt.rs)
			if len(tt.rs) > 3000 {
				return
			}
			var got []loaded
			for _, pg := range pages {
				got = append(got, loaded{pg.Records(), len(pg.Tail)})
			}
			if want := naivePages(tt.rs, table.SplitFootprint(tt.cache), table.MaxFootprint(tt.cache)); !slices.Equal(got, want) {
				t.Errorf("pages %v\nwant  %v", got, want)
			}
		})
	}
}

// A page is full when its footprint reaches the limit, not when it passes it.
func TestPagerAtTheLimit(t *testing.T) {
	rs := entries(20, func(int) int { return 3000 }, nil)
	skip := wt.NewSkipList()
	twelve := wt.Newest().EmptyPageBytes()
	for _, r := range rs[:12] {
		twelve += wt.Newest().RecordFootprint(len(r.key), len(r.value), skip.Depth())
	}
	table := wt.Collection()
	table.MemoryPageMax = twelve * 10 / 8
	if table.SplitFootprint(0) != twelve {
		t.Fatalf("the limit is %d, not the footprint of 12 records, %d", table.SplitFootprint(0), twelve)
	}
	for more, want := range map[int64]int{0: 11, 2: 12} { // a higher limit takes one more before the last moves on
		table.MemoryPageMax = twelve*10/8 + more
		var pages []*Page
		p := NewPager(table, wt.Newest(), 0, func(pg *Page) error { pages = append(pages, pg); return nil })
		for _, r := range rs {
			if err := p.Add(r.key, r.window, r.value); err != nil {
				t.Fatal(err)
			}
		}
		if len(pages) != 1 || pages[0].Records() != want {
			t.Errorf("limit %d: %d pages, the first of %d records, want %d", table.SplitFootprint(0), len(pages), pages[0].Records(), want)
		}
	}
}

// Documents of 3 MiB: three reach the split footprint of 8 MiB, but five are
// needed to split; four reach the most, 10 MiB, and are forced out. The last of
// them, an image of its own, is read back, and three more reach the limits: four
// more, for the image counts no longer.
func TestPagerFewHuge(t *testing.T) {
	rs := entries(10, func(int) int { return 3 << 20 }, nil)
	pages := pagesOf(t, cache, rs)
	checkPages(t, pages, rs)
	for i, want := range []int{3, 4, 3} {
		if pg := pages[i]; pg.Records() != want || pg.Forced() != (i < 2) {
			t.Errorf("page %d: %d records, forced out %v; want %d", i, pg.Records(), pg.Forced(), want)
		}
	}
}

// The largest documents, 16 MiB and 16 KiB, are forced out one by one, and each
// is on the page of the one after it once more.
func TestPagerLargest(t *testing.T) {
	rs := entries(3, func(int) int { return 16<<20 + 16<<10 }, nil)
	pages := pagesOf(t, cache, rs)
	checkPages(t, pages, rs)
	for i, want := range []int{0, 1, 2} {
		if pg := pages[i]; pg.Records() != want || pg.Forced() != (i < 2) {
			t.Errorf("page %d: %d records, forced out %v; want %d", i, pg.Records(), pg.Forced(), want)
		}
	}
}

// A giant among small ones leaves the page that it came to, is forced out, and
// fills up with small ones as if it were not there.
func TestPagerGiant(t *testing.T) {
	rs := entries(60_000, func(i int) int {
		if i == 500 {
			return 16 << 20
		}
		return 300
	}, nil)
	pages := pagesOf(t, cache, rs)
	checkPages(t, pages, rs)
	if len(pages) < 4 || pages[0].Records() != 500 || pages[1].Records() != 0 || len(pages[1].Tail) < 16<<20 ||
		pages[2].Records() < 20_000 || pages[2].Forced() {
		t.Errorf("%d pages, of %d, %d and %d records", len(pages), pages[0].Records(), pages[1].Records(), pages[2].Records())
	}
}

// What is emitted belongs to the receiver: later records do not touch it.
func TestPagerGivesPagesAway(t *testing.T) {
	rs := entries(3000, func(i int) int { return 100 + i%50 }, nil)
	var pages, copies []*Page
	p := NewPager(wt.Collection(), wt.Newest(), 2<<20, func(pg *Page) error {
		pages = append(pages, pg)
		copies = append(copies, &Page{Cells: bytes.Clone(pg.Cells), Footprint: pg.Footprint})
		return nil
	})
	for _, r := range rs {
		if err := p.Add(r.key, r.window, r.value); err != nil {
			t.Fatal(err)
		}
	}
	if len(pages) < 5 {
		t.Fatalf("%d pages", len(pages))
	}
	for i := range pages {
		if !bytes.Equal(pages[i].Cells, copies[i].Cells) || pages[i].Footprint != copies[i].Footprint {
			t.Errorf("page %d changed after it was given away", i)
		}
	}
}

func TestPagerError(t *testing.T) {
	full := errors.New("full")
	p := NewPager(wt.Collection(), wt.Newest(), 1<<20, func(*Page) error { return full })
	var err error
	for i := 0; i < 10_000 && err == nil; i++ {
		err = p.Add([]byte{1}, wt.TimeWindow{}, make([]byte, 100))
	}
	if !errors.Is(err, full) {
		t.Errorf("Add gives %v, want what emit gave", err)
	}
}
