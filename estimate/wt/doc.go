// Package wt holds facts of WiredTiger's on-disk and in-memory format: packed
// integers, cells, page and block headers, table settings, and what a record
// costs in the cache. Each fact stands once and cites the C file and symbol it
// was read from, in WiredTiger 12.0.0 development (a1e9823f8c, June 2025) unless
// another release is named.
//
// A row-store leaf page image, as reconciliation builds it and before the block
// manager compresses it:
//
//	offset  bytes
//	     0     28  page header    WT_PAGE_HEADER   recno, write_gen, mem_size, entries, type, flags
//	    28     12  block header   WT_BLOCK_HEADER  disk_size, checksum, flags
//	    40      …  cells          key cell, value cell, key cell, value cell, …
//
// The first 64 bytes of an image are never compressed (CompressSkip), so both
// headers and 24 bytes of cells stay as they are; this is also why their exact
// content does not matter for the size of a compressed block.
//
// A collection's record is a key cell holding the packed RecordId and a value
// cell holding the BSON document:
//
//	key cell    1 descriptor byte (length << 2 | 1), packed RecordId
//	value cell  1 descriptor byte (length << 2 | 3) for up to 63 bytes, else
//	            1 descriptor byte 0x80, vpack(length - 64)
//	            with a time window: descriptor 0x8c, flags, vpack fields, vpack(0), vpack(length)
//
// Package wt imports nothing of this project.
package wt
