package reconcile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/wtsize/wtsize/estimate/wt"
)

// cutAll gives the chunks of records of the given sizes.
func cutAll(c Cutter, sizes []int64) []Chunk {
	var chunks []Chunk
	c.Emit = func(k Chunk) { chunks = append(chunks, k) }
	for _, n := range sizes {
		c.Add(n)
	}
	c.Finish()
	return chunks
}

// Input lines are "count x bytes" of neighbouring records; the output has a line
// for each chunk: first record + number of records, image bytes.
func TestCutter(t *testing.T) {
	datadriven.RunTest(t, "testdata/cutter", func(t *testing.T, d *datadriven.TestData) string {
		table := wt.Collection()
		var page, minRecords int64
		d.ScanArgs(t, "page", &page)
		d.MaybeScanArgs(t, "min-records", &minRecords)
		c := Cutter{
			Split: table.NewSplit(page), Alloc: table.AllocationSize,
			MinRecords: int(minRecords), Bulk: d.HasArg("bulk"),
		}
		var sizes []int64
		for _, field := range strings.Fields(d.Input) {
			var n int
			var bytes int64
			if _, err := fmt.Sscanf(field, "%dx%d", &n, &bytes); err != nil {
				d.Fatalf(t, "%q: %v", field, err)
			}
			sizes = append(sizes, slices.Repeat([]int64{bytes}, n)...)
		}
		var out strings.Builder
		for _, k := range cutAll(c, sizes) {
			fmt.Fprintf(&out, "%d+%d %d", k.First, k.Records, k.Bytes)
			if k.Last {
				out.WriteString(" last")
			}
			out.WriteString("\n")
		}
		if out.Len() == 0 {
			return "nothing\n"
		}
		return out.String()
	})
}

// naiveCut follows the same rules with whole lists instead of what is left of a
// budget, to be compared with: WiredTiger, src/reconcile/rec_write.c.
func naiveCut(sizes []int64, split wt.Split, alloc int64, minRecords int, bulk bool) [][]int64 {
	var chunks [][]int64
	var chunk []int64
	bound, bounds := 0, []int{}
	room := split.Size
	for _, n := range sizes {
		used := imageOf(chunk)
		if used+n > room {
			if used >= split.Size/2 && len(chunk) >= minRecords {
				chunks, bounds = append(chunks, chunk), append(bounds, bound)
				chunk, bound, room, used = nil, 0, split.Size, wt.HeaderBytes
			}
			if used+n > room {
				room = wt.Align(used+n+wt.HeaderBytes, alloc)
			}
		} else if bound == 0 && used+n > split.Min {
			bound = len(chunk)
		}
		chunk = append(chunk, n)
	}
	if len(chunk) == 0 {
		return nil
	}
	chunks = append(chunks, chunk)
	last := len(chunks) - 1
	if last == 0 || bulk {
		return chunks
	}
	before, end := chunks[last-1], chunks[last]
	if both := slices.Concat(before, end); imageOf(both) <= split.Page {
		return append(chunks[:last-1], both)
	}
	if at := bounds[last-1]; at > 0 && imageOf(end) < split.Min {
		chunks[last-1], chunks[last] = before[:at], slices.Concat(before[at:], end)
	}
	return chunks
}

func imageOf(records []int64) int64 {
	n := int64(wt.HeaderBytes)
	for _, r := range records {
		n += r
	}
	return n
}

// someSizes draws records of one of several tempers.
func someSizes(rng *rand.Rand, page int64) []int64 {
	sizes := make([]int64, rng.IntN(400))
	most := []int64{40, 400, page / 8, page / 2, 3 * page}[rng.IntN(5)]
	for i := range sizes {
		sizes[i] = 2 + rng.Int64N(most)
		if rng.IntN(100) == 0 {
			sizes[i] = 1 + page*rng.Int64N(8)/2 + rng.Int64N(9) // around a page, its half, its multiples
		}
	}
	return sizes
}

func TestCutterProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 3000 {
		table := wt.Collection()
		table.SplitPct = []int64{50, 75, 90, 100}[rng.IntN(4)]
		page := []int64{4 << 10, 16 << 10, 32 << 10, 81_932, 128 << 10}[rng.IntN(5)]
		c := Cutter{Split: table.NewSplit(page), Alloc: table.AllocationSize, Bulk: rng.IntN(4) == 0}
		if !c.Bulk && rng.IntN(3) == 0 {
			c.MinRecords = wt.MinInternalCells / 2
		}
		sizes := someSizes(rng, page)
		chunks := cutAll(c, sizes)
		checkPartition(t, chunks, sizes)
		if c.MinRecords == 0 {
			checkLimits(t, chunks, sizes, c.Split)
		}
		want := naiveCut(sizes, c.Split, c.Alloc, c.MinRecords, c.Bulk)
		if len(chunks) != len(want) {
			t.Fatalf("round %d: %d chunks, want %d", round, len(chunks), len(want))
		}
		for i, k := range chunks {
			if k.Records != len(want[i]) {
				t.Fatalf("round %d: chunk %d holds %d records, want %d", round, i, k.Records, len(want[i]))
			}
			if i < len(chunks)-2 && k.Records < c.MinRecords {
				t.Fatalf("round %d: chunk %d holds %d records, fewer than %d", round, i, k.Records, c.MinRecords)
			}
		}
		if t.Failed() {
			t.Fatalf("round %d: %+v of %d records", round, c.Split, len(sizes))
		}
	}
}

// checkPartition: every record is in one chunk, in order, and one chunk is last.
func checkPartition(t *testing.T, chunks []Chunk, sizes []int64) {
	t.Helper()
	next := 0
	for i, k := range chunks {
		if k.First != next || k.Records == 0 {
			t.Errorf("chunk %d is %d+%d, want it to start at %d", i, k.First, k.Records, next)
			return
		}
		next += k.Records
		if next > len(sizes) {
			t.Errorf("chunk %d ends at %d of %d records", i, next, len(sizes))
			return
		}
		if want := imageOf(sizes[k.First:next]); k.Bytes != want {
			t.Errorf("chunk %d has %d bytes, want %d", i, k.Bytes, want)
		}
		if k.Last != (i == len(chunks)-1) {
			t.Errorf("chunk %d of %d: last %v", i, len(chunks), k.Last)
		}
	}
	if next != len(sizes) {
		t.Errorf("%d of %d records are in chunks", next, len(sizes))
	}
}

// checkLimits: a chunk is over the split size only if it grew for one record,
// which is then larger than half of it (a fuller chunk would have been closed
// instead). The last one may be two merged, or topped up from the one before:
// beyond the size by less than a record, unless that one had grown.
func checkLimits(t *testing.T, chunks []Chunk, sizes []int64, split wt.Split) {
	t.Helper()
	for i, k := range chunks {
		largest := slices.Max(sizes[k.First : k.First+k.Records])
		limit := split.Size
		if k.Last {
			limit = max(split.Page, split.Size+largest)
			if i > 0 {
				largest = max(largest, slices.Max(sizes[chunks[i-1].First:k.First]))
			}
		}
		if k.Bytes > limit && largest <= split.Size/2 {
			t.Errorf("chunk %d has %d bytes, over %d, and its largest record %d", i, k.Bytes, limit, largest)
		}
	}
}

// A Cutter is as good as new after Finish.
func TestCutterReuse(t *testing.T) {
	var chunks []Chunk
	c := Cutter{Split: wt.Collection().NewSplit(32 << 10), Alloc: 4096, Emit: func(k Chunk) { chunks = append(chunks, k) }}
	for range 3 {
		for range 200 {
			c.Add(300)
		}
		c.Finish()
	}
	if len(chunks)%3 != 0 {
		t.Fatalf("%d chunks in three rounds", len(chunks))
	}
	each := len(chunks) / 3
	if !slices.Equal(chunks[:each], chunks[each:2*each]) || !slices.Equal(chunks[:each], chunks[2*each:]) {
		t.Errorf("three rounds differ: %+v", chunks)
	}
}

// WouldSplit says beforehand what Add does: it changes nothing, and a new chunk
// never starts, and a boundary is never noted, where it said no.
func TestWouldSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, bulk := range []bool{false, true} {
		starts := 0
		c := Cutter{Split: wt.Index().NewSplit(16 << 10), Alloc: 4096, Bulk: bulk, Emit: func(Chunk) {}}
		for range 5000 {
			n := 1 + rng.Int64N(2000)
			would, first, bound := c.WouldSplit(n), c.cur.first, c.cur.boundary
			if c.WouldSplit(n) != would {
				t.Fatal("asking twice gives two answers")
			}
			c.Add(n)
			changed := c.cur.first != first || c.cur.boundary != bound
			if changed && !would {
				t.Fatalf("bulk %v: a record of %d bytes started a chunk or a boundary unannounced", bulk, n)
			}
			if c.cur.first != first {
				starts++
			}
		}
		if starts < 100 {
			t.Errorf("bulk %v: only %d chunks started", bulk, starts)
		}
	}
}

func FuzzCutter(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint8(0), false)
	f.Add([]byte{255, 255, 255, 0, 0, 1, 128}, uint8(9), true)
	f.Fuzz(func(t *testing.T, b []byte, setting uint8, bulk bool) {
		page := int64(4096) << (setting % 6)
		c := Cutter{Split: wt.Collection().NewSplit(page), Alloc: 4096, Bulk: bulk}
		if setting >= 128 && !bulk {
			c.MinRecords = wt.MinInternalCells / 2
		}
		var sizes []int64
		for _, x := range b { // 2 bytes to 1.5 pages, more small ones than large
			sizes = append(sizes, 2+page*int64(x)*int64(x)/43_000)
		}
		chunks := cutAll(c, sizes)
		checkPartition(t, chunks, sizes)
		want := naiveCut(sizes, c.Split, c.Alloc, c.MinRecords, bulk)
		if len(chunks) != len(want) {
			t.Fatalf("%d chunks, want %d", len(chunks), len(want))
		}
		for i, k := range chunks {
			if k.Records != len(want[i]) {
				t.Fatalf("chunk %d holds %d records, want %d", i, k.Records, len(want[i]))
			}
		}
	})
}
