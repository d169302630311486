package wt

// What records occupy in the cache before they are written decides how many
// of them one reconciliation packs. All sizes in bytes, for 64-bit builds.
const (
	updateAlign     = 32 // WT_UPDATE_MEMSIZE, src/include/btmem.h
	insertBytes     = 16 // sizeof(WT_INSERT), src/include/btmem.h
	pointerBytes    = 8
	insertHeadBytes = 160 // sizeof(WT_INSERT_HEAD): 2 × WT_SKIP_MAXDEPTH pointers
	skipMaxDepth    = 10  // WT_SKIP_MAXDEPTH, src/include/misc.h

	// ReadRecordBytes is what a record of a page that was read takes beside the
	// page's image: a WT_ROW and a slot for an insert list.
	// WiredTiger: src/btree/bt_page.c, __wt_page_alloc; src/btree/row_modify.c,
	// __wt_row_modify.
	ReadRecordBytes = 2 * pointerBytes

	// MinInsertSplit is the fewest records of a page that is split in memory:
	// WT_MAX_SPLIT_COUNT, src/include/btree_inline.h, __wt_leaf_page_can_split.
	MinInsertSplit = 5
)

// EmptyPageBytes is the footprint in release r of a leaf page with an insert list
// but no record. WiredTiger: src/btree/bt_page.c, __wt_page_alloc;
// src/btree/row_modify.c, __wt_page_modify_alloc and __wt_row_modify.
func (r Release) EmptyPageBytes() int64 {
	size := pageStructs[0]
	for _, p := range pageStructs {
		if !r.before(p.major, p.minor, p.patch) {
			size = p
		}
	}
	return size.page + size.modify + pointerBytes + insertHeadBytes
}

// pageStructs are sizeof(WT_PAGE) and sizeof(WT_PAGE_MODIFY) of src/include/btmem.h
// from a release on, as a compiler lays them out for x86-64: tag 3.2.1, whose fields
// changed within a month of MongoDB 4.2.0; the branches mongodb-4.2 to -8.1; and
// mongodb-master with WT-14598, see beforeDisaggregated.
var pageStructs = []struct {
	major, minor, patch int
	page, modify        int64
}{
	{4, 2, 0, 80, 312}, {4, 2, 1, 80, 296}, {4, 4, 0, 96, 272},
	{5, 0, 0, 96, 280}, {5, 1, 0, 88, 272}, {5, 2, 0, 96, 272},
	{6, 0, 0, 96, 280}, {6, 1, 0, 96, 288}, {6, 2, 0, 96, 304},
	{7, 0, 0, 96, 296}, {7, 1, 0, 88, 288}, {7, 3, 0, 88, 296},
	{8, 2, 0, 168, 296},
}

// RecordFootprint is what one inserted record adds to its page in release r: the
// insert list entry with its key and depth links, and the update with the value.
// WiredTiger: src/btree/row_modify.c, __row_insert_alloc and __wt_upd_alloc.
func (r Release) RecordFootprint(key, value, depth int) int64 {
	return insertBytes + int64(depth)*pointerBytes + int64(key) + Align(r.UpdateBytes()+int64(value), updateAlign)
}

// SkipList draws the depths of a session's skip-list entries. Every session
// starts from the same fixed seed, so a load's depths are reproducible.
// WiredTiger: src/support/rand.c, __wt_random and DEFAULT_SEED_*;
// src/include/btree_inline.h, __wt_skip_choose_depth.
type SkipList struct{ w, z uint32 }

// NewSkipList returns a session's generator.
func NewSkipList() SkipList { return SkipList{521288629, 362436069} }

// Depth draws the next entry's depth, 1 to 10, geometric with p = 1/4.
func (s *SkipList) Depth() int {
	depth := 1
	for depth < skipMaxDepth && s.next() < ^uint32(0)>>2 {
		depth++
	}
	return depth
}

func (s *SkipList) next() uint32 {
	s.w = 18000*(s.w&65535) + s.w>>16
	s.z = 36969*(s.z&65535) + s.z>>16
	return s.z<<16 + s.w&65535
}
