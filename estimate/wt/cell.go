package wt

// Cell descriptor bytes. WiredTiger: src/include/cell.h, WT_CELL_*.
const (
	cellKeyShort    = 0x01
	cellKeyShortPfx = 0x02
	cellValueShort  = 0x03
	cellShortMask   = 0x03
	cellShortMax    = 63
	cellShortShift  = 2
	cell64V         = 0x04 // an associated value follows: here, the run length
	cellSecondDesc  = 0x08 // a flags byte and time window fields follow
	cellAddrInt     = 1 << 4
	cellAddrLeaf    = 2 << 4
	cellAddrLeafNo  = 3 << 4
	cellKey         = 5 << 4
	cellKeyPfx      = 7 << 4
	cellValue       = 8 << 4
	cellSizeAdjust  = cellShortMax + 1
)

// Flags of the second descriptor byte. WiredTiger: src/include/cell.h.
const (
	cellTSDurableStart = 0x02
	cellTSStart        = 0x08
	cellTxnStart       = 0x20
)

// TimeWindow says when a value became visible. The zero value is a value that
// everybody sees: nothing is stored for it.
type TimeWindow struct {
	StartTS  uint64 // commit timestamp: seconds since 1970 << 32 | counter
	StartTxn uint64 // transaction id
}

// IsZero reports whether nothing is stored for w.
func (w TimeWindow) IsZero() bool { return w == TimeWindow{} }

// AppendKeyCell appends a leaf page's key cell: pfx bytes shared with the
// previous key, and the rest of the key.
// WiredTiger: src/include/cell_inline.h, __wt_cell_pack_leaf_key.
func AppendKeyCell(dst []byte, pfx byte, suffix []byte) []byte {
	n := len(suffix)
	switch {
	case n <= cellShortMax && pfx == 0:
		dst = append(dst, byte(n)<<cellShortShift|cellKeyShort)
	case n <= cellShortMax:
		dst = append(dst, byte(n)<<cellShortShift|cellKeyShortPfx, pfx)
	case pfx == 0:
		dst = AppendVpack(append(dst, cellKey), uint64(n-cellSizeAdjust))
	default:
		dst = AppendVpack(append(dst, cellKeyPfx, pfx), uint64(n-cellSizeAdjust))
	}
	return append(dst, suffix...)
}

// KeyCellLen is the length of what AppendKeyCell appends for n suffix bytes.
func KeyCellLen(pfx byte, n int) int {
	head := 1
	if pfx != 0 {
		head = 2
	}
	if n > cellShortMax {
		head += VpackLen(uint64(n - cellSizeAdjust))
	}
	return head + n
}

// AppendValueHead appends what stands before the n bytes of a value.
// WiredTiger: src/include/cell_inline.h, __wt_cell_pack_value and
// __cell_pack_value_validity.
func AppendValueHead(dst []byte, w TimeWindow, n int) []byte {
	if w.IsZero() {
		if n <= cellShortMax {
			return append(dst, byte(n)<<cellShortShift|cellValueShort)
		}
		return AppendVpack(append(dst, cellValue), uint64(n-cellSizeAdjust))
	}
	dst = append(dst, cellValue|cell64V|cellSecondDesc, 0)
	flags := len(dst) - 1
	if w.StartTS != 0 {
		dst[flags] |= cellTSStart
		dst = AppendVpack(dst, w.StartTS)
	}
	if w.StartTxn != 0 {
		dst[flags] |= cellTxnStart
		dst = AppendVpack(dst, w.StartTxn)
	}
	dst = AppendVpack(dst, 0) // run length
	return AppendVpack(dst, uint64(n))
}

// ValueHeadLen is the length of what AppendValueHead appends for a value of n
// bytes without a time window.
func ValueHeadLen(n int) int {
	if n <= cellShortMax {
		return 1
	}
	return 1 + VpackLen(uint64(n-cellSizeAdjust))
}

// WindowHeadLen is the length of what AppendValueHead appends for a value of n
// bytes with window w, which is not zero.
func WindowHeadLen(w TimeWindow, n int) int {
	head := 2 + VpackLen(0) + VpackLen(uint64(n))
	for _, x := range []uint64{w.StartTS, w.StartTxn} {
		if x != 0 {
			head += VpackLen(x)
		}
	}
	return head
}

// LeafKey reads the key of the record whose cells start at cells. The key must
// not be prefix-compressed. The result is part of cells.
func LeafKey(cells []byte) []byte {
	if cells[0]&cellShortMask == cellKeyShort {
		return cells[1 : 1+int(cells[0]>>cellShortShift)]
	}
	n, used := vunpack(cells[1:])
	return cells[1+used : 1+used+int(n)+cellSizeAdjust]
}

// LeafValue reads the value of the value cell that cell holds and that ends
// with it.
func LeafValue(cell []byte) []byte {
	if cell[0]&cellShortMask == cellValueShort {
		return cell[1:]
	}
	at := 1
	fields := 1 // the length
	if cell[0]&cellSecondDesc != 0 {
		flags := cell[1]
		at++
		for _, f := range []byte{cellTSStart, cellTxnStart} {
			if flags&f != 0 {
				fields++
			}
		}
	}
	if cell[0]&cell64V != 0 {
		fields++
	}
	for range fields {
		_, n := vunpack(cell[at:])
		at += n
	}
	return cell[at:]
}

// OverflowKeyCellLen is the length of the cell that stands for a key stored in
// a block of its own: descriptor, length, address cookie.
// WiredTiger: src/include/cell_inline.h, __wt_cell_pack_ovfl.
func OverflowKeyCellLen(cookie int) int { return 1 + VpackLen(uint64(cookie)) + cookie }

// TimeAggregate bounds the time windows of a subtree. The zero value stands for
// values that everybody sees.
type TimeAggregate struct {
	OldestStartTS, NewestStartTS uint64
	NewestTxn                    uint64
}

// Add widens a to include w.
func (a *TimeAggregate) Add(w TimeWindow) {
	if w.IsZero() {
		return
	}
	a.Merge(TimeAggregate{w.StartTS, w.StartTS, w.StartTxn})
}

// Merge widens a to include b.
func (a *TimeAggregate) Merge(b TimeAggregate) {
	if b == (TimeAggregate{}) {
		return
	}
	if a.OldestStartTS == 0 || b.OldestStartTS < a.OldestStartTS {
		a.OldestStartTS = b.OldestStartTS
	}
	a.NewestStartTS = max(a.NewestStartTS, b.NewestStartTS)
	a.NewestTxn = max(a.NewestTxn, b.NewestTxn)
}

// ChildKind says what an address cell points to.
type ChildKind byte

// The kinds of children. A leaf with overflow items is told apart because it
// cannot be freed without being read.
const (
	ChildLeaf         ChildKind = cellAddrLeafNo
	ChildLeafOverflow ChildKind = cellAddrLeaf
	ChildInternal     ChildKind = cellAddrInt
)

// AppendAddrCell appends an internal page's address cell as release r writes it.
// WiredTiger: src/include/cell_inline.h, __wt_cell_pack_addr and
// __cell_pack_addr_validity.
func AppendAddrCell(dst []byte, r Release, kind ChildKind, a TimeAggregate, cookie []byte) []byte {
	switch {
	case !r.TimeWindows():
		dst = append(dst, byte(kind))
	case a == (TimeAggregate{}):
		dst = append(dst, byte(kind)|cellSecondDesc, 0)
	default:
		dst = append(dst, byte(kind)|cellSecondDesc, cellTSStart|cellTxnStart|cellTSDurableStart)
		dst = AppendVpack(dst, a.OldestStartTS)
		dst = AppendVpack(dst, a.NewestTxn)
		dst = AppendVpack(dst, a.NewestStartTS-a.OldestStartTS)
	}
	dst = AppendVpack(dst, uint64(len(cookie)))
	return append(dst, cookie...)
}

// AppendCookie appends a block's address cookie: offset and size in allocation
// units, the offset counted from the first unit after the file description, and
// the checksum. WiredTiger: src/block/block_addr.c, __wt_block_addr_pack.
func AppendCookie(dst []byte, offset, size, alloc int64, checksum uint32) []byte {
	dst = AppendVpack(dst, uint64(offset/alloc-1))
	dst = AppendVpack(dst, uint64(size/alloc))
	return AppendVpack(dst, uint64(checksum))
}
