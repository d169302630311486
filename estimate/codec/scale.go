package codec

import (
	"math"

	"github.com/klauspost/compress/zstd"
)

// cpuScale turns times of a fallback into those of the C library.
type cpuScale struct{ compress, decompress float64 }

// newTimed returns the codec to measure a setting's time with, and the factor
// for its times: the codec that sizes come from where that is the C library
// (or golang/snappy, whose speed is near C's), else the fallback whose time is
// the steadiest proxy.
func newTimed(s Setting) (Codec, cpuScale, error) {
	c, err := New(s)
	if err != nil || !c.Info().CPUScaled {
		return c, cpuScale{1, 1}, err
	}
	if s.Name == Zlib {
		return c, cpuScale{pureZlibTime, pureZlibInflateTime}, nil
	}
	fast, err := openPureZstd(zstd.SpeedDefault)
	if err != nil {
		return nil, cpuScale{}, err
	}
	fast.setting, fast.info = s, c.Info()
	return fast, cpuScale{pureZstdTime * zstdLevelTime(s.Level), pureZstdDecodeTime}, nil
}

// Time of the C library relative to the pure Go codec that stands for it, on
// pages of 115 KiB, medians of 13 sets: klauspost zlib 7 against zlib 1.3 level
// 6, and klauspost zstd Default against libzstd level 6 (0.81 the other way
// round; 0.66 on pages of 32 KiB). These hold within a factor of two: the ratio
// of Go's time to C's moves with the load of the host.
const (
	pureZlibTime        = 2
	pureZlibInflateTime = 1 / 1.14
	pureZstdTime        = 1 / 0.81
	pureZstdDecodeTime  = 1 / 1.13
)

// zstdLevelTimes are compression times of libzstd 1.5.7 relative to level 6, on
// pages of 115 KiB.
var zstdLevelTimes = []struct {
	level int
	time  float64
}{{1, 0.22}, {3, 0.39}, {6, 1}, {9, 1.5}, {12, 5.9}, {15, 16}, {19, 49}, {22, 54}}

// zstdLevelTime interpolates zstdLevelTimes geometrically.
func zstdLevelTime(level int) float64 {
	for i := 1; i < len(zstdLevelTimes); i++ {
		a, b := zstdLevelTimes[i-1], zstdLevelTimes[i]
		if level <= b.level {
			p := float64(level-a.level) / float64(b.level-a.level)
			return a.time * math.Pow(b.time/a.time, p)
		}
	}
	return zstdLevelTimes[len(zstdLevelTimes)-1].time
}
