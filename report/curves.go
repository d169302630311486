package report

import (
	"math"

	"github.com/wtsize/wtsize/estimate"
)

// The range of disk throughput that scan charts span, bytes per second: a tired
// hard disk to a set of NVMe drives.
const (
	slowestDisk = 10 * mb
	fastestDisk = 10_000 * mb
)

// A curve is the time of a full scan as a function of disk throughput: the file
// is read, then its pages are worked through.
type curve struct {
	label string
	bytes float64 // storageSize
	cpu   float64 // seconds
}

func (c curve) seconds(throughput float64) float64 { return c.bytes/throughput + c.cpu }

// curvesOf has one curve for each compressor with known costs; of several
// levels the server's default, else the first, stands for the compressor.
func curvesOf(c estimate.CollectionResult) []curve {
	var out []curve
	for _, k := range representatives(c) {
		if k.Costs != nil {
			out = append(out, curve{labelIn(c, k), float64(k.StorageSize), k.Costs.ScanSecondsCached})
		}
	}
	return out
}

// representatives has one result for each compressor, in the table's order.
func representatives(c estimate.CollectionResult) []estimate.CompressorResult {
	var out []estimate.CompressorResult
	seen := map[string]bool{}
	for _, k := range c.Compressors {
		if seen[k.Compressor] {
			continue
		}
		seen[k.Compressor] = true
		if best, ok := find(c, k.Compressor); ok {
			out = append(out, best)
		}
	}
	return out
}

// labelIn is the label of one of c's results.
func labelIn(c estimate.CollectionResult, k estimate.CompressorResult) string {
	return settingOf(c, k.Compressor, k.Level)
}

// fastest is the index of the curve that wins at a throughput; -1 for none.
func fastest(list []curve, throughput float64) int {
	best, at := math.Inf(1), -1
	for i, c := range list {
		if s := c.seconds(throughput); s < best {
			best, at = s, i
		}
	}
	return at
}

// crossing is where two curves meet, in bytes per second; 0 when they do not
// within the range that charts span.
func crossing(a, b curve) float64 {
	x := (a.bytes - b.bytes) / (b.cpu - a.cpu)
	if math.IsNaN(x) || x < slowestDisk || x > fastestDisk {
		return 0
	}
	return x
}

// logAt maps t in [0,1] to the charted range, evenly in the logarithm.
func logAt(t float64) float64 { return slowestDisk * math.Pow(fastestDisk/slowestDisk, t) }

// logPlace is the inverse of logAt.
func logPlace(throughput float64) float64 {
	return math.Log(throughput/slowestDisk) / math.Log(fastestDisk/slowestDisk)
}
