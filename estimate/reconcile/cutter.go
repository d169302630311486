package reconcile

import "github.com/wtsize/wtsize/estimate/wt"

// A Chunk is one page image: a range of a page's records.
type Chunk struct {
	First, Records int
	Bytes          int64 // image size, headers included
	Last           bool  // the final chunk of its reconciliation
}

// A Cutter cuts one page's records into chunks. It holds two of them, so that
// a small last one can be merged with, or topped up from, the one before; Emit
// is called in the order in which the engine writes.
//
// WiredTiger: src/reconcile/rec_write.c, __wti_rec_split_init,
// __wti_rec_split_crossing_bnd, __wti_rec_split, __wti_rec_split_finish.
type Cutter struct {
	Split      wt.Split
	Alloc      int64 // allocation unit
	MinRecords int   // never split below: half of wt.MinInternalCells for internal pages, else 0
	Bulk       bool  // a bulk load writes each chunk at once and never looks back
	Emit       func(Chunk)

	cur, prev   chunk
	hasPrev     bool
	avail       int64 // bytes left before the split size, or in the grown buffer
	minAvail    int64 // bytes left before the minimum split size
	initialized bool
}

// chunk is a Chunk being filled. The boundary is where it may later be cut:
// the first record that crossed the minimum split size.
type chunk struct {
	first, records int
	bytes          int64
	boundary       bool
	boundRecords   int
	boundBytes     int64
}

// WouldSplit reports whether Add(n) would start a new chunk or note a
// boundary: the moment when the engine rewrites a prefix-compressed key whole.
func (c *Cutter) WouldSplit(n int64) bool {
	c.init()
	if c.Bulk {
		return n > c.avail
	}
	return c.crossesMin(n) || n > c.avail
}

func (c *Cutter) crossesMin(n int64) bool { return !c.cur.boundary && n > c.minAvail }

// Add places the next record, n bytes of cells.
func (c *Cutter) Add(n int64) {
	if c.WouldSplit(n) {
		c.crossing(n)
	}
	c.cur.records++
	c.cur.bytes += n
	c.avail -= n
	if !c.cur.boundary {
		c.minAvail = max(0, c.minAvail-n)
	}
}

func (c *Cutter) init() {
	if !c.initialized {
		c.initialized = true
		c.cur.bytes = wt.HeaderBytes
		c.resetAvail()
	}
}

func (c *Cutter) resetAvail() {
	c.avail = c.Split.Size - wt.HeaderBytes
	c.minAvail = c.Split.Min - wt.HeaderBytes
}

func (c *Cutter) crossing(n int64) {
	if !c.Bulk && n <= c.avail {
		// Only the minimum is crossed; a first record cannot be cut before.
		if c.cur.records > 0 {
			c.cur.boundary = true
			c.cur.boundRecords, c.cur.boundBytes = c.cur.records, c.cur.bytes
		}
		return
	}
	if c.cur.bytes >= c.Split.Size/2 && c.cur.records >= c.MinRecords {
		c.next()
	}
	if c.avail < n {
		c.grow(n)
	}
}

// next finishes the current chunk and starts another.
func (c *Cutter) next() {
	if c.Bulk {
		c.emit(c.cur, false)
	} else {
		if c.hasPrev {
			c.emit(c.prev, false)
		}
		c.prev, c.hasPrev = c.cur, true
	}
	c.cur = chunk{first: c.cur.first + c.cur.records, bytes: wt.HeaderBytes}
	c.resetAvail()
}

// grow makes room for one record larger than what is left; the space up to the
// next allocation unit stays usable. WiredTiger: __wti_rec_split_grow and
// src/block/block_write.c, __wt_block_write_size, which counts the headers again.
func (c *Cutter) grow(n int64) {
	c.avail = wt.Align(c.cur.bytes+n+wt.HeaderBytes, c.Alloc) - c.cur.bytes
}

func (c *Cutter) emit(k chunk, last bool) {
	c.Emit(Chunk{First: k.first, Records: k.records, Bytes: k.bytes, Last: last})
}

// Finish writes what is left: __rec_split_finish_process_prev. The Cutter can
// then be used for the next page.
func (c *Cutter) Finish() {
	cur, prev := c.cur, c.prev
	defer func() {
		*c = Cutter{Split: c.Split, Alloc: c.Alloc, MinRecords: c.MinRecords, Bulk: c.Bulk, Emit: c.Emit}
	}()
	if cur.records == 0 {
		return
	}
	if c.hasPrev {
		if sum := prev.bytes + cur.bytes - wt.HeaderBytes; sum <= c.Split.Page {
			c.emit(chunk{first: prev.first, records: prev.records + cur.records, bytes: sum}, true)
			return
		}
		if prev.boundary && cur.bytes < c.Split.Min {
			cur.first -= prev.records - prev.boundRecords
			cur.records += prev.records - prev.boundRecords
			cur.bytes += prev.bytes - prev.boundBytes
			prev.records, prev.bytes = prev.boundRecords, prev.boundBytes
		}
		c.emit(prev, false)
	}
	c.emit(cur, true)
}
