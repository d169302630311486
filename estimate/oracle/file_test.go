//go:build oracle

package oracle

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// openLoaded opens the block file of a load.
func openLoaded(t *testing.T, r Result) *File {
	t.Helper()
	f, err := OpenFile(r.Path, r.Metadata)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// blocksOf returns a load's blocks.
func blocksOf(t *testing.T, f *File) []Block {
	t.Helper()
	blocks, err := f.Blocks()
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// TestBlocks: the walk finds every record once, in order, and its blocks, the
// extent lists and the free extents are the file.
func TestBlocks(t *testing.T) {
	configs := []Config{{}, {Compressor: "snappy"}, {Compressor: "zlib"}, {Compressor: "zstd", Level: 1}, {Compressor: "zlib", Threads: 4, BatchRecords: 10}}
	if EngineVersion().TimeWindows() {
		configs = append(configs, Config{Compressor: "zstd", Timestamps: true})
	}
	const n = 40000 // internal pages on two levels
	for _, c := range configs {
		r, err := Load(t.TempDir(), generated(n), c)
		if err != nil {
			t.Fatal(err)
		}
		f := openLoaded(t, r)
		blocks := blocksOf(t, f)
		checkRecords(t, c, blocks, n)
		checkCoverage(t, f, r, blocks)
	}
}

// checkRecords compares the leaves with n generated documents.
func checkRecords(t *testing.T, c Config, blocks []Block, n int) {
	t.Helper()
	var size int64
	for doc := range generated(n) {
		size += int64(len(doc))
	}
	next, windows := int64(1), 0
	for _, b := range blocks {
		if b.Size-b.UsedBytes < 0 || b.Size-b.UsedBytes >= 4096 {
			t.Errorf("%+v: block at %d has %d bytes for %d", c, b.Offset, b.Size, b.UsedBytes)
		}
		if b.Type != RowLeaf {
			continue
		}
		if b.FirstRecordID != next {
			t.Fatalf("%+v: leaf at %d starts with RecordId %d, want %d", c, b.Offset, b.FirstRecordID, next)
		}
		next += int64(b.Keys)
		windows += b.Windows
		size -= b.ValueBytes
	}
	if next != int64(n)+1 || size != 0 {
		t.Errorf("%+v: %d records, %d bytes missing", c, next-1, size)
	}
	if want := map[bool]int{true: n}[c.Timestamps]; windows != want {
		t.Errorf("%+v: %d cells with a window, want %d", c, windows, want)
	}
}

// checkCoverage accounts for every byte of the file, none of them twice.
func checkCoverage(t *testing.T, f *File, r Result, blocks []Block) {
	t.Helper()
	parts := []Extent{{0, 4096}} // file descriptor
	var pages Pages
	for _, b := range blocks {
		parts = append(parts, Extent{b.Offset, b.Size})
		switch b.Type {
		case RowLeaf:
			pages.Leaf++
			pages.LeafBytes += b.Size
		case RowInternal:
			pages.Internal++
			pages.InternalBytes += b.Size
		}
	}
	if pages != r.Pages {
		t.Errorf("walk counts %+v, Pages %+v", pages, r.Pages)
	}
	lists := []Address{f.Checkpoint.Alloc, f.Checkpoint.Avail, f.Checkpoint.Discard}
	for _, list := range lists {
		if list.Size > 0 {
			parts = append(parts, Extent{list.Offset, list.Size})
		}
	}
	for _, list := range lists[1:] {
		extents, err := f.Extents(list)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range extents {
			if !slices.Contains(parts, e) { // lists can hold the blocks of lists
				parts = append(parts, e)
			}
		}
	}
	slices.SortFunc(parts, func(a, b Extent) int { return int(a.Offset - b.Offset) })
	var end int64
	for _, p := range parts {
		if p.Offset != end {
			t.Errorf("bytes %d to %d are in no block or in two", end, p.Offset)
		}
		end = p.Offset + p.Size
	}
	if end != r.FileBytes {
		t.Errorf("blocks end at %d of %d", end, r.FileBytes)
	}
}

// TestOverflowKeys: keys over a tenth of the split size have blocks of their own.
func TestOverflowKeys(t *testing.T) {
	var entries []Entry
	for i := range 50 {
		entries = append(entries, Entry{Key: []byte(strconv.Itoa(100+i) + strings.Repeat("k", 2000))})
	}
	r, err := LoadIndex(t.TempDir(), seq(entries), Config{Table: "prefix_compression=false"})
	if err != nil {
		t.Fatal(err)
	}
	f, overflow := openLoaded(t, r), 0
	for _, b := range blocksOf(t, f) {
		if b.Type == Overflow {
			overflow++
		}
	}
	if overflow < len(entries) {
		t.Errorf("%d overflow blocks for %d keys", overflow, len(entries))
	}
}

// TestImage: a page image holds the documents byte for byte.
func TestImage(t *testing.T) {
	r, err := Load(t.TempDir(), generated(1000), Config{Compressor: "zstd"})
	if err != nil {
		t.Fatal(err)
	}
	f := openLoaded(t, r)
	var all []byte
	for _, b := range blocksOf(t, f) {
		if b.Type != RowLeaf {
			continue
		}
		image, err := f.Image(b.Address)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, image...)
	}
	for doc := range generated(1000) {
		i := bytes.Index(all, doc)
		if i < 0 {
			t.Fatal("a document is on no page")
		}
		all = all[i:]
	}
}

// TestDamage: a flipped bit anywhere in a block is found, and named.
func TestDamage(t *testing.T) {
	r, err := Load(t.TempDir(), generated(5000), Config{Compressor: "snappy"})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	root := openLoaded(t, r).Checkpoint.Root.Offset
	for _, at := range []int64{root + 8, root + 20, root + 30, root + 33, root + 45, 4096 + 100} {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x10
		path := filepath.Join(t.TempDir(), "damaged.wt")
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFile(path, r.Metadata)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Blocks(); err == nil || !strings.Contains(err.Error(), "damaged.wt at offset "+strconv.FormatInt(at/4096*4096, 10)) {
			t.Errorf("bit in byte %d: %v", at, err)
		}
		f.Close()
	}
}

// TestEmpty: a table without records has no pages.
func TestEmpty(t *testing.T) {
	r, err := Load(t.TempDir(), generated(0), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Pages != (Pages{}) || len(blocksOf(t, openLoaded(t, r))) != 0 || r.Records != 0 {
		t.Errorf("%+v", r)
	}
}

// TestLoadTwice: a directory takes one load.
func TestLoadTwice(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir, generated(1), Config{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, generated(1), Config{}); err == nil {
		t.Error("no error")
	}
}

// TestSourceError: the error of the documents ends the load and is returned.
func TestSourceError(t *testing.T) {
	_, err := Load(t.TempDir(), func(yield func([]byte, error) bool) {
		if yield(stringDocument("x"), nil) {
			yield(nil, os.ErrInvalid)
		}
	}, Config{})
	if err == nil || !strings.Contains(err.Error(), os.ErrInvalid.Error()) {
		t.Error(err)
	}
}
