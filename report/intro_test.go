package report

import (
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// What was read, and not what it was scaled to, is set against all there is.
func TestReadText(t *testing.T) {
	scaled := []sampler.Warning{{Code: estimate.ScaledCode}}
	whole := estimate.SampleInfo{Documents: 2000, Bytes: 1 << 20, Runs: 1, Complete: true}
	part := estimate.SampleInfo{Documents: 2000, Bytes: 1 << 20, Runs: 3}
	for _, c := range []struct {
		count    int64
		sample   estimate.SampleInfo
		warnings []sampler.Warning
		want     string
	}{
		{2000, whole, nil, "2,000 documents, 1.00 MiB, everything there is"},
		{9000, whole, scaled, "2,000 documents, 1.00 MiB, scaled to 9,000 documents"},
		{9000, part, nil, "2,000 documents of 9,000, 1.00 MiB, in 3 runs of neighbours"},
		{9000, part, scaled, "2,000 documents, 1.00 MiB, in 3 runs of neighbours, scaled to 9,000 documents"},
	} {
		r := estimate.Result{Collections: []estimate.CollectionResult{{Count: c.count, Sample: c.sample, Warnings: c.warnings}}}
		if got := strings.ReplaceAll(readText(r), nbsp, " "); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
