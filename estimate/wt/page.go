package wt

// Sizes of a page image's parts, in bytes.
const (
	// PageHeader is WT_PAGE_HEADER_SIZE, src/include/btmem.h.
	PageHeader = 28
	// BlockHeader is WT_BLOCK_HEADER_SIZE, src/include/block.h.
	BlockHeader = 12
	// HeaderBytes is where the first cell starts: WT_BLOCK_HEADER_BYTE_SIZE.
	HeaderBytes = PageHeader + BlockHeader
	// CompressSkip bytes at the start of an image are stored as they are:
	// WT_BLOCK_COMPRESS_SKIP, src/include/block.h.
	CompressSkip = 64
	// MinInternalCells is the fewest cells of an internal page before it splits,
	// two for each child: WT_PAGE_INTL_MINIMUM_ENTRIES, src/reconcile/rec_write.c,
	// compared with a count that __wti_rec_image_copy raises once a cell.
	MinInternalCells = 20
	// FeedbackMinPage is the smallest page maximum for which the page size
	// follows the compression ratio: src/btree/bt_handle.c, __btree_page_sizes.
	FeedbackMinPage = 16 << 10
)

// Both headers lie within the bytes that are never compressed.
const _ = uint(CompressSkip - HeaderBytes)

// Align rounds n up to a multiple of unit.
func Align(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// FeedbackStep is by how much the pre-compression size moves after one block:
// 10 % of the page maximum. WiredTiger: src/reconcile/rec_write.c,
// __rec_compression_adjust.
func FeedbackStep(pageMax int64) int64 { return pageMax / 10 }
