package estimate

import (
	"github.com/wtsize/wtsize/estimate/advise"
	"github.com/wtsize/wtsize/sampler"
)

// advice asks for a recommendation on what was found.
func (k *collector) advice(r *CollectionResult) {
	if r.Count == 0 || len(r.Compressors) < 2 {
		return
	}
	in := advise.Input{
		DB: k.c.NS.DB, Coll: k.c.NS.Coll, Size: r.Size, IndexBytes: r.TotalIndexSize,
		Sample: advise.Sample{Bytes: r.Sample.Bytes, Complete: r.Sample.Complete},
		Collection: advise.Collection{
			Options: k.c.Options, Capped: r.Type == sampler.Capped, TimeSeries: r.Type == sampler.TimeSeries,
			Sharded: k.c.Stats != nil && k.c.Stats.Server.Topology == "sharded",
		},
	}
	if r.Current != nil {
		in.Current = r.Current.Compressor
	}
	if k.c.Stats != nil {
		in.ZstdLevel = k.c.Stats.Server.ZstdLevel
	}
	if a := k.e.opts.Costs.Disk; !k.e.opts.NoTimings {
		in.Disk = a.Profile
	}
	for _, c := range r.Compressors {
		o := advise.Option{
			Compressor: c.Compressor, Level: c.Level,
			StorageSize: c.StorageSize, Low: c.StorageSizeLow, High: c.StorageSizeHigh,
			SamplingError: c.SamplingError, CompressNs: c.CompressNsPerByte, DecompressNs: c.DecompressNsPerByte,
		}
		if c.Costs != nil {
			o.PointReadCacheBytes = c.Costs.PointReadCacheBytes
			o.ScanSeconds, o.PointReadSeconds = c.Costs.ScanSeconds, c.Costs.PointReadSeconds
		}
		in.Options = append(in.Options, o)
	}
	a := Advice(advise.Advise(in))
	r.Advice = &a
}
