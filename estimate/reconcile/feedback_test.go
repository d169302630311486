package reconcile

import (
	"testing"

	"github.com/wtsize/wtsize/estimate/wt"
)

// Every branch of WiredTiger's __rec_compression_adjust, src/reconcile/rec_write.c,
// for a collection: page maximum 32768, step 3276, image maximum 131072.
func TestFeedbackWrote(t *testing.T) {
	for _, tt := range []struct {
		size, stored int64
		last         bool
		want         int64
	}{
		// Over the page: one step down, or to the page where that is within a step.
		{131072, 32769, false, 127796},
		{131072, 32769, true, 127796},
		{131072, 16 << 20, false, 127796},
		{32768 + 3277, 32769, false, 32769},
		{32768 + 3276, 32769, false, 32768},
		{32769, 32769, false, 32768},
		{32768, 32769, false, 32768},
		// Within a tenth below the page: it stays.
		{65536, 32768, false, 65536},
		{65536, 29493, false, 65536},
		// Below that: one step up, to the image maximum at most, not for the last.
		{65536, 29492, false, 68812},
		{65536, 29492, true, 65536},
		{65536, 1, false, 68812},
		{131072 - 3276, 29492, false, 131072},
		{131072 - 3275, 29492, false, 131072},
		{131072, 29492, false, 131072},
		// Compression dropped: nothing.
		{131072, 0, false, 131072},
		{40000, 0, true, 40000},
	} {
		f := NewFeedback(wt.Collection())
		f.Size = tt.size
		if got := f.Wrote(tt.stored, tt.last); got.Size != tt.want || f.Size != tt.size {
			t.Errorf("at %d, stored %d, last %v: %d, want %d", tt.size, tt.stored, tt.last, got.Size, tt.want)
		}
	}
}

// The ends are 98,304 bytes apart, 30 steps and 24 bytes: 31 blocks lead from
// one to the other, the last of them by those 24. More change nothing.
func TestFeedbackSaturates(t *testing.T) {
	f := NewFeedback(wt.Collection())
	if f.Size != 128<<10 {
		t.Fatalf("starts at %d", f.Size)
	}
	for i := range 100 {
		if f = f.Wrote(40_000, false); f.Size < 32<<10 || (f.Size == 32<<10) != (i >= 31-1) {
			t.Fatalf("after %d large blocks: %d", i+1, f.Size)
		}
	}
	for i := range 100 {
		if f = f.Wrote(20_000, false); f.Size > 128<<10 || (f.Size == 128<<10) != (i >= 31-1) {
			t.Fatalf("after %d small blocks: %d", i+1, f.Size)
		}
	}
}

// Without a compressor, or with pages under 16 KiB, nothing moves.
func TestFeedbackOff(t *testing.T) {
	for _, config := range []string{"block_compressor=none", "leaf_page_max=8KB", "memory_page_image_max=32KB"} {
		table, err := wt.Collection().With(config)
		if err != nil {
			t.Fatal(err)
		}
		f := NewFeedback(table)
		if f.Size != table.LeafPageMax {
			t.Errorf("%s: starts at %d", config, f.Size)
		}
		if up, down := f.Wrote(100, false), f.Wrote(1<<20, false); up != f || down != f {
			t.Errorf("%s: moves to %d and %d", config, up.Size, down.Size)
		}
	}
}
