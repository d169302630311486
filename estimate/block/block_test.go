package block

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/wt"
)

// fixed claims a compressed length and notes what it was given.
type fixed struct {
	n    int
	err  error
	seen []byte
}

func (f *fixed) Compress(src []byte) (int, error) {
	f.seen = src
	return f.n, f.err
}

// image gives the cells of a page image of n bytes.
func image(n int) []byte { return make([]byte, n-wt.HeaderBytes) }

func TestRounding(t *testing.T) {
	for _, tt := range []struct{ image, disk int64 }{
		{40, 4096}, {41, 4096}, {4095, 4096}, {4096, 4096}, {4097, 8192},
		{28672, 28672}, {28673, 32768}, {16 << 20, 16 << 20}, {16<<20 + 1, 16<<20 + 4096},
	} {
		b, err := Write(nil, Rule{}, 4096, image(int(tt.image)))
		if err != nil || b.Image != tt.image || b.Disk != tt.disk || b.Stored != 0 || b.Content() != tt.image {
			t.Errorf("image of %d: %+v, %v; want %d on disk", tt.image, b, err, tt.disk)
		}
		c := &fixed{n: int(tt.image) - wt.CompressSkip}
		if tt.image < 128 {
			continue
		}
		// The same for a compressed form of that length, of a larger image.
		b, err = Write(c, Rule{}, 4096, image(17<<20))
		if err != nil || b.Stored != tt.image || b.Content() != tt.image || b.Disk != tt.disk {
			t.Errorf("stored %d: %+v, %v; want %d on disk", tt.image, b, err, tt.disk)
		}
	}
}

// An image of fewer than 128 bytes is never compressed; the compressor gets
// everything after the first 64.
func TestSmallest(t *testing.T) {
	for _, tt := range []struct {
		image int
		asked bool
	}{{40, false}, {64, false}, {65, false}, {127, false}, {128, true}, {129, true}, {30_000, true}} {
		c := &fixed{n: 1}
		cells := image(tt.image)
		for i := range cells {
			cells[i] = byte(i)
		}
		b, err := Write(c, Rule{}, 4096, cells)
		if err != nil {
			t.Fatal(err)
		}
		if asked := c.seen != nil; asked != tt.asked {
			t.Errorf("image of %d: compressed %v, want %v", tt.image, asked, tt.asked)
			continue
		}
		if !tt.asked {
			continue
		}
		if !bytes.Equal(c.seen, cells[24:]) {
			t.Errorf("image of %d: the compressor sees %d bytes", tt.image, len(c.seen))
		}
		if b.Stored != 65 {
			t.Errorf("image of %d: stored %d, want 64 and 1", tt.image, b.Stored)
		}
	}
}

// Until 8.2 the compressed form must save an allocation unit, counted by whole
// units: WiredTiger, src/block_cache/block_io.c, __wt_blkcache_write before WT-14598.
func TestKeepOrDrop(t *testing.T) {
	for _, tt := range []struct {
		image, output  int64
		newest, before int64 // stored: by the newest rule, by the one before
	}{
		{30_000, 0, 0, 0}, // the codec gave up
		{30_000, 10_000, 10_064, 10_064},
		{30_000, 29_900, 29_964, 0},
		{30_000, 28_672 - 64, 28_672, 0},      // 7 units in both
		{30_000, 28_672 - 65, 28_671, 28_671}, // 6 in one
		{4096, 100, 164, 0},                   // as small as a block gets
		{4097, 100, 164, 164},                 // one unit and a byte
		{4097, 4032, 4096, 0},                 // 1 unit in both
		{4000, 100, 164, 0},                   // nothing to save below a unit
		{28_672, 28_607, 28_671, 28_671},      // one byte less counts where a unit begins
		{8192, 4032, 4096, 4096}, {8191, 4032, 4096, 0},
	} {
		for _, rule := range []Rule{{SaveUnit: false}, {SaveUnit: true}} {
			want := tt.newest
			if rule.SaveUnit {
				want = tt.before
			}
			b, err := Write(&fixed{n: int(tt.output)}, rule, 4096, image(int(tt.image)))
			if err != nil || b.Stored != want || b.Image != tt.image || b.Disk != wt.Align(b.Content(), 4096) {
				t.Errorf("image %d, output %d, %+v: %+v, %v; want stored %d", tt.image, tt.output, rule, b, err, want)
			}
		}
	}
}

func TestCompressorFails(t *testing.T) {
	broken := errors.New("broken")
	if b, err := Write(&fixed{n: 5, err: broken}, Rule{}, 4096, image(1000)); !errors.Is(err, broken) || b != (Block{}) {
		t.Errorf("%+v, %v; want no block and what the compressor gave", b, err)
	}
}

// checking makes sure that what is stored would be read back.
type checking struct {
	t *testing.T
	codec.Codec
	kept, dropped int
}

func (c *checking) Compress(src []byte) (int, error) {
	n, err := c.Codec.Compress(src)
	if n == 0 {
		c.dropped++
		return n, err
	}
	c.kept++
	dst := make([]byte, len(src))
	if err := c.Decompress(dst, c.Stored()); err != nil || !bytes.Equal(dst, src) {
		c.t.Errorf("an image of %d bytes does not come back: %v", len(src), err)
	}
	return n, err
}

// words is n bytes of few or many different words.
func words(rng *rand.Rand, n int) []byte {
	different := 1 << rng.IntN(16)
	var b []byte
	for len(b) < n {
		b = fmt.Appendf(b, "word%d,", rng.IntN(different))
	}
	return b[:n]
}

// Every image under every codec decompresses to its source, and random bytes
// are stored as they are.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, s := range codec.Defaults()[1:] {
		c, err := codec.New(s)
		if err != nil {
			t.Fatal(err)
		}
		check := &checking{t: t, Codec: c}
		for i := range 300 {
			cells := words(rng, rng.IntN([]int{100, 5000, 130_000}[i%3]))
			b, err := Write(check, Rule{}, 4096, cells)
			if err != nil {
				t.Fatal(err)
			}
			if b.Disk%4096 != 0 || b.Disk < b.Content() || b.Disk-b.Content() >= 4096 || b.Content() > b.Image {
				t.Fatalf("%s: %+v", s, b)
			}
		}
		if check.kept < 100 {
			t.Errorf("%s: only %d images were kept compressed", s, check.kept)
		}
		random := make([]byte, 20_000)
		for i := range random {
			random[i] = byte(rng.Uint32())
		}
		if b, err := Write(check, Rule{}, 4096, random); err != nil || b.Stored != 0 || b.Content() != 20_040 {
			t.Errorf("%s: random bytes make %+v, %v", s, b, err)
		}
	}
}

// Checksums stand for the real ones: equal for equal cells, and over many pages
// their packed form is as long as that of evenly distributed numbers.
func TestChecksum(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	lengths := map[int]int{}
	for range 2000 {
		cells := make([]byte, 200)
		for i := range cells {
			cells[i] = byte(rng.Uint32())
		}
		a, _ := Write(nil, Rule{}, 4096, cells)
		b, _ := Write(nil, Rule{}, 4096, bytes.Clone(cells))
		if a.Checksum != b.Checksum {
			t.Fatal("equal cells have two checksums")
		}
		lengths[wt.VpackLen(uint64(a.Checksum))]++
	}
	// Numbers below 2²⁴ + 8256 pack to 4 bytes or fewer: one in 256, so 7.8 of
	// 2000 on average. The seed is fixed.
	if short := 2000 - lengths[5]; short > 25 {
		t.Errorf("%d of 2000 checksums are short: %v", short, lengths)
	}
}

// A file is its description block, then blocks one after the other, then two
// extent lists. WiredTiger: src/block/block_open.c, src/block/block_ckpt.c.
func TestFile(t *testing.T) {
	f := NewFile(4096)
	if f.Size() != 4096 {
		t.Errorf("an empty file has %d bytes", f.Size())
	}
	for i, want := range []struct{ disk, offset int64 }{{28672, 4096}, {4096, 32768}, {16 << 20, 36864}} {
		if got := f.Append(want.disk); got != want.offset {
			t.Errorf("block %d at %d, want %d", i, got, want.offset)
		}
	}
	f.Checkpoint()
	if want := int64(4096 + 28672 + 4096 + 16<<20 + 2*4096); f.Size() != want {
		t.Errorf("%d bytes, want %d", f.Size(), want)
	}
}
