package cost

import "math"

// ScanTimes are the seconds of one full scan (COLLSCAN) by one thread.
type ScanTimes struct {
	// Cold reads the file from the disk, at the disk's throughput: its blocks
	// lie in order and are read ahead. Disk and CPU take turns.
	Cold float64
	// Overlapped is the lower bound for Cold: the disk reads while the CPU works.
	Overlapped float64
	// Cached has the file in the operating system's cache, and nothing in
	// WiredTiger's.
	Cached float64
}

// Scan is the time of a full scan:
//
//	storageSize / throughput + images × decompress + count × (page + document)
func (m Model) Scan(t Table) ScanTimes {
	disk := float64(t.StorageSize) / m.Disk.Throughput
	cpu := m.CPU.scan(t)
	return ScanTimes{
		Cold:       disk + cpu,
		Overlapped: max(disk, cpu),
		Cached:     float64(t.StorageSize)/m.CPU.OSCacheBytesPerSecond + cpu,
	}
}

// scan is the CPU time of a full scan of blocks that are in memory.
func (c CPU) scan(t Table) float64 {
	perRecord := c.PagePerRecordNs + c.PerDocumentNs
	return (t.ImageBytes()*t.DecompressNs + float64(t.Count)*perRecord) * nano
}

// Read is one point read by _id that finds nothing in cache but the internal
// pages of the trees.
type Read struct {
	Seconds float64
	// Pages that are read: the data page, and the leaf of the _id index unless
	// that is cached.
	Pages float64
	// CacheBytes is what enters the cache: the whole image of the data page.
	CacheBytes float64
	// IndexBytes is what the leaf of the _id index adds to it.
	IndexBytes float64
	// DiskBytes is what comes from the file, both pages.
	DiskBytes float64
}

// PointRead is the cost of a document that is not in cache.
func (m Model) PointRead(t Table) Read {
	image, block := t.PageOfDocument()
	r := Read{
		Seconds:    m.Disk.ReadSeconds(block) + m.CPU.page(t, image),
		Pages:      1,
		CacheBytes: image,
		DiskBytes:  block,
	}
	if m.IDLeaf.Pages > 0 && !m.IDCached {
		r.Seconds += m.Disk.ReadSeconds(m.IDLeaf.BlockBytes)
		r.Pages++
		r.IndexBytes = m.IDLeaf.ImageBytes
		r.DiskBytes += m.IDLeaf.BlockBytes
	}
	return r
}

// page is the CPU time from a block in memory to one document of it: the whole
// image is decompressed and all its records are set up.
func (c CPU) page(t Table, image float64) float64 {
	return (image*t.DecompressNs + t.records(image)*c.PagePerRecordNs + c.PerDocumentNs) * nano
}

// ReadSeconds is the time of one random read of so many bytes: the latency and
// the transfer, but no less than the device's IOPS allow.
func (d Disk) ReadSeconds(bytes float64) float64 {
	s := d.Latency + bytes/d.Throughput
	if d.IOPS > 0 {
		s = math.Max(s, 1/d.IOPS)
	}
	return s
}
