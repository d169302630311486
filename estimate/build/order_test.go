package build

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// How many workers there are, and which of them is first, changes nothing; nor
// does who else uses the pool.
func TestWorkersDoNotMatter(t *testing.T) {
	docs := shape(t, "orders", 3, 1<<20)
	cfg := testConfig(t, "snappy")
	var want []File
	var images [][]byte
	for workers := 1; workers <= 8; workers++ {
		pool := NewPool(workers)
		done := make(chan struct{})
		go func() { // a neighbour with a codec of its own
			defer close(done)
			whole(t, testConfig(t, "zstd:1"), pool, docs[:500], nothing)
		}()
		tb, files := whole(t, cfg, pool, docs, batched)
		<-done
		pool.Close()
		if want == nil {
			want, images = files, tb.Images()
		}
		if !reflect.DeepEqual(files, want) || !reflect.DeepEqual(tb.Images(), images) {
			t.Fatalf("%d workers: %+v\nwant %+v", workers, files, want)
		}
	}
}

// sequential builds by the book: each page is cut at the page size that the
// blocks of all pages written before it left behind. Pages that are forced out
// are written before all others, which must fit what may stay dirty, and their
// tails are no part of the file.
func sequential(t *testing.T, cfg Config, docs [][]byte) (sizes []int64, blocks []block.Block) {
	t.Helper()
	c, err := codec.New(cfg.Setting)
	if err != nil {
		t.Fatal(err)
	}
	table := cfg.Table
	table.Compressor = cfg.Setting.Name
	size := table.LeafStart()
	step := wt.FeedbackStep(table.LeafPageMax)
	write := func(cells []byte, last bool) block.Block {
		b, err := block.Write(c, block.Rule{}, table.AllocationSize, cells)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case b.Stored > table.LeafPageMax:
			size = max(size-step, table.LeafPageMax)
		case b.Stored > 0 && b.Stored <= table.LeafPageMax-step && !last:
			size = min(size+step, table.ImageMax())
		}
		return b
	}
	page := func(pg *reconcile.Page) {
		sizes = append(sizes, size)
		for _, k := range cut(pg, table.NewSplit(size), table.AllocationSize) {
			blocks = append(blocks, write(pg.Cells[pg.Start(k.First):pg.Ends[k.First+k.Records-1]], k.Last && !pg.Forced()))
		}
		if pg.Forced() {
			write(pg.Tail, true)
		}
	}
	pages := paged(t, table, cfg, docs)
	for _, forced := range []bool{true, false} {
		for _, pg := range pages {
			if pg.Forced() == forced {
				page(pg)
			}
		}
	}
	return sizes, blocks
}

func paged(t *testing.T, table wt.Table, cfg Config, docs [][]byte) (pages []*reconcile.Page) {
	t.Helper()
	p := reconcile.NewPager(table, cfg.Release, cfg.CacheBytes, func(pg *reconcile.Page) error {
		pages = append(pages, pg)
		return nil
	})
	for i, doc := range docs {
		if err := p.Add(wt.AppendPackedInt64(nil, int64(i+1)), wt.TimeWindow{}, doc); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return pages
}

// Pages of few huge documents are written first and move the page size that all
// others find; what is read back of them is in the file once.
func TestForcedOut(t *testing.T) {
	cfg := testConfig(t, "snappy")
	cfg.CacheBytes, cfg.Overlaps = 256<<20, []float64{1, 4} // the most is 5.4 MB, 13.4 MB may be dirty
	small := shape(t, "orders", 7, 1<<20)
	huge := sized(rand.New(rand.NewPCG(31, 32)), 5_500_000, 3_000_000, 2_600_000)
	docs := slices.Concat(small[:1000], huge, small[1000:])
	pages := paged(t, cfg.Table, cfg, docs)
	tails, heads := 0, 0
	for _, pg := range pages {
		if pg.Forced() {
			tails, heads = tails+1, heads+pg.Records()
		}
	}
	if tails < 2 || heads < 2 {
		t.Fatalf("%d pages are forced out, with %d records of their own", tails, heads)
	}
	_, blocks := sequential(t, cfg, docs)
	_, files := whole(t, cfg, newTestPool(t, 2), docs, nothing)
	for _, f := range files {
		checkFile(t, f, cfg.Table.AllocationSize)
		checkBlocks(t, f, blocks)
		if f.Records != int64(len(docs)) || f.Ledger.Documents != totalBytes(docs) {
			t.Errorf("%d records of %d bytes, want %d of %d", f.Records, f.Ledger.Documents, len(docs), totalBytes(docs))
		}
	}
}

// With an overlap of 1, and with any overlap while everything fits the share of
// the cache that may be dirty, pages are reconciled one after the other.
func TestSequential(t *testing.T) {
	docs := shape(t, "orders", 4, 3<<20)
	for _, tt := range []struct {
		overlap float64
		cache   int64
		bytes   int64 // of docs
	}{{1, smallCache, 3 << 20}, {0.5, smallCache, 3 << 20}, {4, smallCache, 300 << 10}} {
		cfg := testConfig(t, "snappy")
		cfg.CacheBytes, cfg.Overlaps = tt.cache, []float64{tt.overlap}
		some, n := docs, int64(0)
		for i, d := range docs {
			if n += int64(len(d)); n > tt.bytes {
				some = docs[:i]
				break
			}
		}
		sizes, blocks := sequential(t, cfg, some)
		tb, files := whole(t, cfg, newTestPool(t, 2), some, nothing)
		checkBlocks(t, files[0], blocks)
		if tt.bytes > 1<<20 && len(distinct(sizes)) < 3 {
			t.Errorf("the page size took only the values %v", distinct(sizes))
		}
		if f := tb.runs[0].evicting; len(f) > 1 {
			t.Errorf("overlap %g: %d reconciliations are under way", tt.overlap, len(f))
		}
	}
}

func distinct(sizes []int64) map[int64]int {
	m := map[int64]int{}
	for _, s := range sizes {
		m[s]++
	}
	return m
}

func checkBlocks(t *testing.T, f File, blocks []block.Block) {
	t.Helper()
	histogram := map[int64]int64{}
	var images, stored, uncompressed int64
	for _, b := range blocks {
		histogram[b.Disk]++
		images += b.Image
		stored += b.Content()
		if b.Stored == 0 {
			uncompressed++
		}
	}
	if !reflect.DeepEqual(f.Blocks, histogram) || f.Images != images || f.Uncompressed != uncompressed ||
		f.Ledger.CompressionSaved != stored-images || f.LeafPages != int64(len(blocks)) {
		t.Errorf("blocks %v of %d bytes, %d uncompressed; want %v of %d, %d",
			f.Blocks, f.Images, f.Uncompressed, histogram, images, uncompressed)
	}
}

// Overlapping reconciliations read the page size before others have moved it, so
// the mix of pages differs from the sequential one; the documents do not.
func TestOverlapMatters(t *testing.T) {
	docs := shape(t, "orders", 5, 8<<20)
	cfg := testConfig(t, "snappy")
	cfg.CacheBytes = 32 << 20 // pages of half a megabyte: a block or two would hardly move the size
	_, files := whole(t, cfg, newTestPool(t, 2), docs, nothing)
	if reflect.DeepEqual(files[0].Blocks, files[1].Blocks) {
		t.Error("three at once give the blocks of one after the other")
	}
	for _, f := range files[1:] {
		if f.Records != files[0].Records || f.Ledger.Documents != files[0].Ledger.Documents || f.Ledger.Cells != files[0].Ledger.Cells {
			t.Errorf("%+v\nand %+v hold different records", f.Ledger, files[0].Ledger)
		}
	}
}
