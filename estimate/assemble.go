package estimate

import (
	"fmt"
	"math"
	"sort"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/project"
	"github.com/wtsize/wtsize/estimate/wt"
	"github.com/wtsize/wtsize/sampler"
)

// describe is what is known of a collection before any page is built.
func (k *collector) describe(end sampler.End) CollectionResult {
	r := CollectionResult{
		NS: k.c.NS.String(), Type: k.c.Type, Count: end.Count, Size: end.Size, CountKind: "measured",
		Table:    tableInfo(k.t.settings),
		Warnings: append(append([]sampler.Warning{}, k.c.Warnings...), k.warnings...),
		Sample: SampleInfo{
			Documents: end.Documents, Bytes: end.Bytes, Runs: max(1, k.runs), Complete: end.Fault == nil,
			Method: end.Method, Partial: end.Fault != nil,
		},
	}
	if end.Documents == 0 {
		r.Sample.Runs = 0
	}
	if !end.CountMeasured {
		r.CountKind = "projected"
	}
	if r.Count == 0 && end.Fault != nil || end.Fault != nil && end.CountMeasured {
		r.Count, r.Size = end.Documents, end.Bytes
	}
	if r.Count > 0 {
		r.AvgObjSize = r.Size / r.Count
	}
	if half := int64(math.Ceil(project.Normal(k.e.opts.Confidence) * end.CountStdErr)); half > 0 {
		r.CountLow, r.CountHigh = max(r.Sample.Documents, r.Count-half), r.Count+half
	}
	r.Current = k.current()
	return r
}

func (k *collector) current() *Current {
	s := k.c.Stats
	cur := Current{Compressor: wt.CompressorIn(k.c.ConfigString)}
	if s != nil {
		cur.StorageSize, cur.FreeStorageSize, cur.TotalIndexSize = s.StorageSize, s.FreeStorageSize, s.TotalIndexSize
		if s.Compressor != "" {
			cur.Compressor = s.Compressor
		}
	}
	if cur == (Current{}) {
		return nil
	}
	return &cur
}

// compressors fills in one result for each setting.
func (k *collector) compressors(r *CollectionResult, all []projected, batches *batcher) error {
	for i, p := range all {
		s := k.e.opts.Compressors[i]
		c, err := codec.New(s)
		if err != nil {
			return err
		}
		ratio, err := batches.ratio(s, k.e.opts.Jobs)
		if err != nil {
			return err
		}
		out := k.compressor(s, c.Info(), p, r)
		out.BatchRatio = round(ratio, 4)
		if err := k.time(&out, s, p.images); err != nil {
			return err
		}
		r.Compressors = append(r.Compressors, out)
		r.Warnings = append(r.Warnings, k.doubts(out, p, r.Size)...)
	}
	r.Warnings = append(r.Warnings, cliffWarnings(r.Compressors)...)
	return nil
}

// wideInterval is the half-width, relative, beyond which a larger sample is
// recommended.
const wideInterval = 0.05

// doubts are what the reader of a compressor's row should know.
func (k *collector) doubts(c CompressorResult, p projected, size int64) (out []sampler.Warning) {
	switch {
	case math.IsInf(p.ratio.StdErr, 1):
		out = append(out, sampler.Warning{Code: "wide-interval", Text: c.Name() +
			": one place of the collection was read, which says nothing of how others differ; --sample takes more"})
	case c.SamplingError > wideInterval:
		cure := "--sample all leaves no such doubt"
		if more := float64(p.sampled) * p.ratio.Needed(k.e.opts.Confidence, wideInterval); more < float64(size) {
			cure = fmt.Sprintf("--sample %.0fMiB would bring that to ± %.0f %%", math.Ceil(more/(1<<20)), 100*wideInterval)
		}
		out = append(out, sampler.Warning{Code: "wide-interval", Text: fmt.Sprintf(
			"%s: the collection varies by ± %.0f %% between the places read; %s", c.Name(), 100*c.SamplingError, cure)})
	}
	return out
}

func (k *collector) compressor(s codec.Setting, info codec.Info, p projected, r *CollectionResult) CompressorResult {
	f := p.file
	out := CompressorResult{
		Compressor: s.Name, Level: s.Level, Confidence: k.e.opts.Confidence,
		Codec:       Codec{Library: info.Library, Version: info.Version, Exact: info.Exact, ErrorBand: info.ErrorBand},
		StorageSize: f.Size, LeafPages: f.LeafPages, InternalPages: f.InternalPages,
		UncompressedPages: f.Uncompressed, Ledger: Ledger(f.Ledger),
		Cliff: cliff(f, margin(s)),
	}
	if f.LeafPages > 0 {
		out.PageImageBytes = f.Images / f.LeafPages
		out.PageDiskBytes = f.LeafDisk / f.LeafPages
		out.Inflation = round(float64(f.Images)/float64(f.LeafDisk), 4)
	}
	if r.Sample.Bytes > p.sampled && p.sampled > 0 {
		out.SampleBytes = p.sampled
	}
	if r.Size > 0 {
		out.Ratio = round(float64(f.Size)/float64(r.Size), 6)
	}
	for bytes, pages := range f.Blocks {
		out.PageDiskHistogram = append(out.PageDiskHistogram, HistogramBar{bytes, pages})
	}
	sort.Slice(out.PageDiskHistogram, func(i, j int) bool {
		return out.PageDiskHistogram[i].Bytes < out.PageDiskHistogram[j].Bytes
	})
	k.interval(&out, p, info)
	return out
}

// interval bounds the size: what other courses of events and a codec of
// another version would give, and what another sample would.
func (k *collector) interval(out *CompressorResult, p projected, info codec.Info) {
	f := p.file
	low, high := p.low, p.high
	if !info.Exact {
		low, high = low-f.Down, high+f.Up
	}
	size := math.Max(1, float64(f.Size))
	out.ModelSpread = round(math.Max(float64(high-f.Size), float64(f.Size-low))/size, 6)
	out.SamplingError = 1 // one place says nothing of others
	if h := p.ratio.HalfWidth(k.e.opts.Confidence); !math.IsInf(h, 1) {
		out.SamplingError = round(h, 6)
	}
	// They are independent: they add in squares.
	sampling := math.Hypot(out.SamplingError*size, project.Normal(k.e.opts.Confidence)*p.phase)
	up := math.Hypot(float64(high-f.Size), sampling)
	down := math.Hypot(float64(f.Size-low), sampling)
	out.StorageSizeLow = max(0, f.Size-int64(math.Ceil(down)))
	out.StorageSizeHigh = f.Size + int64(math.Ceil(up))
}

// round keeps figures readable in JSON.
func round(x float64, digits int) float64 {
	k := math.Pow10(digits)
	return math.Round(x*k) / k
}
