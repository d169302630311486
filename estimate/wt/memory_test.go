package wt

import (
	"math"
	"testing"
)

// The generator's first numbers, worked out from its definition in WiredTiger's
// src/support/rand.c (two multiply-with-carry halves from the default seed):
//
//	w' = 18000·(w mod 2¹⁶) + ⌊w/2¹⁶⌋, z' = 36969·(z mod 2¹⁶) + ⌊z/2¹⁶⌋, both mod 2³²
//	x  = 2¹⁶·z' + (w' mod 2¹⁶), mod 2³²
func TestSkipListNumbers(t *testing.T) {
	s := NewSkipList()
	for i, want := range []uint32{545736098, 2010324742, 3890505984, 2686179461, 1575101542, 4228087640} {
		if got := s.next(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}

// Depths that follow from those numbers: one more for each that is below
// 2³⁰ - 1 (a quarter of 2³² - 1), until one is not.
func TestSkipListDepths(t *testing.T) {
	s := NewSkipList()
	for i, want := range []int{
		2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 2, 2, 3, 1, 1, 1, 2, 1, 1, 1, 1, 3, 3, 1, 1, 1, 2, 2, 1, 2, 1, 3, 2,
	} {
		if got := s.Depth(); got != want {
			t.Errorf("depth %d is %d, want %d", i, got, want)
		}
	}
}

// Depths are geometric with p = 1/4: mean 4/3, standard deviation 2/3. Over a
// million the mean's own deviation is 0.00067; the generator is fixed, so this
// cannot fail by chance.
func TestSkipListMean(t *testing.T) {
	const n = 1_000_000
	s := NewSkipList()
	sum, deepest := 0, 0
	for range n {
		d := s.Depth()
		sum += d
		deepest = max(deepest, d)
		if d < 1 || d > skipMaxDepth {
			t.Fatalf("depth %d", d)
		}
	}
	if mean := float64(sum) / n; math.Abs(mean-4.0/3) > 0.003 {
		t.Errorf("mean depth %.4f, want 1.3333", mean)
	}
	if deepest < 9 {
		t.Errorf("deepest of a million is %d, want about log₄ of a million, 10", deepest)
	}
}

func TestRecordFootprint(t *testing.T) {
	old, err := ParseRelease("4.2")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		r                 Release
		key, value, depth int
		want              int64
	}{
		// 16 and the links and the key, then 47 and the value on the next 32.
		{Newest(), 1, 17, 1, 16 + 8 + 1 + 64},
		{Newest(), 1, 18, 1, 16 + 8 + 1 + 96},
		{Newest(), 3, 300, 2, 16 + 16 + 3 + 352},
		{Newest(), 3, 305, 10, 16 + 80 + 3 + 352},
		{Newest(), 3, 306, 1, 16 + 8 + 3 + 384},
		{Newest(), 0, 0, 1, 16 + 8 + 64},
		{old, 1, 26, 1, 16 + 8 + 1 + 64},
		{old, 1, 27, 1, 16 + 8 + 1 + 96},
	} {
		if got := tt.r.RecordFootprint(tt.key, tt.value, tt.depth); got != tt.want {
			t.Errorf("%s: key %d, value %d, depth %d: %d, want %d", tt.r, tt.key, tt.value, tt.depth, got, tt.want)
		}
	}
}

func TestAlign(t *testing.T) {
	for _, tt := range [][2]int64{{0, 0}, {1, 4096}, {4095, 4096}, {4096, 4096}, {4097, 8192}, {1 << 40, 1 << 40}, {1<<40 + 1, 1<<40 + 4096}} {
		if got := Align(tt[0], 4096); got != tt[1] {
			t.Errorf("Align(%d, 4096) = %d, want %d", tt[0], got, tt[1])
		}
	}
}

func TestFeedbackStep(t *testing.T) {
	for page, want := range map[int64]int64{32 << 10: 3276, 16 << 10: 1638, 4096: 409} {
		if got := FeedbackStep(page); got != want {
			t.Errorf("FeedbackStep(%d) = %d, want %d", page, got, want)
		}
	}
}
