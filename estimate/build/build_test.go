package build

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
	"github.com/wtsize/wtsize/sampler/generate"
)

// In a cache of this size in-memory pages are split at 134 KB and eviction
// writes what is over 419 KB: a few megabytes go through all that a large
// collection meets.
const smallCache = 8 << 20

func testConfig(t *testing.T, name string) Config {
	t.Helper()
	s, err := codec.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Table: wt.Collection(), Setting: s, Release: wt.Newest(), CacheBytes: smallCache,
		Overlaps: []float64{3, 1, 2, 4}, Margin: 0.01, Images: 8, Seed: 1,
	}
}

func newTestPool(t *testing.T, workers int) *Pool {
	t.Helper()
	p := NewPool(workers)
	t.Cleanup(p.Close)
	return p
}

// shape gives documents of a generated shape, bytes in all.
func shape(t *testing.T, name string, seed uint64, bytes int) (docs [][]byte) {
	t.Helper()
	s, err := generate.New(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	s.Expect(int64(bytes / 400))
	for bytes > 0 {
		doc := append([]byte(nil), s.Next()...)
		docs = append(docs, doc)
		bytes -= len(doc)
	}
	return docs
}

// sized gives values of the sizes given, a part of each compressible.
func sized(rng *rand.Rand, sizes ...int) (docs [][]byte) {
	for _, n := range sizes {
		b := make([]byte, 0, n+20)
		words := 1 << rng.IntN(14)
		for len(b) < n {
			b = strconv.AppendInt(b, int64(rng.IntN(words))*12345, 16)
			b = append(b, ';')
		}
		docs = append(docs, b[:n])
	}
	return docs
}

func nothing(int) wt.TimeWindow { return wt.TimeWindow{} }

func batched(i int) wt.TimeWindow {
	return wt.TimeWindow{StartTS: 1_700_000_000<<32 + uint64(i) + 1, StartTxn: 1 + uint64(i)/500}
}

// whole builds a table of all documents and gives it with its files.
func whole(t *testing.T, cfg Config, pool *Pool, docs [][]byte, window func(int) wt.TimeWindow) (*Table, []File) {
	t.Helper()
	tb := New(cfg, pool)
	feed(t, tb, docs, window)
	files, err := tb.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return tb, files
}

// feed gives documents to a table, a page at a time.
func feed(t *testing.T, tb *Table, docs [][]byte, window func(int) wt.TimeWindow) {
	t.Helper()
	p := reconcile.NewPager(tb.cfg.Table, tb.cfg.Release, tb.cfg.CacheBytes, tb.Page)
	var key []byte
	for i, doc := range docs {
		key = wt.AppendPackedInt64(key[:0], int64(i+1))
		if err := p.Add(key, window(i), doc); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

func totalBytes(docs [][]byte) (n int64) {
	for _, d := range docs {
		n += int64(len(d))
	}
	return n
}

// checkFile: every byte has a label, blocks are whole allocation units, and the
// counts agree with each other.
func checkFile(t *testing.T, f File, alloc int64) {
	t.Helper()
	if f.Ledger.Sum() != f.Size || f.Size%alloc != 0 {
		t.Errorf("size %d, labels add up to %d: %+v", f.Size, f.Ledger.Sum(), f.Ledger)
	}
	var pages, disk int64
	for size, n := range f.Blocks {
		if size%alloc != 0 || size == 0 || n < 0 {
			t.Errorf("%d blocks of %d bytes", n, size)
		}
		pages += n
		disk += n * size
	}
	if pages != f.LeafPages || disk != f.LeafDisk {
		t.Errorf("histogram has %d pages of %d bytes, the file %d of %d", pages, disk, f.LeafPages, f.LeafDisk)
	}
	l := f.Ledger
	if l.Headers != f.LeafPages*wt.HeaderBytes || l.Documents+l.Cells+l.TimeWindows+l.Headers != f.Images {
		t.Errorf("images of %d bytes in %d pages, labels %+v", f.Images, f.LeafPages, l)
	}
	if f.Images+l.CompressionSaved+l.Rounding != f.LeafDisk || l.CompressionSaved > 0 {
		t.Errorf("leaf blocks of %d bytes, labels %+v", f.LeafDisk, l)
	}
	if l.Rounding < 0 || l.Rounding >= alloc*max(1, f.LeafPages) {
		t.Errorf("rounding takes %d bytes in %d pages", l.Rounding, f.LeafPages)
	}
	if l.Internal%alloc != 0 || l.Internal < f.InternalPages*alloc {
		t.Errorf("%d internal pages of %d bytes", f.InternalPages, l.Internal)
	}
	if f.Up < 0 || f.Down < 0 || f.Uncompressed > f.LeafPages {
		t.Errorf("up %d, down %d, %d of %d uncompressed", f.Up, f.Down, f.Uncompressed, f.LeafPages)
	}
	if want := int64(1+2*min(1, f.LeafPages)) * alloc; l.File != want {
		t.Errorf("description and extent lists take %d bytes, want %d", l.File, want)
	}
}

// cases are documents of many kinds, from 5 bytes to the 16 MiB that a server
// stores at most.
func cases(t *testing.T) map[string][][]byte {
	rng := rand.New(rand.NewPCG(25, 26))
	mixed := make([]int, 2000)
	for i := range mixed {
		mixed[i] = 5 + rng.IntN(10<<rng.IntN(13))
	}
	large := make([]int, 40)
	for i := range large {
		large[i] = 20_000 + rng.IntN(60_000)
	}
	return map[string][][]byte{
		"nothing":   nil,
		"one":       sized(rng, 5),
		"two":       sized(rng, 5, 40_000),
		"orders":    shape(t, "orders", 1, 2<<20),
		"random":    shape(t, "random", 1, 1<<20),
		"tiny":      shape(t, "tiny", 1, 200<<10),
		"mixed":     sized(rng, mixed...),
		"large":     sized(rng, large...),
		"one giant": append(shape(t, "log", 1, 300<<10), sized(rng, 16<<20+16<<10, 5, 5)...),
	}
}

func TestFiles(t *testing.T) {
	pool := newTestPool(t, 2)
	for name, docs := range cases(t) {
		for _, setting := range []string{"none", "snappy", "zlib:1", "zstd:1"} {
			for i, window := range []func(int) wt.TimeWindow{nothing, batched} {
				if i > 0 && totalBytes(docs) > 10<<20 {
					continue // 16 MiB once are enough
				}
				cfg := testConfig(t, setting)
				_, files := whole(t, cfg, pool, docs, window)
				want := 4
				if setting == "none" {
					want = 1 // without feedback the order of writing is nothing to the sizes
				}
				if len(files) != want {
					t.Fatalf("%s, %s: %d files", name, setting, len(files))
				}
				for _, f := range files {
					checkFile(t, f, cfg.Table.AllocationSize)
					if f.Records != int64(len(docs)) || f.Ledger.Documents != totalBytes(docs) {
						t.Errorf("%d records of %d bytes; want %d of %d", f.Records, f.Ledger.Documents, len(docs), totalBytes(docs))
					}
					if len(docs) == 0 && (f.Size != 4096 || f.LeafPages != 0 || f.InternalPages != 0) {
						t.Errorf("an empty file: %+v", f)
					}
					if setting == "none" && (f.Uncompressed != f.LeafPages || f.Ledger.CompressionSaved != 0) {
						t.Errorf("uncompressed: %+v", f)
					}
					if (f.Ledger.TimeWindows > 0) != (len(docs) > 0 && window(0) != wt.TimeWindow{}) {
						t.Errorf("time windows take %d bytes", f.Ledger.TimeWindows)
					}
				}
				if t.Failed() {
					t.Fatalf("%s, %s", name, setting)
				}
			}
		}
	}
}

// Other allocation units, page sizes and releases.
func TestFilesOfOtherTables(t *testing.T) {
	pool := newTestPool(t, 2)
	docs := shape(t, "orders", 2, 1<<20)
	for _, config := range []string{
		"allocation_size=512", "allocation_size=32KB,internal_page_max=32KB", "leaf_page_max=4KB",
		"leaf_page_max=64KB", "internal_page_max=16KB", "split_pct=50", "memory_page_image_max=32KB", "memory_page_max=64KB",
	} {
		for _, release := range []string{"4.2", "7.0", "8.3"} {
			cfg := testConfig(t, "zstd:1")
			var err error
			if cfg.Table, err = cfg.Table.With(config); err != nil {
				t.Fatal(err)
			}
			if cfg.Release, err = wt.ParseRelease(release); err != nil {
				t.Fatal(err)
			}
			_, files := whole(t, cfg, pool, docs, nothing)
			for _, f := range files {
				checkFile(t, f, cfg.Table.AllocationSize)
			}
			if t.Failed() {
				t.Fatalf("%s, release %s", config, release)
			}
		}
	}
}

// A setting that no codec takes ends the build with an error that names it.
func TestBadSetting(t *testing.T) {
	pool := newTestPool(t, 1)
	cfg := testConfig(t, "zstd")
	cfg.Setting.Level = 99
	tb := New(cfg, pool)
	page := reconcile.Encode(cfg.Release, 1, 1000, func(int) ([]byte, wt.TimeWindow, []byte) {
		return []byte{0x81}, wt.TimeWindow{}, make([]byte, 1000)
	})
	err := tb.Page(page)
	if err == nil {
		_, err = tb.Finish()
	}
	if err == nil {
		t.Fatal("level 99 compresses")
	}
	if _, _, err := NewPopulation(cfg, pool, []Run{{Page: page, Share: 1}}, 2).Files(); err == nil {
		t.Error("level 99 compresses in a population")
	}
}
