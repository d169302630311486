package reconcile

import "github.com/wtsize/wtsize/estimate/wt"

// A Child is what an internal page keeps of a page below it.
type Child struct {
	// Key separates the child from the one before it.
	Key    []byte
	Kind   wt.ChildKind
	Window wt.TimeAggregate
	// Address cookie of the child's block.
	Cookie []byte
}

// Separator is the key under which a leaf chunk is known to its parent: the
// shortest start of its first key that sorts after the last key before it.
// WiredTiger: src/reconcile/rec_write.c, __rec_split_row_promote.
func Separator(before, first []byte) []byte {
	n := min(len(before), len(first))
	for i := 0; i < n; i++ {
		if before[i] != first[i] {
			return first[:i+1]
		}
	}
	return first[:min(n+1, len(first))]
}

// A Tree collects the leaves of a table and builds internal pages above them.
type Tree struct {
	table  wt.Table
	level  *level
	leaves int64
}

// level holds the children of the level being built as encoded cells.
type level struct {
	release wt.Release
	cells   []byte
	ends    []int
	keyEnds []int // end of the key cell within cells
	windows []wt.TimeAggregate
	timed   bool
}

// NewTree returns a tree without leaves, as release r writes it.
func NewTree(t wt.Table, r wt.Release) *Tree { return &Tree{table: t, level: &level{release: r}} }

// Leaf adds the next leaf in key order. Its fields are copied.
func (t *Tree) Leaf(c Child) {
	t.leaves++
	t.level.add(c)
}

// Leaves is the number of leaf pages.
func (t *Tree) Leaves() int64 { return t.leaves }

func (l *level) add(c Child) {
	// The first key of a page is never compared and shrinks to one byte. The
	// engine does so for the first child of what it reconciles, here the level.
	key := c.Key
	if len(l.ends) == 0 {
		key = []byte{0}
	}
	l.cells = wt.AppendKeyCell(l.cells, 0, key)
	l.keyEnds = append(l.keyEnds, len(l.cells))
	l.cells = wt.AppendAddrCell(l.cells, l.release, c.Kind, c.Window, c.Cookie)
	l.ends = append(l.ends, len(l.cells))
	if l.timed = l.timed || c.Window != (wt.TimeAggregate{}); l.timed {
		for len(l.windows) < len(l.ends)-1 {
			l.windows = append(l.windows, wt.TimeAggregate{})
		}
		l.windows = append(l.windows, c.Window)
	}
}

func (l *level) start(i int) int {
	if i == 0 {
		return 0
	}
	return l.ends[i-1]
}

func (l *level) key(i int) []byte { return wt.LeafKey(l.cells[l.start(i):l.keyEnds[i]]) }

// Build writes internal pages level by level up to the root and returns how
// many there are. write stores one page's cells and returns the cookie of its
// block. Levels above the first keep keys whole: cutting them again would lose
// the separation. WiredTiger: src/reconcile/rec_row.c, __wti_rec_row_int;
// src/reconcile/rec_write.c, __rec_root_write.
func (t *Tree) Build(write func(cells []byte) (cookie []byte, err error)) (pages int64, err error) {
	for l := t.level; len(l.ends) > 0; {
		next := &level{release: l.release}
		chunks := l.cut(t.table)
		for _, c := range chunks {
			cookie, err := write(l.cells[l.start(c.First):l.ends[c.First+c.Records-1]])
			if err != nil {
				return pages, err
			}
			pages++
			next.add(Child{Key: l.key(c.First), Kind: wt.ChildInternal, Window: l.window(c), Cookie: cookie})
		}
		if len(chunks) == 1 {
			return pages, nil
		}
		l = next
	}
	return pages, nil
}

func (l *level) cut(t wt.Table) []Chunk {
	var chunks []Chunk
	c := Cutter{
		Split: t.NewSplit(t.InternalStart()), Alloc: t.AllocationSize, MinRecords: wt.MinInternalCells / 2,
		Emit: func(k Chunk) { chunks = append(chunks, k) },
	}
	for i, end := range l.ends {
		c.Add(int64(end - l.start(i)))
	}
	c.Finish()
	return chunks
}

func (l *level) window(c Chunk) (a wt.TimeAggregate) {
	if !l.timed {
		return a
	}
	for _, w := range l.windows[c.First : c.First+c.Records] {
		a.Merge(w)
	}
	return a
}
