package oracle

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// codecPrefix is before the names under which the oracle registers compressors.
const codecPrefix = "oracle_"

// File is a table's block file, open for reading. Its methods return errors that
// name the file and the offset.
type File struct {
	f     *os.File
	size  int64
	unit  int64  // allocation unit
	codec string // "": none

	Checkpoint Checkpoint
}

// OpenFile opens the block file at path. metadata is its configuration string in
// the engine's metadata, which holds the checkpoint, the allocation unit and the
// compressor: Result.Metadata has it.
func OpenFile(path, metadata string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b := &File{f: f}
	if err := b.init(metadata); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return b, nil
}

func (b *File) init(metadata string) error {
	info, err := b.f.Stat()
	if err != nil {
		return err
	}
	b.size = info.Size()
	b.codec = strings.TrimPrefix(setting(metadata, "block_compressor"), codecPrefix)
	if b.unit, err = parseBytes(setting(metadata, "allocation_size")); err != nil {
		return err
	}
	if b.unit < 512 || b.unit > maxImage {
		return fmt.Errorf("allocation size of %d bytes", b.unit)
	}
	cookie, err := lastCheckpoint(metadata)
	if err != nil || len(cookie) == 0 {
		return err
	}
	b.Checkpoint, err = parseCheckpoint(cookie, b.unit)
	return err
}

// Close closes the file.
func (b *File) Close() error { return b.f.Close() }

// read returns a block's bytes and header; the checksum has been verified.
func (b *File) read(a Address) ([]byte, header, error) {
	fail := func(err error) ([]byte, header, error) {
		return nil, header{}, fmt.Errorf("%s at offset %d: %w", b.f.Name(), a.Offset, err)
	}
	if a.Size < headerBytes || a.Size > maxImage || a.Offset > b.size-a.Size {
		return fail(fmt.Errorf("block of %d bytes in a file of %d", a.Size, b.size))
	}
	p := make([]byte, a.Size)
	if _, err := b.f.ReadAt(p, a.Offset); err != nil {
		return fail(err)
	}
	h, err := parseHeader(p)
	if err != nil {
		return fail(err)
	}
	if h.diskBytes != a.Size || h.checksum != a.Checksum {
		return fail(errors.New("block is not the one its parent means"))
	}
	if checksum(p, h.checksumAllBytes) != h.checksum {
		return fail(errors.New("checksum mismatch"))
	}
	return p, h, nil
}

// Image returns the uncompressed page image of a block, as reconciliation built
// it: 28 bytes of page header, 12 of block header, cells.
func (b *File) Image(a Address) ([]byte, error) {
	image, _, _, err := b.image(a)
	return image, err
}

func (b *File) image(a Address) (image []byte, h header, used int64, err error) {
	p, h, err := b.read(a)
	if err != nil {
		return nil, h, 0, err
	}
	if image, used, err = decode(p, h, b.codec); err != nil {
		return nil, h, 0, fmt.Errorf("%s at offset %d: %w", b.f.Name(), a.Offset, err)
	}
	return image, h, used, nil
}

// Extent is a range of the file.
type Extent struct{ Offset, Size int64 }

// extentMagic starts an extent list (src/include/block.h, WT_BLOCK_EXTLIST_MAGIC).
const extentMagic = 71002

// Extents returns the ranges of one of the checkpoint's extent lists: Avail are
// free ranges (freeStorageSize), Discard those freed since the last checkpoint.
func (b *File) Extents(list Address) ([]Extent, error) {
	if list.Size == 0 {
		return nil, nil
	}
	p, _, err := b.read(list)
	if err != nil {
		return nil, err
	}
	p = p[headerBytes:]
	var all []Extent
	for first := true; ; first = false {
		v, rest, err := unpackAll(p, 2)
		if err == nil && first && (v[0] != extentMagic || v[1] != 0) {
			err = errors.New("no extent list")
		}
		if err != nil {
			return nil, fmt.Errorf("%s at offset %d: extent list: %w", b.f.Name(), list.Offset, err)
		}
		if p = rest; first {
			continue
		}
		if v[0] == 0 {
			return all, nil
		}
		all = append(all, Extent{int64(v[0]), int64(v[1])})
	}
}
