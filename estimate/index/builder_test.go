package index

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
)

func fileOf(t testing.TB, cfg Config, keys ...string) File {
	t.Helper()
	b := NewBuilder(cfg)
	for _, k := range keys {
		b.Add([]byte(k), nil)
	}
	f, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPrefixRule follows the count of shared bytes from key to key by hand.
func TestPrefixRule(t *testing.T) {
	older, err := wt.ParseRelease("4.4.6")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		name         string
		keys         []string
		newer, older int64
	}{
		{"first key whole", []string{"abcdefgh"}, 0, 0},
		{"shared", []string{"abcdefgh1", "abcdefgh2"}, 8, 8},
		{"three are too few", []string{"abcx", "abcy"}, 0, 0},
		{"four are enough", []string{"abcdx", "abcdy"}, 4, 4},
		// 8, then 4; then 8 again, of which the newer rule takes 4.
		{"ratchet", []string{"abcdefgh1", "abcdefgh2", "abcdxxxx1", "abcdxxxx2"}, 8 + 4 + 4, 8 + 4 + 8},
		// After 4, a gain of 10 counts: 14.
		{"large gain", []string{"abcd1", "abcd2", "abcd2efghijkl12", "abcd2efghijkl1200", "abcd2efghijkl13"},
			4 + 4 + 15 + 14, 4 + 5 + 15 + 14},
		// A key that shares nothing ends the group.
		{"new group", []string{"abcdefgh1", "abcdefgh2", "b", "bbbbbbbb1", "bbbbbbbb2"}, 8 + 0 + 0 + 8, 8 + 0 + 0 + 8},
		{"255 at most", []string{strings.Repeat("a", 300) + "1", strings.Repeat("a", 300) + "2"}, 255, 255},
	} {
		if f := fileOf(t, newest, v.keys...); f.Prefix != v.newer {
			t.Errorf("%s: %d bytes shared, want %d", v.name, f.Prefix, v.newer)
		}
		if f := fileOf(t, Config{Table: wt.Index(), Release: older}, v.keys...); f.Prefix != v.older {
			t.Errorf("%s, older rule: %d bytes shared, want %d", v.name, f.Prefix, v.older)
		}
	}
	plain, err := wt.Index().With("prefix_compression=false")
	if err != nil {
		t.Fatal(err)
	}
	if f := fileOf(t, Config{Table: plain, Release: wt.Newest()}, "abcdefgh1", "abcdefgh2"); f.Prefix != 0 {
		t.Errorf("without prefix compression: %d bytes shared", f.Prefix)
	}
}

// TestFile: description, leaf, root and two extent lists of 4 KiB each.
func TestFile(t *testing.T) {
	if f := fileOf(t, newest); f.Size != 4096 {
		t.Errorf("empty: %d", f.Size)
	}
	if f := fileOf(t, newest, "a"); f.Size != 5*4096 || f.LeafPages != 1 || f.InternalPages != 1 {
		t.Errorf("one entry: %+v", f)
	}
}

// TestOverflowKeys: a tenth of the split size, 14,745 bytes, stays on the page.
func TestOverflowKeys(t *testing.T) {
	for _, v := range []struct {
		keys   []string
		blocks int64
	}{
		{[]string{strings.Repeat("a", 1474)}, 0},
		{[]string{strings.Repeat("a", 1475)}, 1},
		{[]string{strings.Repeat("a", 1475), strings.Repeat("b", 1475)}, 2},
		// What is left after the prefix counts.
		{[]string{strings.Repeat("a", 1400), strings.Repeat("a", 1401) + "b"}, 0},
		{[]string{strings.Repeat("a", 1400), strings.Repeat("a", 1400) + strings.Repeat("b", 329)}, 0}, // 255 shared, 1,474 left
		{[]string{strings.Repeat("a", 1400), strings.Repeat("a", 1400) + strings.Repeat("b", 330)}, 1},
	} {
		f := fileOf(t, newest, v.keys...)
		if f.OverflowBlocks != v.blocks || f.OverflowDisk != v.blocks*4096 || f.Size != (5+v.blocks)*4096 {
			t.Errorf("keys of %d and more: %+v, want %d blocks", len(v.keys[0]), f, v.blocks)
		}
	}
}

// TestSplit: a leaf takes cells up to 14,745 bytes with its headers.
func TestSplit(t *testing.T) {
	// 40 bytes of headers; each key 1 + 60 bytes, unlike the one before: 241 fit.
	var keys []string
	for i := range 242 {
		keys = append(keys, fmt.Sprintf("%c%c%s", 'a'+i/20, 'a'+i%20, strings.Repeat("x", 58)))
	}
	if f := fileOf(t, newest, keys[:241]...); f.LeafPages != 1 || f.LastImage != 40+241*61 {
		t.Errorf("241 keys: %+v", f)
	}
	if f := fileOf(t, newest, keys...); f.LeafPages != 2 || f.LastImage != 40+61 {
		t.Errorf("242 keys: %+v", f)
	}
}

func TestNewConfig(t *testing.T) {
	ix, err := keystring.ParseKey("{a: 1}")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for i := range 20000 {
		keys = append(keys, fmt.Sprintf("%c%06d", 'a'+i/1000, i))
	}
	cfg, err := NewConfig(ix, wt.Newest())
	if err != nil || cfg.Codec != nil {
		t.Fatalf("%+v %v", cfg, err)
	}
	plain := fileOf(t, cfg, keys...)
	ix.ConfigString = "block_compressor=zlib,leaf_page_max=32KB"
	cfg, err = NewConfig(ix, wt.Newest())
	if err != nil || cfg.Codec == nil || cfg.Table.LeafPageMax != 32<<10 {
		t.Fatalf("%+v %v", cfg, err)
	}
	if f := fileOf(t, cfg, keys...); f.Size >= plain.Size {
		t.Errorf("compressed %d, plain %d", f.Size, plain.Size)
	}
	for _, bad := range []string{"block_compressor=lzo", "leaf_page_max=(", "allocation_size=3"} {
		ix.ConfigString = bad
		if _, err := NewConfig(ix, wt.Newest()); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// TestSeparators: what internal pages keep of a key is its shortest start that
// sorts behind the page before.
func TestSeparators(t *testing.T) {
	var keys []string
	for i := range 600 {
		keys = append(keys, fmt.Sprintf("%c%c%s", 'a'+i/24, 'a'+i%24, strings.Repeat("x", 58)))
	}
	// Three leaves; the first has no separator, the others 2 bytes at most.
	if f := fileOf(t, newest, keys...); f.LeafPages != 3 || f.Separators > 4 {
		t.Errorf("%+v", f)
	}
}

// FuzzBuilder: whatever the entries, a file of whole units that holds them all.
func FuzzBuilder(f *testing.F) {
	f.Add([]byte("a\nab\nabc"), uint8(0))
	f.Fuzz(func(t *testing.T, text []byte, value uint8) {
		keys := bytes.Split(text, []byte("\n"))
		s := NewSorter(1<<20, t.TempDir())
		for _, k := range keys {
			if err := s.Add(bytes.Repeat(k, 1+int(value)), make([]byte, int(value)*64)); err != nil {
				t.Fatal(err)
			}
		}
		file, err := Build(newest, s)
		if err != nil || file.Entries != int64(len(keys)) || file.Size%4096 != 0 {
			t.Errorf("%+v %v", file, err)
		}
	})
}
