// Package reconcile packs records into page images the way WiredTiger's
// reconciliation does: where one image ends and the next begins, how the limit
// moves with the compression ratio, how many records one reconciliation sees,
// and how pages are pointed to by internal pages up to the root.
//
//  1. A Pager encodes documents as cells and hands over one in-memory page at a
//     time: what the engine holds in its cache before it writes.
//  2. A Cutter, given the split sizes in force, cuts a page's records into
//     chunks. Chunks are ranges of the encoded cells, nothing is copied: the
//     same bytes serve every compressor.
//  3. Feedback moves the limit for later reconciliations after each written chunk.
//  4. A Tree takes the address of every leaf block and builds internal pages.
//
// Compressing and placing chunks is package block's work; the compressed size
// comes back as a plain number.
package reconcile
