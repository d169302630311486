package block

import (
	"hash/crc32"

	"github.com/wtsize/wtsize/estimate/wt"
)

// A Compressor returns the length of what it would store for src, 0 where the
// source is stored as it is. codec.Codec satisfies it.
type Compressor interface {
	Compress(src []byte) (int, error)
}

// Rule says when a compressed image is kept.
type Rule struct {
	// SaveUnit: it must also save at least one allocation unit, so an image
	// that fits one is not even tried. WiredTiger: src/block_cache/block_io.c,
	// __wt_blkcache_write, before WT-14598.
	SaveUnit bool
}

// A Block is the place of one page image on disk. Sizes in bytes.
type Block struct {
	Image    int64  // uncompressed
	Stored   int64  // compressed, before rounding; 0 where compression was dropped
	Disk     int64  // a multiple of the allocation unit
	Checksum uint32 // stands for the block's checksum: only the length of its packed form matters
}

// smallest is the image size below which nothing is compressed.
// WiredTiger: src/block_cache/block_io.c, __wt_blkcache_write.
const smallest = 2 * wt.CompressSkip

// Write gives the block of a page whose cells are given: the image is the
// headers and the cells. A nil c stores images as they are.
func Write(c Compressor, rule Rule, alloc int64, cells []byte) (Block, error) {
	b := Block{Image: wt.HeaderBytes + int64(len(cells)), Checksum: checksum(cells)}
	if c != nil && b.Image >= smallest {
		n, err := c.Compress(cells[wt.CompressSkip-wt.HeaderBytes:])
		if err != nil {
			return Block{}, err
		}
		if n != 0 {
			stored := int64(n) + wt.CompressSkip
			if !rule.SaveUnit || b.Image > alloc && b.Image/alloc > stored/alloc {
				b.Stored = stored
			}
		}
	}
	b.Disk = wt.Align(b.Content(), alloc)
	return b, nil
}

// Content is what the block holds before rounding.
func (b Block) Content() int64 {
	if b.Stored != 0 {
		return b.Stored
	}
	return b.Image
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum spares reading a large image twice: a part of it is as good a draw.
func checksum(cells []byte) uint32 {
	return crc32.Checksum(cells[:min(len(cells), 4096)], castagnoli)
}
