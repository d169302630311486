package build

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/wt"
)

type extent struct{ offset, size int64 }

// number reads a packed unsigned integer: WiredTiger,
// src/include/intpack_inline.h.
func number(b []byte) (int64, []byte) {
	switch {
	case b[0] < 0xc0:
		return int64(b[0] - 0x80), b[1:]
	case b[0] < 0xe0:
		return int64(b[0]-0xc0)<<8 + int64(b[1]) + 64, b[2:]
	}
	n := int(b[0] - 0xe0)
	var wide [8]byte
	copy(wide[8-n:], b[1:1+n])
	return int64(binary.BigEndian.Uint64(wide[:])) + 8256, b[1+n:]
}

// children reads the extents that the address cells of an internal page point to.
func children(t *testing.T, cells []byte, alloc int64) (out []extent) {
	t.Helper()
	for len(cells) > 0 {
		cells = cells[wt.KeyCellLen(0, len(wt.LeafKey(cells))):]
		if cells[0]&0x08 == 0 || cells[1] != 0 {
			t.Fatalf("an address cell starts with %x", cells[:2])
		}
		n, rest := number(cells[2:])
		cookie := rest[:n]
		cells = rest[n:]
		var e extent
		e.offset, cookie = number(cookie)
		e.size, _ = number(cookie)
		out = append(out, extent{(e.offset + 1) * alloc, e.size * alloc})
	}
	return out
}

// All blocks that internal pages point to, and the root, tile the file between
// its description and its extent lists: none overlaps, none is lost.
func TestExtents(t *testing.T) {
	for _, name := range []string{"none", "snappy", "zstd:1"} {
		cfg := testConfig(t, name)
		cfg.Overlaps = []float64{3}
		var err error
		// Small pages, or the root would hold all leaves.
		if cfg.Table, err = cfg.Table.With("leaf_page_max=16KB,memory_page_image_max=20KB"); err != nil {
			t.Fatal(err)
		}
		alloc := cfg.Table.AllocationSize
		tb := New(cfg, newTestPool(t, 2))
		feed(t, tb, shape(t, "orders", 6, 6<<20), nothing)
		for len(tb.dirty) > 0 {
			if err := tb.writeOldest(false); err != nil {
				t.Fatal(err)
			}
		}
		var found []extent
		var root int64
		f, err := tb.runs[0].finish(func(images [][]byte) ([]block.Block, error) {
			for _, cells := range images {
				found = append(found, children(t, cells, alloc)...)
			}
			blocks, err := tb.compress(images)
			if err == nil {
				root = blocks[len(blocks)-1].Disk
			}
			return blocks, err
		})
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, extent{f.Size - 2*alloc - root, root})
		slices.SortFunc(found, func(a, b extent) int { return int(a.offset - b.offset) })
		at := alloc
		for _, e := range found {
			if e.offset != at || e.size <= 0 {
				t.Fatalf("%s: a block of %d bytes at %d, want one at %d", name, e.size, e.offset, at)
			}
			at += e.size
		}
		if at != f.Size-2*alloc || int64(len(found)) != f.LeafPages+f.InternalPages {
			t.Errorf("%s: %d blocks end at %d; want %d to %d", name, len(found), at, f.LeafPages+f.InternalPages, f.Size-2*alloc)
		}
		if f.InternalPages < 2 {
			t.Errorf("%s: %d internal pages show little", name, f.InternalPages)
		}
	}
}
