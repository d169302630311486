package codec

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
)

// Speeds on generated pages of the two sizes that are most common, with the
// library that New picks and with the pure Go one.
func BenchmarkCodec(b *testing.B) {
	for _, s := range mustParseList(b, "snappy,zlib,zstd,zstd:3,zstd:12") {
		for _, n := range []int{28_000, 117_000} {
			benchmarkPage(b, s.String(), New, s, n)
			if s.Name != Snappy {
				benchmarkPage(b, s.String()+"/fallback", NewFallback, s, n)
			}
		}
	}
}

func benchmarkPage(b *testing.B, name string, open func(Setting) (Codec, error), s Setting, n int) {
	c, err := open(s)
	if err != nil {
		b.Fatal(err)
	}
	src, dst := generatePage(1, n), make([]byte, n)
	if _, err := c.Compress(src); err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("%s/compress/%d", name, n), func(b *testing.B) {
		b.SetBytes(int64(n))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Compress(src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(fmt.Sprintf("%s/decompress/%d", name, n), func(b *testing.B) {
		b.SetBytes(int64(n))
		b.ReportAllocs()
		for b.Loop() {
			if err := c.Decompress(dst, c.Stored()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// What Measure reports against a plain loop over the same images with the same
// codec, in turn in one process: medians of the ratios, 1 where they agree.
func BenchmarkMeasureAgainstLoop(b *testing.B) {
	images := make([][]byte, 12)
	for i := range images {
		images[i] = generatePage(uint64(i), 117_000)
	}
	for _, s := range mustParseList(b, "snappy,zlib,zstd,zstd:3,zstd:12") {
		b.Run(s.String(), func(b *testing.B) {
			c := mustOpen(b, New, s)
			var compress, decompress []float64
			for b.Loop() {
				inLoop, outLoop := plainLoop(b, c, images)
				t, err := Measure(s, images, MeasureOptions{Rounds: loopRounds, Budget: time.Hour})
				if err != nil {
					b.Fatal(err)
				}
				compress = append(compress, t.Compress.Median/inLoop)
				decompress = append(decompress, t.Decompress.Median/outLoop)
			}
			slices.Sort(compress)
			slices.Sort(decompress)
			b.ReportMetric(compress[len(compress)/2], "compress-ratio")
			b.ReportMetric(decompress[len(decompress)/2], "decompress-ratio")
		})
	}
}

const loopRounds = 5

// plainLoop gives nanoseconds per byte of loops over all images: the least of
// each, as on a machine with other work any of them may be disturbed.
func plainLoop(b *testing.B, c Codec, images [][]byte) (compress, decompress float64) {
	b.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stored := make([][]byte, len(images))
	for i, image := range images {
		if _, err := c.Compress(image); err != nil {
			b.Fatal(err)
		}
		stored[i] = slices.Clone(c.Stored())
	}
	dst := make([]byte, longest(images))
	loop := func(one func(i int) error) float64 {
		least := make([]time.Duration, len(images))
		var sum time.Duration
		var bytes int
		for round := range loopRounds {
			for i := range images {
				start := threadTime()
				if err := one(i); err != nil {
					b.Fatal(err)
				}
				if d := threadTime() - start; round == 0 || d < least[i] {
					least[i] = d
				}
			}
		}
		for i, image := range images {
			sum += least[i]
			bytes += len(image)
		}
		return float64(sum) / float64(bytes)
	}
	compress = loop(func(i int) error { _, err := c.Compress(images[i]); return err })
	decompress = loop(func(i int) error { return c.Decompress(dst[:len(images[i])], stored[i]) })
	return compress, decompress
}
