package oracle

import (
	"fmt"
	"math/bits"
)

// Cell descriptors (src/include/cell.h).
const (
	shortKey       = 0x01
	shortKeyPrefix = 0x02
	shortValue     = 0x03

	has64    = 0x04 // a packed integer follows the descriptor
	hasFlags = 0x08 // a second descriptor byte follows

	cellAddrDeleted   = 0 << 4
	cellAddrInternal  = 1 << 4
	cellAddrLeaf      = 2 << 4
	cellAddrLeafNo    = 3 << 4
	cellDeleted       = 4 << 4
	cellKey           = 5 << 4
	cellKeyOverflow   = 6 << 4
	cellKeyPrefix     = 7 << 4
	cellValue         = 8 << 4
	cellValueCopy     = 9 << 4
	cellValueOverflow = 10 << 4

	// sizeAdjust is what long cells without a window store less than their size.
	sizeAdjust = 64
)

// cell is one cell of a page.
type cell struct {
	kind     uint8 // one of the cell constants, for short cells cellKey or cellValue
	prefix   int   // bytes shared with the key before
	windowed bool  // carries a time window
	header   int   // bytes before data
	data     []byte
}

func (c cell) isKey() bool {
	return c.kind == cellKey || c.kind == cellKeyPrefix || c.kind == cellKeyOverflow
}

func (c cell) isAddress() bool { return c.kind <= cellAddrLeafNo }

func (c cell) isOverflow() bool { return c.kind == cellKeyOverflow || c.kind == cellValueOverflow }

// nextCell takes one cell off p (src/include/cell_inline.h,
// __wt_cell_unpack_safe). fastDelete is the page's flag of that name.
func nextCell(p []byte, fastDelete bool) (c cell, rest []byte, err error) {
	if len(p) == 0 {
		return c, nil, errTruncated
	}
	first, start := p[0], len(p)
	p = p[1:]
	size := uint64(first >> 2)
	switch first & 3 {
	case shortKey:
		c.kind = cellKey
	case shortKeyPrefix:
		c.kind = cellKeyPrefix
	case shortValue:
		c.kind = cellValue
	default:
		c.kind = first & 0xf0
	}
	if c.kind == cellKeyPrefix {
		if len(p) == 0 {
			return c, nil, errTruncated
		}
		c.prefix, p = int(p[0]), p[1:]
	}
	if first&3 == 0 {
		if size, p, err = longCell(&c, first, p, fastDelete); err != nil {
			return c, nil, fmt.Errorf("cell %#02x: %w", first, err)
		}
	}
	if size > uint64(len(p)) {
		return c, nil, errTruncated
	}
	c.header, c.data = start-len(p), p[:size]
	return c, p[size:], nil
}

// longCell reads what lies between the descriptor and the data.
func longCell(c *cell, first byte, p []byte, fastDelete bool) (size uint64, rest []byte, err error) {
	fields := 0
	if first&hasFlags != 0 {
		if len(p) == 0 {
			return 0, nil, errTruncated
		}
		c.windowed = true
		fields = bits.OnesCount8(p[0] & 0x7e) // timestamps and transaction ids, without the prepared bit
		p = p[1:]
	}
	if c.kind == cellAddrDeleted && fastDelete {
		fields += 3
	}
	if first&has64 != 0 {
		fields++
	}
	if _, p, err = unpackAll(p, fields); err != nil {
		return 0, nil, err
	}
	if c.kind == cellDeleted {
		return 0, p, nil
	}
	if size, p, err = unpack(p); err != nil {
		return 0, nil, err
	}
	switch {
	case c.kind == cellValueCopy: // an offset back, no data
		size = 0
	case c.kind == cellKey, c.kind == cellKeyPrefix, c.kind == cellValue && first&(has64|hasFlags) == 0:
		size += sizeAdjust
	}
	return size, p, nil
}
