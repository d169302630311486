package oracle

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"
)

// Layout of a block (src/include/btmem.h, WT_PAGE_HEADER; block.h,
// WT_BLOCK_HEADER), all little-endian:
//
//	 0  8  first record number (column stores)
//	 8  8  write generation
//	16  4  bytes of the page in memory
//	20  4  cells, or bytes of an overflow item or extent list
//	24  1  page type
//	25  1  flags
//	27  1  version
//	28  4  bytes of the block on disk
//	32  4  CRC-32C
//	36  1  flags
//	40     cells
const (
	headerBytes = 40
	// plainBytes at the head of every image are never compressed
	// (src/include/block.h, WT_BLOCK_COMPRESS_SKIP).
	plainBytes = 64

	flagCompressed = 0x01 // of the page
	flagEncrypted  = 0x08
	flagEmptyAll   = 0x02 // every value is empty and has no cell
	flagFastDelete = 0x20 // deleted-address cells hold more
	flagChecksum   = 0x01 // of the block: all of it is in the checksum

	maxImage = 128 << 20
)

// PageType is what a block holds (src/include/btmem.h, WT_PAGE_xxx).
type PageType uint8

// The page types of a row store and of its block manager.
const (
	ExtentList  PageType = 1
	Overflow    PageType = 5
	RowInternal PageType = 6
	RowLeaf     PageType = 7
)

func (t PageType) String() string {
	switch t {
	case ExtentList:
		return "extents"
	case Overflow:
		return "overflow"
	case RowInternal:
		return "internal"
	case RowLeaf:
		return "leaf"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// header is a block's page header and block header.
type header struct {
	writeGen         uint64
	imageBytes       int64
	entries          uint32
	kind             PageType
	flags            uint8
	diskBytes        int64
	checksum         uint32
	checksumAllBytes bool
}

func parseHeader(b []byte) (header, error) {
	if len(b) < headerBytes {
		return header{}, errTruncated
	}
	u32 := binary.LittleEndian.Uint32
	h := header{
		writeGen:         binary.LittleEndian.Uint64(b[8:]),
		imageBytes:       int64(u32(b[16:])),
		entries:          u32(b[20:]),
		kind:             PageType(b[24]),
		flags:            b[25],
		diskBytes:        int64(u32(b[28:])),
		checksum:         u32(b[32:]),
		checksumAllBytes: b[36]&flagChecksum != 0,
	}
	if h.flags&flagEncrypted != 0 {
		return h, errors.New("page is encrypted")
	}
	if h.imageBytes < headerBytes || h.imageBytes > maxImage {
		return h, fmt.Errorf("page of %d bytes", h.imageBytes)
	}
	return h, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is that of a block with the field itself taken as zero; of its head
// only when the rest is compressed and checked by the codec.
func checksum(b []byte, all bool) uint32 {
	if !all && len(b) > plainBytes {
		b = b[:plainBytes]
	}
	var zero [4]byte
	sum := crc32.Update(0, castagnoli, b[:32])
	sum = crc32.Update(sum, castagnoli, zero[:])
	return crc32.Update(sum, castagnoli, b[36:])
}

// decode returns the page image of a block and how many of the block's bytes it
// takes before rounding.
func decode(b []byte, h header, codec string) (image []byte, used int64, err error) {
	if h.flags&flagCompressed == 0 {
		if h.imageBytes > int64(len(b)) {
			return nil, 0, errTruncated
		}
		return b[:h.imageBytes], h.imageBytes, nil
	}
	if h.imageBytes < plainBytes || len(b) < plainBytes {
		return nil, 0, errTruncated
	}
	rest, used, err := decompress(codec, b[plainBytes:], int(h.imageBytes-plainBytes))
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", codec, err)
	}
	return append(bytes.Clone(b[:plainBytes]), rest...), plainBytes + used, nil
}

// decompress undoes one compressor: exactly n bytes must come out.
func decompress(codec string, p []byte, n int) (out []byte, used int64, err error) {
	if codec == "zlib" {
		return inflate(p, n)
	}
	const prefix = 8
	if len(p) < prefix {
		return nil, 0, errTruncated
	}
	size := binary.LittleEndian.Uint64(p)
	if size > uint64(len(p)-prefix) {
		return nil, 0, errTruncated
	}
	used, p = int64(prefix+size), p[prefix:prefix+size]
	switch codec {
	case "snappy":
		m, err := snappy.DecodedLen(p)
		if err != nil || m != n {
			return nil, 0, fmt.Errorf("%d bytes for %d (%v)", m, n, err)
		}
		out, err = snappy.Decode(make([]byte, n), p)
		return out, used, err
	case "zstd":
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxImage))
		if err != nil {
			return nil, 0, err
		}
		defer d.Close()
		out, err = d.DecodeAll(p, make([]byte, 0, n))
		if err == nil && len(out) != n {
			err = fmt.Errorf("%d bytes for %d", len(out), n)
		}
		return out, used, err
	}
	return nil, 0, errors.New("unknown compressor")
}

func inflate(p []byte, n int) (out []byte, used int64, err error) {
	r := bytes.NewReader(p)
	z, err := zlib.NewReader(r)
	if err != nil {
		return nil, 0, err
	}
	out = make([]byte, n)
	if _, err := io.ReadFull(z, out); err != nil {
		return nil, 0, err
	}
	// The end of the stream: its checksum is read, and nothing beyond it.
	if m, err := io.Copy(io.Discard, z); err != nil || m != 0 {
		return nil, 0, fmt.Errorf("%d bytes more than expected (%v)", m, err)
	}
	return out, int64(len(p) - r.Len()), nil
}
