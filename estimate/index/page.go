package index

import (
	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// Descriptors of cells that hold a block's address in place of an item.
// WiredTiger: src/include/cell.h, WT_CELL_KEY_OVFL and WT_CELL_VALUE_OVFL.
const (
	cellKeyOverflow   = 6 << 4
	cellValueOverflow = 10 << 4
)

// appendOverflowCell appends the address of an item's block.
// WiredTiger: src/include/cell_inline.h, __wt_cell_pack_ovfl.
func appendOverflowCell(dst []byte, kind byte, cookie []byte) []byte {
	dst = wt.AppendVpack(append(dst, kind), uint64(len(cookie)))
	return append(dst, cookie...)
}

// page writes the page at hand; the cutter calls it before the entry that
// starts the next one is placed.
func (b *Builder) page(c reconcile.Chunk) {
	kind := wt.ChildLeaf
	if b.overflowed {
		kind = wt.ChildLeafOverflow
	}
	cookie, disk := b.write(b.cells)
	b.tree.Leaf(reconcile.Child{Key: b.sep, Kind: kind, Cookie: cookie})
	b.out.LeafImages += c.Bytes
	b.out.LeafDisk += disk
	b.out.Separators += int64(len(b.sep))
	b.out.LastImage, b.out.LastDisk = c.Bytes, disk
	b.cells = b.cells[:0]
	b.sep = append(b.sep[:0], b.next...)
}

// write places a block and gives its address and its size on disk.
func (b *Builder) write(cells []byte) (cookie []byte, disk int64) {
	alloc := b.cfg.Table.AllocationSize
	k, err := block.Write(b.cfg.Codec, block.Rule{SaveUnit: b.cfg.Release.SavesUnit()}, alloc, cells)
	if err != nil && b.err == nil {
		b.err = err
	}
	return wt.AppendCookie(nil, b.file.Append(k.Disk), k.Disk, alloc, k.Checksum), k.Disk
}

// Finish writes the last page, the internal pages and the checkpoint. The
// builder is done with then.
func (b *Builder) Finish() (File, error) {
	b.cutter.Finish()
	pages, err := b.tree.Build(func(cells []byte) ([]byte, error) {
		cookie, disk := b.write(cells)
		b.out.InternalDisk += disk
		return cookie, b.err
	})
	if err == nil {
		err = b.err
	}
	if err != nil {
		return File{}, err
	}
	if pages > 0 {
		b.file.Checkpoint()
	}
	b.out.Size = b.file.Size()
	b.out.LeafPages, b.out.InternalPages = b.tree.Leaves(), pages
	return b.out, nil
}
