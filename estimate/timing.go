package estimate

import (
	"time"

	"github.com/wtsize/wtsize/estimate/codec"
)

const (
	// timedImages of each setting are kept to time the codec on.
	timedImages = 24
	// timingBudget bounds the time spent on one setting of one collection.
	timingBudget = 120 * time.Millisecond
)

// time measures the codec on real page images.
func (k *collector) time(out *CompressorResult, s codec.Setting, images [][]byte) error {
	if k.e.opts.NoTimings || s.Name == codec.None || len(images) == 0 {
		return nil
	}
	t, err := codec.Measure(s, images, codec.MeasureOptions{Budget: timingBudget})
	if err != nil {
		return err
	}
	out.CompressNsPerByte = round(t.Compress.Median, 4)
	out.DecompressNsPerByte = round(t.Decompress.Median, 4)
	out.CPUScaled = t.Scaled
	return nil
}
