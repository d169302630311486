package reconcile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/wtsize/wtsize/estimate/wt"
)

func TestSeparator(t *testing.T) {
	for _, tt := range []struct{ before, first, want string }{
		{"", "", ""},
		{"", "a", "a"},
		{"a", "b", "b"},
		{"abc", "abd", "abd"},
		{"abc", "abdef", "abd"},
		{"abc", "b", "b"},
		{"abc", "abcd", "abcd"}, // one more than they share
		{"abc", "abcdef", "abcd"},
		{"azzz", "bcdef", "b"},
		{"\x00", "\x00\x00", "\x00\x00"},
	} {
		if got := Separator([]byte(tt.before), []byte(tt.first)); string(got) != tt.want {
			t.Errorf("Separator(%q, %q) = %q, want %q", tt.before, tt.first, got, tt.want)
		}
	}
}

// A separator lies above what is before it and not above what it starts, and no
// shorter one would.
func TestSeparatorOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	word := func() []byte {
		b := make([]byte, 1+rng.IntN(12))
		for i := range b {
			b[i] = "ab\x00\xff"[rng.IntN(4)]
		}
		return b
	}
	for range 20_000 {
		before, first := word(), word()
		switch bytes.Compare(before, first) {
		case 0:
			continue
		case 1:
			before, first = first, before
		}
		s := Separator(before, first)
		if bytes.Compare(before, s) >= 0 || bytes.Compare(s, first) > 0 {
			t.Fatalf("%q does not separate %q from %q", s, before, first)
		}
		if short := s[:len(s)-1]; bytes.Compare(before, short) < 0 {
			t.Fatalf("%q would separate %q from %q, %q is longer", short, before, first, s)
		}
	}
}

// storedPage is an internal page as it would be read back.
type storedPage struct {
	children []Child
	bytes    int64
}

// readPage is an own reading of an internal page's cells: keys, and address
// cells by WiredTiger's src/include/cell.h.
func readPage(t *testing.T, r wt.Release, cells []byte) storedPage {
	t.Helper()
	page := storedPage{bytes: wt.HeaderBytes + int64(len(cells))}
	for len(cells) > 0 {
		key := wt.LeafKey(cells)
		cells = cells[wt.KeyCellLen(0, len(key)):]
		c := Child{Key: key, Kind: wt.ChildKind(cells[0] & 0xf0)}
		second := cells[0]&0x08 != 0
		if second != r.TimeWindows() {
			t.Fatalf("release %s: second descriptor byte %v", r, second)
		}
		cells = cells[1:]
		if second {
			flags := cells[0]
			cells = cells[1:]
			if flags != 0 {
				var d uint64
				c.Window.OldestStartTS, cells = readNumber(cells)
				c.Window.NewestTxn, cells = readNumber(cells)
				d, cells = readNumber(cells)
				c.Window.NewestStartTS = c.Window.OldestStartTS + d
			}
		}
		n, rest := readNumber(cells)
		c.Cookie, cells = rest[:n], rest[n:]
		page.children = append(page.children, c)
	}
	return page
}

// readNumber reads a packed unsigned integer: src/include/intpack_inline.h.
func readNumber(b []byte) (uint64, []byte) {
	switch {
	case b[0] < 0xc0:
		return uint64(b[0] - 0x80), b[1:]
	case b[0] < 0xe0:
		return uint64(b[0]-0xc0)<<8 + uint64(b[1]) + 64, b[2:]
	}
	n := int(b[0] - 0xe0)
	var wide [8]byte
	copy(wide[8-n:], b[1:1+n])
	return binary.BigEndian.Uint64(wide[:]) + 64 + 8192, b[1+n:]
}

// someLeaves draws the children of a tree in key order.
func someLeaves(rng *rand.Rand, n, keyBytes int, timed bool) []Child {
	leaves := make([]Child, n)
	for i := range leaves {
		key := fmt.Appendf(nil, "%08d", i)
		key = append(key, bytes.Repeat([]byte{'.'}, rng.IntN(keyBytes+1))...)
		leaves[i] = Child{
			Key: key, Kind: wt.ChildLeaf,
			Cookie: wt.AppendCookie(nil, int64(i+1)*28672, 28672, 4096, rng.Uint32()),
		}
		if timed && i%3 > 0 {
			from := rng.Uint64N(1 << 40)
			leaves[i].Window = wt.TimeAggregate{OldestStartTS: from + 1, NewestStartTS: from + 1 + rng.Uint64N(1000), NewestTxn: 1 + rng.Uint64N(100)}
		}
	}
	return leaves
}

// naiveTree is how many pages each level has, from the lowest on: entries are
// sized one by one and cut by the naive rules.
func naiveTree(table wt.Table, r wt.Release, leaves []Child) (levels []int) {
	split := table.NewSplit(table.InternalStart())
	for {
		sizes := make([]int64, len(leaves))
		for i, c := range leaves {
			key := c.Key
			if i == 0 {
				key = key[:1]
			}
			sizes[i] = int64(wt.KeyCellLen(0, len(key)) + len(wt.AppendAddrCell(nil, r, c.Kind, c.Window, c.Cookie)))
		}
		chunks := naiveCut(sizes, split, table.AllocationSize, wt.MinInternalCells/2, false)
		levels = append(levels, len(chunks))
		if len(chunks) == 1 {
			return levels
		}
		var above []Child
		at := 0
		for n, chunk := range chunks {
			p := Child{Key: leaves[at].Key, Kind: wt.ChildInternal, Cookie: pageCookie(n)}
			if at == 0 {
				p.Key = p.Key[:1]
			}
			for _, c := range leaves[at : at+len(chunk)] {
				p.Window.Merge(c.Window)
			}
			above, at = append(above, p), at+len(chunk)
		}
		leaves = above
	}
}

// pageCookie stands for the n-th page of a level. Its length is always the same.
func pageCookie(n int) []byte { return fmt.Appendf(nil, "page%06d", n) }

func TestTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	small, err := wt.Collection().With("internal_page_max=4KB,split_pct=60")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		table   wt.Table
		release string
		leaves  int
		key     int
		timed   bool
	}{
		{"one", wt.Collection(), "8.3", 1, 0, false},
		{"two", wt.Collection(), "8.3", 2, 0, false},
		{"a full root", wt.Collection(), "8.3", 150, 0, false},
		{"two levels", wt.Collection(), "8.3", 3000, 4, false},
		{"three levels", wt.Collection(), "8.3", 30_000, 4, false},
		{"old release", wt.Collection(), "4.2", 3000, 4, true},
		{"time windows", wt.Collection(), "8.0", 10_000, 4, true},
		{"long keys", wt.Collection(), "8.3", 2000, 700, false},
		{"index", wt.Index(), "8.3", 20_000, 30, false},
		{"index, long keys", wt.Index(), "8.3", 3000, 1400, true},
		{"small pages", small, "8.3", 5000, 60, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := wt.ParseRelease(tt.release)
			if err != nil {
				t.Fatal(err)
			}
			leaves := someLeaves(rng, tt.leaves, tt.key, tt.timed)
			checkTree(t, tt.table, r, leaves)
		})
	}
}

// checkTree builds a tree, reads its pages back from the root and compares.
func checkTree(t *testing.T, table wt.Table, r wt.Release, leaves []Child) {
	t.Helper()
	tree := NewTree(table, r)
	for _, c := range leaves {
		// The tree copies what it is given.
		key, cookie := bytes.Clone(c.Key), bytes.Clone(c.Cookie)
		tree.Leaf(Child{key, c.Kind, c.Window, cookie})
		clear(key)
		clear(cookie)
	}
	want := naiveTree(table, r, leaves)
	stored := map[string]storedPage{}
	var root []byte
	level, inLevel := 0, 0
	pages, err := tree.Build(func(cells []byte) ([]byte, error) {
		if inLevel == want[min(level, len(want)-1)] {
			level, inLevel = level+1, 0
		}
		root = fmt.Appendf(nil, "page%06d", inLevel)
		stored[fmt.Sprintf("%d/%s", level, root)] = readPage(t, r, cells)
		inLevel++
		return root, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range want {
		total += n
	}
	if pages != int64(total) || len(stored) != total || tree.Leaves() != int64(len(leaves)) {
		t.Fatalf("%d pages written as %d, %d leaves; want %v, %d leaves", pages, len(stored), tree.Leaves(), want, len(leaves))
	}
	w := &walk{t: t, stored: stored, leaves: leaves, timed: r.TimeWindows()}
	w.page(len(want)-1, string(root), wt.TimeAggregate{}, true)
	if w.next != len(leaves) || len(stored) != 0 {
		t.Errorf("%d of %d leaves reached, %d pages not", w.next, len(leaves), len(stored))
	}
}

// walk goes down from the root: every page is reached once, the leaves come in
// order, under a key that separates them, and windows bound what is below.
type walk struct {
	t      *testing.T
	stored map[string]storedPage
	leaves []Child
	next   int // leaf
	timed  bool
}

func (w *walk) page(level int, cookie string, window wt.TimeAggregate, root bool) {
	name := fmt.Sprintf("%d/%s", level, cookie)
	p, ok := w.stored[name]
	if !ok {
		w.t.Fatalf("page %s does not exist, or is reached twice", name)
	}
	delete(w.stored, name)
	var all wt.TimeAggregate
	for i, c := range p.children {
		all.Merge(c.Window)
		first := w.next
		if level == 0 {
			w.leaf(c)
		} else {
			if c.Kind != wt.ChildInternal {
				w.t.Errorf("page %s, child %d is of kind %#x", name, i, c.Kind)
			}
			w.page(level-1, string(c.Cookie), c.Window, false)
		}
		switch want := w.leaves[first].Key; {
		case first == 0:
			if !bytes.Equal(c.Key, []byte{0}) {
				w.t.Errorf("page %s: the first key of the level is %q", name, c.Key)
			}
		case !bytes.Equal(c.Key, want):
			w.t.Fatalf("page %s, child %d has key %q, want %q", name, i, c.Key, want)
		}
	}
	if !root && all != window {
		w.t.Errorf("page %s: windows %+v, its parent says %+v", name, all, window)
	}
}

func (w *walk) leaf(c Child) {
	want := w.leaves[w.next]
	w.next++
	if c.Kind != want.Kind || !bytes.Equal(c.Cookie, want.Cookie) || w.timed && c.Window != want.Window {
		w.t.Fatalf("leaf %d is %+v, want %+v", w.next-1, c, want)
	}
}

func TestTreeEmpty(t *testing.T) {
	pages, err := NewTree(wt.Collection(), wt.Newest()).Build(func([]byte) ([]byte, error) {
		t.Error("a page of nothing is written")
		return nil, nil
	})
	if pages != 0 || err != nil {
		t.Errorf("%d pages, %v", pages, err)
	}
}

func TestTreeError(t *testing.T) {
	full := errors.New("full")
	tree := NewTree(wt.Collection(), wt.Newest())
	for _, c := range someLeaves(rand.New(rand.NewPCG(1, 1)), 1000, 4, false) {
		tree.Leaf(c)
	}
	n := 0
	pages, err := tree.Build(func([]byte) ([]byte, error) {
		if n++; n == 3 {
			return nil, full
		}
		return pageCookie(n), nil
	})
	if !errors.Is(err, full) || pages != 2 {
		t.Errorf("%d pages, %v; want 2 and what write gave", pages, err)
	}
}
