package estimate

import (
	"github.com/wtsize/wtsize/estimate/cost"
)

// CostOptions say where and how the collections are used. The zero value is
// completed by defaults.
type CostOptions struct {
	Disk cost.Disk // default: gp3
	// OSCacheBytes can cache files, 0 when there is none to count on.
	OSCacheBytes int64
	Load         cost.Load
}

// defaultDisk is the profile taken when none is given: what a cloud volume is
// unless somebody pays for more.
const defaultDisk = "gp3"

func (o CostOptions) withDefaults() (CostOptions, error) {
	var err error
	if o.Disk == (cost.Disk{}) {
		o.Disk, err = cost.ParseDisk(defaultDisk)
	}
	return o, err
}

// costs fills in what depends on codec times and the disk.
func (k *collector) costs(r *CollectionResult) {
	if k.e.opts.NoTimings || len(r.Compressors) == 0 || r.Count == 0 {
		return
	}
	o := k.e.opts.Costs
	m := cost.Model{
		Disk: o.Disk, CPU: cost.DefaultCPU(), CacheBytes: k.t.cache, OSCacheBytes: o.OSCacheBytes,
		IDLeaf: idLeaf(r.Indexes),
	}
	load := o.Load
	load.IndexBytesPerDocument = float64(r.TotalIndexSize) / float64(r.Count)
	named := make([]cost.Named, len(r.Compressors))
	for i := range r.Compressors {
		c := &r.Compressors[i]
		named[i] = cost.Named{Name: c.Name(), Table: costTable(*r, *c)}
		c.Costs = costsOf(m.Costs(named[i].Table, load))
	}
	for i, a := range named {
		for _, b := range named[i+1:] {
			if e := m.BreakEven(a.Table, b.Table); e != (cost.BreakEven{}) {
				r.BreakEven = append(r.BreakEven, BreakEven{
					A: a.Name, B: b.Name, ScanThroughputBytesPerSecond: e.ScanThroughput,
					PointReadThroughputBytesPerSecond: e.PointReadThroughput, PointReadLatencySeconds: e.PointReadLatency,
				})
			}
		}
	}
	for _, w := range m.Winners(named, cost.Presets()) {
		r.Winners = append(r.Winners, Winner{Disk: w.Profile, Scan: w.Scan, PointRead: w.PointRead})
	}
}

func costTable(r CollectionResult, c CompressorResult) cost.Table {
	var leaf []cost.Class
	for _, bar := range c.PageDiskHistogram {
		leaf = append(leaf, cost.Class{Pages: bar.Pages, BlockBytes: float64(bar.Bytes)})
	}
	return cost.Table{
		Count: r.Count, Size: r.Size, StorageSize: c.StorageSize,
		Leaf:       cost.ShareImages(leaf, float64(c.PageImageBytes)*float64(c.LeafPages)),
		CompressNs: c.CompressNsPerByte, DecompressNs: c.DecompressNsPerByte,
	}
}

func costsOf(c cost.Costs) *Costs {
	return &Costs{
		ScanSeconds: c.ScanSeconds, ScanSecondsLow: c.ScanSecondsOverlapped, ScanSecondsCached: c.ScanSecondsCached,
		PointReadSeconds: c.PointReadSeconds, PointReadCacheBytes: c.PointReadCacheBytes, LoadCPUSeconds: c.LoadCPUSeconds,
		CheckpointBytesPerMinute: c.CheckpointBytesPerMinute, JournalBytesPerMinute: c.JournalBytesPerMinute,
		MissesPerRead: c.MissesPerRead, WorkingSetCacheBytes: c.WorkingSetCacheBytes,
	}
}

// idLeaf is what a lookup by _id reads first: the index's leaf pages, which
// are not compressed. A clustered collection has none.
func idLeaf(indexes []IndexResult) cost.Class {
	const page = 16 << 10 // leaf_page_max of an index
	for _, ix := range indexes {
		if ix.Name == "_id_" && ix.Size > 0 {
			return cost.Class{Pages: max(1, ix.Size/page), ImageBytes: page, BlockBytes: page}
		}
	}
	return cost.Class{}
}

func diskOf(d cost.Disk) *Disk {
	return &Disk{
		Profile: d.Profile, ThroughputBytesPerSecond: d.Throughput, IOPS: d.IOPS,
		LatencySeconds: d.Latency, Source: d.Source,
	}
}
