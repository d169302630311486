package index

import (
	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// Config says how the table of an index is written.
type Config struct {
	Table   wt.Table
	Release wt.Release
	// Codec compresses blocks; nil where the table does not, as by default.
	Codec block.Compressor
}

// File is the file of an index. Sizes in bytes.
type File struct {
	Size                     int64
	Entries                  int64
	LeafPages, InternalPages int64
	LeafImages               int64 // sum of leaf page images, headers included
	LeafDisk                 int64 // sum of leaf blocks
	InternalDisk             int64
	Separators               int64 // key bytes on the lowest internal pages
	Prefix                   int64 // key bytes that prefix compression left out
	OverflowBlocks           int64 // keys and values in blocks of their own
	OverflowDisk             int64
	LastImage, LastDisk      int64 // of the last leaf
}

// A Builder builds an index table from entries in key order, as a bulk cursor
// does: an index build, a restore, an initial sync.
//
// WiredTiger: src/reconcile/rec_row.c, __wt_bulk_insert_row and
// __rec_cell_build_leaf_key.
type Builder struct {
	cfg   Config
	floor int
	// emptyCells: an empty value takes a cell. Up to 4.2; WiredTiger WT-6251 is
	// in every 4.4, as time windows are.
	emptyCells bool
	maxKey     int
	maxValue   int

	cutter reconcile.Cutter
	tree   *reconcile.Tree
	file   *block.File
	out    File
	err    error

	cells []byte // of the page at hand
	sep   []byte // what separates it from the page before
	next  []byte // what will separate the next one

	last       []byte // the key before, on this page or the one before
	lastPrefix int    // how many bytes it shared
	compress   bool   // a whole key stands on the page
	suffix     bool   // last is the key just before, so a separator may be cut
	overflowed bool   // some block held an overflow item
}

// NewBuilder returns a builder of an empty table.
func NewBuilder(cfg Config) *Builder {
	t := cfg.Table
	b := &Builder{
		cfg: cfg, floor: cfg.Release.PrefixFloor(), emptyCells: !cfg.Release.TimeWindows(), maxKey: int(t.MaxLeafKey()), maxValue: int(t.NewSplit(t.LeafPageMax).Size / 2),
		tree: reconcile.NewTree(t, cfg.Release), file: block.NewFile(t.AllocationSize),
	}
	b.cutter = reconcile.Cutter{Split: t.NewSplit(t.LeafStart()), Alloc: t.AllocationSize, Bulk: true, Emit: b.page}
	return b
}

// A kv is a record as it will stand on the page.
type kv struct {
	key, value []byte
	window     wt.TimeWindow
	prefix     int
	keyLen     int // of its cell
	valueLen   int
	overKey    []byte // cookie of a key in a block of its own
	overValue  []byte
}

// pages is the number of leaf pages written so far.
func (b *Builder) pages() int64 { return b.tree.Leaves() }

// Add adds the next entry. Errors are kept until Finish.
func (b *Builder) Add(key, value []byte) { b.add(kv{key: key, value: value}) }

func (b *Builder) add(r kv) {
	if b.err != nil {
		return
	}
	if b.measure(&r, b.cutter.WouldSplit) {
		b.separate(r)
	}
	b.cutter.Add(int64(r.keyLen + r.valueLen))
	b.append(r)
	b.out.Entries++
	b.out.Prefix += int64(r.prefix)
	if r.overKey != nil {
		b.suffix = false
		return
	}
	b.follow(r.key)
}

// measure finds how long an entry's cells are, its key whole where a page ends or
// might: splits says so of their sum.
func (b *Builder) measure(r *kv, splits func(int64) bool) bool {
	b.measureKey(r, true)
	b.measureValue(r)
	if !splits(int64(r.keyLen + r.valueLen)) {
		return false
	}
	b.compress, b.lastPrefix = false, 0
	if r.overKey == nil {
		b.measureKey(r, false)
	}
	return true
}

// follow makes key the one that the next key is compared with.
func (b *Builder) follow(key []byte) {
	b.last = append(b.last[:0], key...)
	b.compress, b.suffix = b.cfg.Table.PrefixCompression, true
}

// measureKey finds how the key is stored: what it shares with the key before, a
// cell, or a block of its own.
func (b *Builder) measureKey(r *kv, fresh bool) {
	r.prefix = 0
	if fresh && b.compress {
		r.prefix = b.shared(r.key)
	}
	b.lastPrefix = r.prefix
	if len(r.key)-r.prefix > b.maxKey {
		r.prefix, b.lastPrefix = 0, 0
	}
	if len(r.key)-r.prefix > b.maxKey {
		r.overKey = b.overflow(r.key)
		r.keyLen = wt.OverflowKeyCellLen(len(r.overKey))
		return
	}
	r.keyLen = wt.KeyCellLen(byte(r.prefix), len(r.key)-r.prefix)
}

// maxPrefix is what the one byte of the count holds.
const maxPrefix = 255

// shared is how many leading bytes of key are left out: those it has in common
// with the key before, unless they are few, or few more than that key left out.
func (b *Builder) shared(key []byte) int {
	n := min(len(key), len(b.last), maxPrefix)
	p := 0
	for p < n && key[p] == b.last[p] {
		p++
	}
	switch {
	case int64(p) < b.cfg.Table.PrefixMin:
		return 0
	case b.lastPrefix != 0 && p > b.lastPrefix && p < b.lastPrefix+b.floor:
		return b.lastPrefix
	}
	return p
}

func (b *Builder) measureValue(r *kv) {
	n := len(r.value)
	switch {
	case !r.window.IsZero():
		r.valueLen = wt.WindowHeadLen(r.window, n) + n
	case n == 0 && !b.emptyCells:
	case n > b.maxValue:
		r.overValue = b.overflow(r.value)
		r.valueLen = wt.OverflowKeyCellLen(len(r.overValue))
	default:
		r.valueLen = wt.ValueHeadLen(n) + n
	}
}

// overflow writes an item into a block of its own and gives its address.
func (b *Builder) overflow(item []byte) []byte {
	b.out.OverflowBlocks++
	b.overflowed = true
	cookie, disk := b.write(item)
	b.out.OverflowDisk += disk
	return cookie
}

// separate keeps the key by which the next page is found.
func (b *Builder) separate(r kv) {
	b.next = append(b.next[:0], r.key...)
	if b.suffix {
		b.next = append(b.next[:0], reconcile.Separator(b.last, r.key)...)
	}
}

func (b *Builder) append(r kv) {
	if r.overKey != nil {
		b.cells = appendOverflowCell(b.cells, cellKeyOverflow, r.overKey)
	} else {
		b.cells = wt.AppendKeyCell(b.cells, byte(r.prefix), r.key[r.prefix:])
	}
	switch {
	case r.overValue != nil:
		b.cells = appendOverflowCell(b.cells, cellValueOverflow, r.overValue)
	case r.valueLen > 0:
		b.cells = wt.AppendValueHead(b.cells, r.window, len(r.value))
		b.cells = append(b.cells, r.value...)
	}
}
