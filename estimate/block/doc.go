// Package block turns page images into the blocks of a file: whether the
// compressed form is kept, how far it is rounded up, where it is placed, and
// what the file holds besides pages.
//
//	image ──► compress everything after 64 bytes ──► keep or drop ──► round up to 4 KiB
//
//	file = description block | leaf blocks | internal blocks, root last |
//	       allocated-extent list | available-extent list
//
// The two lists are what the first checkpoint of a file writes; extent lists
// without entries are not written, but the available list of the live file
// always is, since it carries the checkpoint's own description.
// WiredTiger: src/block/block_ckpt.c, __ckpt_update; src/block/block_ext.c,
// __wti_block_extlist_write.
package block
