package codec

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// tickingClock advances by one step on each reading, so that every call that
// is timed takes exactly one step.
func tickingClock(step time.Duration) func() time.Duration {
	now := time.Duration(0)
	return func() time.Duration {
		now += step
		return now
	}
}

func TestMeasureCountsPerByte(t *testing.T) {
	images := [][]byte{generatePage(1, 1000), generatePage(2, 2000), generatePage(3, 4000)}
	got, err := Measure(Setting{Name: Snappy}, images, MeasureOptions{
		Budget: time.Hour, Rounds: 4, Clock: tickingClock(1000 * time.Nanosecond),
	})
	if err != nil {
		t.Fatal(err)
	}
	// 1000 ns on 1000, 2000 and 4000 bytes: 1, 0.5 and 0.25 ns a byte.
	want := Spread{Median: 0.5, Low: 0.375, High: 0.75}
	if got.Compress != want || got.Decompress != want {
		t.Errorf("compress %+v, decompress %+v; want %+v", got.Compress, got.Decompress, want)
	}
	if got.Images != 3 || got.Kept != 3 || got.Rounds != 4 || got.Scaled || !strings.HasPrefix(got.Library, "golang/snappy") {
		t.Errorf("Measure = %+v", got)
	}
}

func TestMeasureStopsWithTheBudget(t *testing.T) {
	images := [][]byte{generatePage(1, 1000), generatePage(2, 1000), generatePage(3, 1000)}
	for _, tt := range []struct {
		budget         time.Duration
		images, rounds int
	}{
		{1, 1, 0},                     // over at once: one image all the same
		{7 * time.Millisecond, 2, 0},  // half of it; 3 readings an image
		{40 * time.Millisecond, 3, 2}, // 9 a round
		{time.Hour, 3, 9},             // the default number of rounds
	} {
		got, err := Measure(Setting{Name: Snappy}, images, MeasureOptions{Budget: tt.budget, Clock: tickingClock(time.Millisecond)})
		if err != nil || got.Images != tt.images || got.Rounds != tt.rounds {
			t.Errorf("budget %v: %d images, %d rounds, %v; want %d, %d", tt.budget, got.Images, got.Rounds, err, tt.images, tt.rounds)
		}
	}
}

func TestMeasureIncompressible(t *testing.T) {
	got, err := Measure(Setting{Zstd, 1}, [][]byte{sources()["random"]}, MeasureOptions{Rounds: 1})
	if err != nil || got.Kept != 0 || got.Images != 1 || got.Decompress != (Spread{}) || got.Compress.Median <= 0 {
		t.Errorf("Measure(random) = %+v, %v", got, err)
	}
}

func TestMeasureNoneAndNothing(t *testing.T) {
	image := [][]byte{generatePage(1, 1000)}
	if got, err := Measure(Setting{Name: None}, image, MeasureOptions{}); err != nil || got.Compress != (Spread{}) {
		t.Errorf("none: %+v, %v", got, err)
	}
	for _, images := range [][][]byte{nil, {{}}} {
		if _, err := Measure(Setting{Name: Snappy}, images, MeasureOptions{}); err == nil {
			t.Errorf("Measure on %d images without bytes succeeded", len(images))
		}
	}
	if _, err := Measure(Setting{Name: "lz4"}, image, MeasureOptions{}); err == nil {
		t.Error("Measure of an unknown compressor succeeded")
	}
}

// Times are scaled exactly where the codec is a stand-in, at every level.
func TestTimedCodec(t *testing.T) {
	for _, s := range mustParseList(t, usable) {
		c, scale, err := newTimed(s)
		if err != nil {
			t.Fatal(err)
		}
		if scaled := (scale != cpuScale{1, 1}); scaled != c.Info().CPUScaled {
			t.Errorf("%s: scale %+v with %+v", s, scale, c.Info())
		}
		if scale.compress <= 0 || scale.decompress <= 0 {
			t.Errorf("%s: scale %+v", s, scale)
		}
	}
	for level := 2; level < len(zstdLevelTimes); level++ {
		if zstdLevelTimes[level] < zstdLevelTimes[level-1] {
			t.Errorf("zstd level %d is said to be faster than %d", level, level-1)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   Spread
	}{
		{nil, Spread{}},
		{[]float64{3}, Spread{3, 3, 3}},
		{[]float64{2, 1}, Spread{1.5, 1.25, 1.75}},
		{[]float64{5, 1, 4, 2, 3}, Spread{3, 2, 4}},
	} {
		if got := spread(tt.values); got != tt.want {
			t.Errorf("spread(%v) = %+v, want %+v", tt.values, got, tt.want)
		}
	}
}

func TestSelfTest(t *testing.T) {
	settings := append(Defaults(), Setting{"lz4", 0})
	reports := SelfTest(settings, MeasureOptions{Budget: 20 * time.Millisecond})
	for i, r := range reports {
		if r.Setting != settings[i] {
			t.Errorf("report %d is about %s", i, r.Setting)
		}
		if bad := r.Setting.Name == "lz4"; bad != (r.Err != nil) {
			t.Errorf("%s: %v", r.Setting, r.Err)
		} else if bad {
			continue
		}
		none := r.Setting.Name == None
		if none != (r.Ratio == 1) || none != (r.Timing.Compress.Median == 0) || r.Ratio > 1 || r.Ratio < 0.1 {
			t.Errorf("%s: ratio %.3f, %+v", r.Setting, r.Ratio, r.Timing)
		}
		if r.Info.Library == "" || r.Info.Exact == (r.Info.ErrorBand > 0) {
			t.Errorf("%s: %+v", r.Setting, r.Info)
		}
	}
}

// The default clock moves with the work of this thread and never backwards.
func TestThreadTime(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	src := generatePage(1, 117_000)
	c := mustOpen(t, New, Setting{Zlib, 6})
	before := threadTime()
	for range 3 {
		if _, err := c.Compress(src); err != nil {
			t.Fatal(err)
		}
	}
	if after := threadTime(); after <= before {
		t.Errorf("three pages compressed from %v to %v", before, after)
	}
}
