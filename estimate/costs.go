package estimate

import (
	"github.com/wtsize/wtsize/estimate/cost"
	"github.com/wtsize/wtsize/estimate/wt"
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
		named[i] = cost.Named{Name: c.Name(), Table: CostTable(*r, *c)}
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

// CostTable is a collection's file under one of its compressors, as package cost
// takes it.
func CostTable(c CollectionResult, k CompressorResult) cost.Table {
	var leaf []cost.Class
	for _, bar := range k.PageDiskHistogram {
		leaf = append(leaf, cost.Class{Pages: bar.Pages, BlockBytes: float64(bar.Bytes)})
	}
	if len(leaf) == 0 { // a result from elsewhere may have means alone
		leaf = []cost.Class{{Pages: k.LeafPages, BlockBytes: float64(k.PageDiskBytes)}}
	}
	return cost.Table{
		Count: c.Count, Size: c.Size, StorageSize: k.StorageSize,
		Leaf:       cost.ShareImages(leaf, float64(k.PageImageBytes)*float64(k.LeafPages)),
		CompressNs: k.CompressNsPerByte, DecompressNs: k.DecompressNsPerByte,
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

// idLeaf is what a lookup by _id reads first. A clustered collection has none.
func idLeaf(indexes []IndexResult) cost.Class {
	for _, ix := range indexes {
		if ix.Name == "_id_" {
			return IndexLeaf(ix.Size)
		}
	}
	return cost.Class{}
}

// IndexLeaf gives the leaf pages of an index of size bytes. They are not
// compressed.
func IndexLeaf(size int64) cost.Class {
	page := wt.Index().LeafPageMax
	return cost.Class{Pages: (size + page - 1) / page, ImageBytes: float64(page), BlockBytes: float64(page)}
}

func diskOf(d cost.Disk) *Disk {
	return &Disk{
		Profile: d.Profile, ThroughputBytesPerSecond: d.Throughput, IOPS: d.IOPS,
		LatencySeconds: d.Latency, Source: d.Source,
	}
}
