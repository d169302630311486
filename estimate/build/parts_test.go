package build

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

func encode(docs [][]byte) *reconcile.Page {
	n := int(totalBytes(docs))
	return reconcile.Encode(wt.Newest(), len(docs), n, func(i int) ([]byte, wt.TimeWindow, []byte) {
		return wt.AppendPackedInt64(nil, int64(i+1)), wt.TimeWindow{}, docs[i]
	})
}

// The chunks of a ring hold every record once: what is there a second time, to
// fill the last chunk, is not counted in its weight. All are full.
func TestRing(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for round := range 60 {
		most := 10 << rng.IntN(12)
		var sizes []int
		for left := rng.IntN(500 << 10); len(sizes) == 0 || left > 0 && len(sizes) < 3000; {
			sizes = append(sizes, 5+rng.IntN(most))
			left -= sizes[len(sizes)-1]
		}
		page := encode(sized(rng, sizes...))
		split := wt.Collection().NewSplit([]int64{32 << 10, 64 << 10, 128 << 10}[rng.IntN(3)])
		chunks := ring(page, split, 4096)
		var own float64
		var all []byte
		for i, c := range chunks {
			if c.weight <= 0 || c.weight > 1 || c.weight < 1 && i != len(chunks)-1 {
				t.Fatalf("round %d: chunk %d of %d has weight %g", round, i, len(chunks), c.weight)
			}
			own += c.weight * float64(len(c.cells))
			all = append(all, c.cells...)
		}
		if math.Abs(own-float64(len(page.Cells))) > 0.5 {
			t.Fatalf("round %d: %g bytes of their own in chunks of %d", round, own, len(page.Cells))
		}
		if over := len(all) - len(page.Cells); over < 0 || !bytes.HasPrefix(all, page.Cells) ||
			!bytes.HasPrefix(page.Cells, all[len(page.Cells):]) {
			t.Fatalf("round %d: chunks are not the page and its beginning again (%d more)", round, over)
		}
		if int64(len(page.Cells)) < 2*split.Size {
			continue // too short to be closed
		}
		for i, c := range chunks {
			if n := wt.HeaderBytes + len(c.cells); int64(n) < split.Size-int64(most)-100 {
				t.Fatalf("round %d: chunk %d of %d has %d bytes, the split size is %d", round, i, len(chunks), n, split.Size)
			}
		}
	}
}

// Every image has the same chance to be kept: 1000 choices of 10 out of 100
// keep each 100 times on average, with a standard deviation of
// √(1000·0.1·0.9) = 9.5. 45 are 4.7 of them: among 100 images a false failure
// once in 4,000 seeds.
func TestKeeper(t *testing.T) {
	counts := make([]int, 100)
	for seed := range 1000 {
		k := newKeeper(Config{Images: 10, Seed: uint64(seed)})
		for i := range counts {
			cells := make([]byte, 100)
			binary.LittleEndian.PutUint32(cells[wt.CompressSkip-wt.HeaderBytes:], uint32(i))
			k.offer(cells)
			clear(cells) // the keeper has its own
		}
		if len(k.images) != 10 {
			t.Fatalf("%d images", len(k.images))
		}
		for _, image := range k.images {
			counts[binary.LittleEndian.Uint32(image)]++
		}
	}
	for i, n := range counts {
		if n < 55 || n > 145 {
			t.Errorf("image %d is kept %d times of 1000, want about 100", i, n)
		}
	}
}

func TestKeeperSmall(t *testing.T) {
	k := newKeeper(Config{Images: 2})
	k.offer(make([]byte, wt.CompressSkip)) // nothing a compressor is given
	k.offer(make([]byte, wt.CompressSkip+1))
	if len(k.images) != 1 || len(k.images[0]) != wt.HeaderBytes+1 {
		t.Errorf("%d images", len(k.images))
	}
	none := newKeeper(Config{})
	none.offer(make([]byte, 1000))
	if len(none.images) != 0 {
		t.Error("an image is kept of none wanted")
	}
}

func TestScaled(t *testing.T) {
	b := block.Block{Image: 100_040, Stored: 50_000, Disk: 53_248, Checksum: 7}
	raw := block.Block{Image: 100_040, Disk: 102_400, Checksum: 7}
	for _, tt := range []struct {
		b               block.Block
		length, stretch float64
		want            block.Block
	}{
		{b, 1, 1, b},
		{raw, 1, 1, raw},
		// Half the cells, the ratio as it was: 50000 · 50040/100040 = 25010.
		{b, 0.5, 1, block.Block{Image: 50_040, Stored: 25_010, Disk: 28_672, Checksum: 7}},
		{b, 1, 1.1, block.Block{Image: 100_040, Stored: 55_000, Disk: 57_344, Checksum: 7}},
		{raw, 0.5, 3, block.Block{Image: 50_040, Disk: 53_248, Checksum: 7}},
		{raw, 0.5, 0.1, block.Block{Image: 50_040, Disk: 53_248, Checksum: 7}},
		// What would not be smaller is stored as it is.
		{b, 1, 2.1, block.Block{Image: 100_040, Disk: 102_400, Checksum: 7}},
		// Never less than the bytes that are not compressed.
		{b, 1, 0.0001, block.Block{Image: 100_040, Stored: 64, Disk: 4096, Checksum: 7}},
	} {
		if got := scaled(tt.b, tt.length, tt.stretch, 4096); got != tt.want {
			t.Errorf("%+v, length %g, stretch %g: %+v, want %+v", tt.b, tt.length, tt.stretch, got, tt.want)
		}
	}
}

func TestAround(t *testing.T) {
	p := &Population{grid: []int64{32_000, 64_000, 96_000, 128_000}}
	for _, tt := range []struct {
		size   int64
		lo, hi int
		f      float64
	}{
		{32_000, 0, 0, 0}, {20_000, 0, 0, 0}, {40_000, 0, 1, 0.25}, {63_999, 0, 1, 31_999.0 / 32_000},
		{64_000, 1, 1, 0}, {64_001, 1, 2, 1.0 / 32_000}, {112_000, 2, 3, 0.5}, {128_000, 3, 3, 0}, {200_000, 3, 3, 0},
	} {
		lo, hi, f := p.around(tt.size)
		if lo != tt.lo || hi != tt.hi || math.Abs(f-tt.f) > 1e-12 {
			t.Errorf("around(%d) = %d, %d, %g; want %+v", tt.size, lo, hi, f, tt)
		}
	}
	one := &Population{grid: []int64{32_000}}
	if lo, hi, f := one.around(50_000); lo != 0 || hi != 0 || f != 0 {
		t.Errorf("of one grid point: %d, %d, %g", lo, hi, f)
	}
}

// internalPages against a tree of as many leaves with entries all alike.
func TestInternalPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for _, table := range []wt.Table{wt.Collection(), wt.Index()} {
		for round := range 90 {
			leaves := 1 + rng.IntN([]int{300, 5000, 50_000}[round%3])
			key := make([]byte, 1+rng.IntN(40))
			cookie := make([]byte, 8)
			tree := reconcile.NewTree(table, wt.Newest())
			for range leaves {
				tree.Leaf(reconcile.Child{Key: key, Kind: wt.ChildLeaf, Cookie: cookie})
			}
			want, err := tree.Build(func([]byte) ([]byte, error) { return cookie, nil })
			if err != nil {
				t.Fatal(err)
			}
			entry := wt.KeyCellLen(0, len(key)) + len(wt.AppendAddrCell(nil, wt.Newest(), wt.ChildLeaf, wt.TimeAggregate{}, cookie))
			// The first key of each level is cut to one byte, which may put one
			// more entry on a page; where that page is the root, it takes the
			// place of two and a root above them.
			got := internalPages(table, int64(leaves), float64(entry))
			if d := got - want; d < -1 || d > 2 {
				t.Errorf("%d leaves, entries of %d bytes: %d pages, built %d", leaves, entry, got, want)
			}
		}
		if n := internalPages(table, 0, 20); n != 0 {
			t.Errorf("nothing has %d internal pages", n)
		}
	}
}
