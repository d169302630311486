package estimate

import (
	"fmt"
	"math"
)

// explainAbove is the error of the self-check beyond which it is explained.
const explainAbove = 0.03

// selfCheck compares the projection for the compressor that the collection has
// with the file that a server reports.
func (k *collector) selfCheck(r *CollectionResult) {
	cur := r.Current
	if cur == nil || cur.StorageSize == 0 || cur.Compressor == "" {
		return
	}
	c := r.compressor(cur.Compressor)
	if c == nil {
		return
	}
	s := &SelfCheck{Projected: c.StorageSize, Actual: cur.StorageSize - cur.FreeStorageSize}
	if s.Actual <= 0 {
		return
	}
	s.ErrorRatio = round(float64(s.Projected)/float64(s.Actual)-1, 4)
	s.WindowedShare = k.windowedShare(*c, s.Actual)
	if math.Abs(s.ErrorRatio) > explainAbove {
		s.Why = k.explainOff(*s, *cur, *c)
	}
	r.SelfCheck = s
}

// compressor is the result under a compressor at its default level.
func (r *CollectionResult) compressor(name string) *CompressorResult {
	for i := range r.Compressors {
		if r.Compressors[i].Name() == name {
			return &r.Compressors[i]
		}
	}
	return nil
}

// windowedShare is the share of records that seem to carry time windows: where
// the actual size lies between the file without and the file with windows.
func (k *collector) windowedShare(c CompressorResult, actual int64) float64 {
	with, without := float64(c.WithTimeWindows), float64(c.StorageSize)
	if k.t.topology == Replset {
		with, without = without, with
	}
	if with == 0 || without == 0 || math.Abs(with/without-1) < worthWarning {
		return 0
	}
	return round(math.Min(1, math.Max(0, (float64(actual)-without)/(with-without))), 2)
}

func (k *collector) explainOff(s SelfCheck, cur Current, c CompressorResult) (why []string) {
	if free := float64(cur.FreeStorageSize) / float64(cur.StorageSize); free > 0.2 {
		why = append(why, fmt.Sprintf("%.0f %% of the file is free for reuse: pages around it were rewritten and may be emptier than new ones", 100*free))
	}
	if s.Projected < s.Actual {
		if s.WindowedShare > 0.05 {
			why = append(why, fmt.Sprintf("about %.0f %% of the records seem to carry time windows", 100*s.WindowedShare))
		}
		why = append(why, "updates and deletes leave pages less full than a load does: an initial sync or a restore would come closer to the projection")
	}
	if c.Compressor == "zstd" {
		level := c.Level
		if k.c.Stats != nil && k.c.Stats.Server.ZstdLevel != 0 {
			level = k.c.Stats.Server.ZstdLevel
		}
		why = append(why, fmt.Sprintf("level %d is assumed: pages written under another zstd level keep it, and the file does not say which", level))
	}
	if s.Projected > s.Actual && c.SamplingError > math.Abs(s.ErrorRatio)/2 {
		why = append(why, "the sample is small for how much the collection varies")
	}
	return why
}
