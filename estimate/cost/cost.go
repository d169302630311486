// Package cost turns the size of a collection's file into what it costs to use:
// time to scan it and to read one document, bytes that enter the cache, misses
// of a working set, CPU to load it, bytes that checkpoints and the journal write.
//
// Everything is a pure function of small values:
//
//	Table   the file: documents, bytes, leaf pages by size, codec speed
//	Disk    throughput, IOPS and latency of a device; Presets and ParseDisk
//	CPU     what the server spends besides the codec, per record
//	Model   Disk, CPU, caches: where the Table is read
//	Load    how it is used: working set, skew, inserts and updates
//
// Model.Costs gives all of it for one Table; BreakEven and Winners compare
// several. Sizes are bytes, times seconds unless a name ends in Ns.
//
// The formulas are sums and products of a few measured constants. Their purpose
// is the difference between compressors on one machine: the ratio of two scans
// is good to about 20 %, a time in seconds to whatever the constants are on
// the machine in question.
package cost

import "math"

// CPU is what the server's own code costs on one core, besides the codec.
type CPU struct {
	// PagePerRecordNs is spent for each record of a page that enters the cache:
	// reading its cells and setting up the in-memory page.
	PagePerRecordNs float64
	// PerDocumentNs is spent for each document that a query looks at.
	PerDocumentNs float64
	// PerInsertNs is spent to insert a document, the compressor excluded.
	PerInsertNs float64
	// PerRecordCacheBytes is what a record costs in cache beyond its bytes in
	// the page image.
	PerRecordCacheBytes float64
	// OSCacheBytesPerSecond is how fast a block is copied out of the operating
	// system's page cache.
	OSCacheBytesPerSecond float64
}

// DefaultCPU holds figures of one laptop core of 2024 with MongoDB 8.3:
//
//   - building a page takes 100 to 150 ns a record, matching 190 to 220 ns a
//     document: the middle of each;
//   - a million documents of 461 bytes scan in 455 ms from the OS cache without
//     compression: what the two leave of it, 85 to 165 ms for 475 MB, is the
//     copy, about 4 GB/s;
//   - a million inserts took 2.3 to 2.9 s of CPU without compression;
//   - such a document occupies 1.12 to 1.13 times its BSON bytes in cache: 52
//     bytes beyond the 465 that it takes in the page image.
func DefaultCPU() CPU {
	return CPU{
		PagePerRecordNs:       125,
		PerDocumentNs:         205,
		PerInsertNs:           2600,
		PerRecordCacheBytes:   52,
		OSCacheBytesPerSecond: 4e9,
	}
}

// Model is where a table is read.
type Model struct {
	Disk Disk
	CPU  CPU
	// CacheBytes is the configured size of the WiredTiger cache.
	CacheBytes int64
	// OSCacheBytes is the memory that the operating system can spend on caching
	// the file; 0 when there is none to count on.
	OSCacheBytes int64
	// IDLeaf are the leaf pages of the _id index, IDLeaf.Pages 0 when there is
	// none (clustered collections). Indexes are not compressed.
	IDLeaf Class
	// IDCached: the leaf pages of the _id index are in cache, so that a cold
	// point read misses once and not twice.
	IDCached bool
}

// Load is how a collection is used. The zero value reads all documents equally
// often and writes nothing.
type Load struct {
	// WorkingSet is the share of documents that are read, in (0, 1]; 0 means 1.
	WorkingSet float64
	// HotReads is the share of reads that go to HotData, a share of the working
	// set: 0.9 and 0.05 for "90/5". Both 0: no skew.
	HotData, HotReads float64
	// InsertsPerSecond and UpdatesPerSecond to random documents.
	InsertsPerSecond, UpdatesPerSecond float64
	// IndexBytesPerDocument is what a document adds to all indexes.
	IndexBytesPerDocument float64
}

// Costs are the figures of estimate.Costs, field by field.
type Costs struct {
	ScanSeconds              float64
	ScanSecondsOverlapped    float64
	ScanSecondsCached        float64
	PointReadSeconds         float64
	PointReadCacheBytes      int64
	LoadCPUSeconds           float64
	CheckpointBytesPerMinute int64
	JournalBytesPerMinute    int64
	MissesPerRead            float64
	WorkingSetCacheBytes     int64
}

// Costs computes every figure for one table.
func (m Model) Costs(t Table, l Load) Costs {
	scan := m.Scan(t)
	read := m.PointRead(t)
	set := m.WorkingSet(t, l)
	return Costs{
		ScanSeconds:              scan.Cold,
		ScanSecondsOverlapped:    scan.Overlapped,
		ScanSecondsCached:        scan.Cached,
		PointReadSeconds:         read.Seconds,
		PointReadCacheBytes:      whole(read.CacheBytes),
		LoadCPUSeconds:           m.CPU.Insert(t),
		CheckpointBytesPerMinute: whole(CheckpointWrites(t, l, minute).BlockBytes),
		JournalBytesPerMinute:    whole(JournalBytes(t, l, minute)),
		MissesPerRead:            m.Misses(set, l),
		WorkingSetCacheBytes:     whole(set),
	}
}

// whole rounds a byte count.
func whole(bytes float64) int64 { return int64(math.Round(bytes)) }

const nano = 1e-9
