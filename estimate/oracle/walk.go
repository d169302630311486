package oracle

import "fmt"

// Block is one page of the tree and its place in the file.
type Block struct {
	Address
	Type  PageType
	Depth int // of the page below the root, 0 for the root
	// ImageBytes is the page's size in memory as written, UsedBytes what is
	// stored of it before rounding up to Size.
	ImageBytes, UsedBytes int64
	Compressed            bool
	// WriteGen numbers the pages of the file in the order they were written.
	WriteGen uint64
	// Cells on the page, by what they are. Keys are records on a leaf and
	// children on an internal page.
	Cells, Keys, Windows, Overflows int
	// KeyBytes and ValueBytes are data without descriptors; SharedBytes are
	// those that prefix compression left out of keys.
	KeyBytes, ValueBytes, SharedBytes int64
	// FirstKey is the first key, as stored; FirstRecordID the same unpacked, when
	// the table's keys are RecordIds, otherwise 0.
	FirstKey      []byte
	FirstRecordID int64
}

// maxDepth bounds the walk: no real tree is deeper.
const maxDepth = 32

// Blocks returns every block of the checkpoint's tree: each internal page before
// the pages under it, leaves in key order, overflow items after the page that
// refers to them.
func (b *File) Blocks() ([]Block, error) {
	if b.Checkpoint.Root.Size == 0 {
		return nil, nil
	}
	w := walk{file: b, seen: map[int64]bool{}}
	err := w.page(b.Checkpoint.Root, 0)
	return w.blocks, err
}

// Pages counts the pages of the checkpoint's tree and the bytes their blocks
// take in the file.
type Pages struct {
	Leaf, Internal           int64
	LeafBytes, InternalBytes int64
}

// Pages counts pages from the internal pages alone: leaves are not read.
func (b *File) Pages() (Pages, error) {
	var n Pages
	if b.Checkpoint.Root.Size == 0 {
		return n, nil
	}
	w := walk{file: b, seen: map[int64]bool{}, shallow: true}
	if err := w.page(b.Checkpoint.Root, 0); err != nil {
		return n, err
	}
	for _, x := range w.blocks {
		n.Internal++
		n.InternalBytes += x.Size
	}
	n.Leaf, n.LeafBytes = w.leaves, w.leafBytes
	return n, nil
}

type walk struct {
	file              *File
	blocks            []Block
	seen              map[int64]bool
	shallow           bool // only internal pages are read, leaves counted
	leaves, leafBytes int64
}

// page lists one page and all under it.
func (w *walk) page(a Address, depth int) error {
	if w.seen[a.Offset] || depth > maxDepth {
		return fmt.Errorf("%s at offset %d: block is referred to twice", w.file.f.Name(), a.Offset)
	}
	w.seen[a.Offset] = true
	image, h, used, err := w.file.image(a)
	if err != nil {
		return err
	}
	block := Block{
		Address: a, Type: h.kind, Depth: depth, ImageBytes: h.imageBytes, UsedBytes: used,
		Compressed: h.flags&flagCompressed != 0, WriteGen: h.writeGen, Cells: int(h.entries),
	}
	var children []Address
	if h.kind != Overflow {
		if children, err = w.cells(&block, image[headerBytes:], h); err != nil {
			return fmt.Errorf("%s at offset %d: %w", w.file.f.Name(), a.Offset, err)
		}
	}
	w.blocks = append(w.blocks, block)
	for _, child := range children {
		if err := w.page(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// cells counts what is on a page and returns the blocks it refers to.
func (w *walk) cells(block *Block, p []byte, h header) (children []Address, err error) {
	for range h.entries {
		var c cell
		if c, p, err = nextCell(p, h.flags&flagFastDelete != 0); err != nil {
			return nil, err
		}
		block.count(c)
		if !c.isOverflow() && (!c.isAddress() || c.kind == cellAddrDeleted) {
			continue
		}
		child, _, err := parseAddress(c.data, w.file.unit)
		if err != nil {
			return nil, err
		}
		if w.shallow && c.kind != cellAddrInternal {
			w.countLeaf(c, child)
			continue
		}
		children = append(children, child)
	}
	if len(p) > 0 {
		return nil, fmt.Errorf("%d bytes after the last cell", len(p))
	}
	return children, nil
}

// count adds a cell to the block's figures.
func (b *Block) count(c cell) {
	if c.isKey() {
		if b.Keys == 0 && c.kind != cellKeyOverflow {
			b.FirstKey = append([]byte{}, c.data...)
			if v, rest, err := unpack(c.data); err == nil && len(rest) == 0 {
				b.FirstRecordID = int64(v)
			}
		}
		b.Keys++
		b.KeyBytes += int64(len(c.data))
		b.SharedBytes += int64(c.prefix)
	} else {
		b.ValueBytes += int64(len(c.data))
	}
	if c.windowed {
		b.Windows++
	}
	if c.isOverflow() {
		b.Overflows++
	}
}

func (w *walk) countLeaf(c cell, a Address) {
	if c.isAddress() {
		w.leaves++
		w.leafBytes += a.Size
	}
}
