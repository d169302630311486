package wt

// Split holds the sizes at which reconciliation cuts a page image.
//
// Both are derived from the page maximum: Size is split_pct of it and Min is
// 50 % of it, each rounded to the nearest allocation unit so that no block
// wastes space when written. Where that rounding yields zero or the whole page
// maximum, the unrounded percentage is used instead, so a 16 KiB index page at
// 90 % splits at 14,745 bytes, which is not a multiple of 4 KiB.
//
// WiredTiger: src/reconcile/rec_write.c, __wt_split_page_size.
type Split struct {
	Page int64 // the page maximum; the last two chunks merge if they fit in it
	Size int64 // header included
	Min  int64 // the last chunk is topped up to this if it ends smaller
}

// NewSplit gives the split sizes of t for pages of at most page bytes.
func (t Table) NewSplit(page int64) Split {
	return Split{
		Page: page,
		Size: splitSize(t.SplitPct, page, t.AllocationSize),
		Min:  splitSize(minSplitPct, page, t.AllocationSize),
	}
}

// minSplitPct is WT_BTREE_MIN_SPLIT_PCT, src/include/btree.h.
const minSplitPct = 50

func splitSize(pct, page, alloc int64) int64 {
	raw := page * pct / 100
	size := (raw + alloc/2) / alloc * alloc
	if size == 0 || size == page {
		return raw
	}
	return size
}
