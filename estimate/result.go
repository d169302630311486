package estimate

import (
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/sampler"
)

// SchemaVersion is the version of the JSON result. Fields may be added within
// a version; a reader refuses a newer one.
const SchemaVersion = 1

// Result is everything wtsize found out: one value, rendered by package report.
// Byte counts are bytes, times seconds (…Seconds) or nanoseconds (…Ns). A field
// that is absent from the JSON is not known. Except for fields marked "time",
// the same input and seed give the same bytes.
type Result struct {
	SchemaVersion int                `json:"schemaVersion"`
	Tool          Tool               `json:"tool"`
	Command       []string           `json:"command,omitempty"` // as typed, credentials removed
	Seed          int64              `json:"seed"`
	Source        SourceInfo         `json:"source"`
	Assumptions   Assumptions        `json:"assumptions"`
	Collections   []CollectionResult `json:"collections"`
	Totals        Totals             `json:"totals"`
	Skipped       []Skipped          `json:"skipped,omitempty"`
	Interrupted   bool               `json:"interrupted,omitempty"`
	Warnings      []sampler.Warning  `json:"warnings,omitempty"`
}

// Tool names the program that made the result.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// SourceInfo is where the documents came from.
type SourceInfo struct {
	Kind string `json:"kind"` // bson|dump|archive|export|sample|live
	Name string `json:"name"`
}

// Assumptions are inputs of the model that were not measured on the data.
type Assumptions struct {
	Release     string  `json:"release"`
	Topology    string  `json:"topology"`
	InsertMode  string  `json:"insertPattern,omitempty"` // batched|single, for replset
	CacheBytes  int64   `json:"cacheBytes"`
	Overlap     float64 `json:"overlappingReconciliations"`
	Confidence  float64 `json:"confidence"`
	Disk        *Disk   `json:"disk,omitempty"`
	WorkingSet  float64 `json:"workingSet,omitempty"` // share of documents
	HotData     float64 `json:"hotData,omitempty"`    // share of the working set that is hot
	HotReads    float64 `json:"hotReads,omitempty"`   // share of reads that go there
	InsertsPerS float64 `json:"insertsPerSecond,omitempty"`
	UpdatesPerS float64 `json:"updatesPerSecond,omitempty"`
}

// Disk is a disk profile.
type Disk struct {
	Profile                  string  `json:"profile"`
	ThroughputBytesPerSecond float64 `json:"throughputBytesPerSecond"`
	IOPS                     float64 `json:"iops"`
	LatencySeconds           float64 `json:"latencySeconds"`
	Source                   string  `json:"source,omitempty"` // where the figures come from
}

// CollectionResult is one collection under every compressor tried.
type CollectionResult struct {
	NS          string             `json:"ns"`
	Type        sampler.Type       `json:"type"`
	Count       int64              `json:"count"`
	Size        int64              `json:"size"`
	AvgObjSize  int64              `json:"avgObjSize"`
	CountKind   string             `json:"countKind"` // measured|projected
	CountLow    int64              `json:"countLow,omitempty"`
	CountHigh   int64              `json:"countHigh,omitempty"`
	SizeLow     int64              `json:"sizeLow,omitempty"`
	SizeHigh    int64              `json:"sizeHigh,omitempty"`
	Sample      SampleInfo         `json:"sample"`
	Current     *Current           `json:"current,omitempty"`
	Table       TableInfo          `json:"table"`
	Compressors []CompressorResult `json:"compressors"`
	Indexes     []IndexResult      `json:"indexes,omitempty"`
	// TotalIndexSize is the sum of the sizes in Indexes.
	TotalIndexSize int64         `json:"totalIndexSize,omitempty"`
	BreakEven      []BreakEven   `json:"breakEven,omitempty"` // time
	Winners        []Winner      `json:"winners,omitempty"`   // time
	SelfCheck      *SelfCheck    `json:"selfCheck,omitempty"`
	Fields         []FieldResult `json:"fields,omitempty"`
	// ShortNames is what the file would lose with field names of one or two
	// letters, by compressor.
	ShortNames map[string]int64  `json:"shortNamesSave,omitempty"`
	WhatIf     []WhatIf          `json:"whatIf,omitempty"`
	Advice     *Advice           `json:"advice,omitempty"`
	Warnings   []sampler.Warning `json:"warnings,omitempty"`
}

// SampleInfo says what the figures of a collection rest on.
type SampleInfo struct {
	Documents int64  `json:"documents"`
	Bytes     int64  `json:"bytes"`
	Runs      int    `json:"runs"`
	Complete  bool   `json:"complete"`
	Method    string `json:"method"` // all|runs|head|single|...
	Partial   bool   `json:"partial"`
}

// Current is what the collection is stored with today.
type Current struct {
	Compressor      string `json:"compressor,omitempty"`
	StorageSize     int64  `json:"storageSize,omitempty"`
	FreeStorageSize int64  `json:"freeStorageSize,omitempty"`
	TotalIndexSize  int64  `json:"totalIndexSize,omitempty"`
}

// TableInfo holds the table settings the pages were built with.
type TableInfo struct {
	LeafPageMax        int64 `json:"leafPageMax"`
	InternalPageMax    int64 `json:"internalPageMax"`
	MemoryPageMax      int64 `json:"memoryPageMax"`
	MemoryPageImageMax int64 `json:"memoryPageImageMax"`
	AllocationSize     int64 `json:"allocationSize"`
}

// CompressorResult is the collection's file under one compressor.
type CompressorResult struct {
	Compressor string `json:"compressor"` // none|snappy|zlib|zstd
	Level      int    `json:"level,omitempty"`
	Codec      Codec  `json:"codec"`
	// StorageSize is the projected file size; Low and High bound it at
	// Confidence for sampling and the model's spread together.
	StorageSize     int64   `json:"storageSize"`
	StorageSizeLow  int64   `json:"storageSizeLow"`
	StorageSizeHigh int64   `json:"storageSizeHigh"`
	Confidence      float64 `json:"confidence"`
	// The two parts of the interval, as half-widths relative to StorageSize.
	SamplingError float64 `json:"samplingError"`
	ModelSpread   float64 `json:"modelSpread"`
	// WithTimeWindows is the storageSize of the other topology, when it was
	// computed because none was stated.
	WithTimeWindows int64   `json:"storageSizeWithTimeWindows,omitempty"`
	Ratio           float64 `json:"ratio"` // storageSize / size
	// SampleBytes of BSON in every fourth or second run of the sample, where these agreed
	// so well that the others were not compressed; 0: all of the sample.
	SampleBytes    int64   `json:"sampleBytes,omitempty"`
	LeafPages      int64   `json:"leafPages"`
	InternalPages  int64   `json:"internalPages"`
	PageImageBytes int64   `json:"pageImageBytes"` // mean
	PageDiskBytes  int64   `json:"pageDiskBytes"`  // mean
	Inflation      float64 `json:"inflation"`      // page in cache / page on disk
	BatchRatio     float64 `json:"batchRatio,omitempty"`

	PageDiskHistogram []HistogramBar `json:"pageDiskHistogram,omitempty"`
	UncompressedPages int64          `json:"uncompressedPages"`
	// Nanoseconds per uncompressed byte, one core. Time.
	CompressNsPerByte   float64 `json:"compressNsPerByte,omitempty"`
	DecompressNsPerByte float64 `json:"decompressNsPerByte,omitempty"`
	// CPUScaled: the times come from a fallback codec, scaled to the servers'.
	CPUScaled bool   `json:"cpuScaled,omitempty"`
	Cliff     *Cliff `json:"cliff,omitempty"`
	Ledger    Ledger `json:"ledger"`
	Costs     *Costs `json:"costs,omitempty"` // time
}

// Name is the compressor, with its level where that is not the default: zstd:3.
func (c CompressorResult) Name() string {
	return codec.Setting{Name: c.Compressor, Level: c.Level}.String()
}

// Codec identifies the library that compressed.
type Codec struct {
	Library string `json:"library"`
	Version string `json:"version"`
	// Exact: byte-identical in size to the codec that servers link.
	Exact bool `json:"exact"`
	// ErrorBand is the relative error of sizes when not exact, e.g. 0.05.
	ErrorBand float64 `json:"errorBand,omitempty"`
}

// HistogramBar counts leaf pages of one block size.
type HistogramBar struct {
	Bytes int64 `json:"bytes"`
	Pages int64 `json:"pages"`
}

// Cliff says whether many blocks sit next to a multiple of the allocation unit:
// just below it if larger output would cross it, just above if smaller would.
type Cliff struct {
	Near  bool    `json:"near"`
	Bytes int64   `json:"bytes,omitempty"` // the boundary that most of them are next to
	Share float64 `json:"share,omitempty"` // of leaf pages within the margin
	// Margin is by how much the codec's output is taken to differ, relative.
	Margin float64 `json:"margin,omitempty"`
	// Larger and Smaller are what output larger or smaller by Margin would do to
	// storageSize, relative; Smaller is negative. Swing is the greater of the two.
	Larger  float64 `json:"larger,omitempty"`
	Smaller float64 `json:"smaller,omitempty"`
	Swing   float64 `json:"swing,omitempty"`
}

// Ledger labels every byte of the file: the labels add up to File exactly.
// CompressionSaved is negative or zero.
type Ledger struct {
	Documents        int64 `json:"documents"`
	Cells            int64 `json:"cells"` // keys and cell headers
	Headers          int64 `json:"headers"`
	TimeWindows      int64 `json:"timeWindows"`
	Internal         int64 `json:"internal"` // internal pages' blocks
	CompressionSaved int64 `json:"compressionSaved"`
	Rounding         int64 `json:"rounding"`
	File             int64 `json:"file"` // descriptor, extent lists, unused blocks
}

// Costs are what the stored bytes cost on the assumed disk. Time.
type Costs struct {
	ScanSeconds              float64 `json:"scanSeconds"`
	ScanSecondsLow           float64 `json:"scanSecondsOverlapped"` // disk and CPU fully overlapped
	ScanSecondsCached        float64 `json:"scanSecondsCached"`     // file in the OS cache
	PointReadSeconds         float64 `json:"pointReadSeconds"`
	PointReadCacheBytes      int64   `json:"pointReadCacheBytes"`
	LoadCPUSeconds           float64 `json:"loadCpuSeconds"`
	CheckpointBytesPerMinute int64   `json:"checkpointBytesPerMinute,omitempty"`
	JournalBytesPerMinute    int64   `json:"journalBytesPerMinute,omitempty"`
	MissesPerRead            float64 `json:"missesPerRead"`
	WorkingSetCacheBytes     int64   `json:"workingSetCacheBytes"`
}

// IndexResult is one index.
type IndexResult struct {
	Name     string `json:"name"`
	Key      any    `json:"key"` // the key pattern
	Kind     string `json:"kind,omitempty"`
	Entries  int64  `json:"entries"`
	Size     int64  `json:"size"` // bulk build, unless Build says otherwise
	SizeLow  int64  `json:"sizeLow"`
	SizeHigh int64  `json:"sizeHigh"`
	Build    string `json:"build"` // bulk|inserts
	// SizeInserts is the blocks in use when grown by inserts, where that is another
	// figure, with an interval from a sample; SizeReplset is the file when grown on a
	// replica set, with time windows, where a sample tells.
	SizeInserts     int64             `json:"sizeInserts,omitempty"`
	SizeInsertsLow  int64             `json:"sizeInsertsLow,omitempty"`
	SizeInsertsHigh int64             `json:"sizeInsertsHigh,omitempty"`
	SizeReplset     int64             `json:"sizeReplset,omitempty"`
	Current         int64             `json:"current,omitempty"` // live: file size now
	Hypothetical    bool              `json:"hypothetical,omitempty"`
	Approximate     bool              `json:"approximate,omitempty"`
	Warnings        []sampler.Warning `json:"warnings,omitempty"`
}

// BreakEven is where two compressors tie; absent figures mean they never do.
// Time.
type BreakEven struct {
	A                            string  `json:"a"`
	B                            string  `json:"b"`
	ScanThroughputBytesPerSecond float64 `json:"scanThroughputBytesPerSecond,omitempty"`
	PointReadLatencySeconds      float64 `json:"pointReadLatencySeconds,omitempty"`
	// PointReadThroughputBytesPerSecond ties one cold point read.
	PointReadThroughputBytesPerSecond float64 `json:"pointReadThroughputBytesPerSecond,omitempty"`
}

// Winner names the fastest compressors on one disk profile. Time.
type Winner struct {
	Disk      string `json:"disk"`
	Scan      string `json:"scan"`      // cold full scan
	PointRead string `json:"pointRead"` // cold
}

// SelfCheck compares the projection for today's compressor with the live file.
type SelfCheck struct {
	Projected  int64   `json:"projected"`
	Actual     int64   `json:"actual"` // storageSize - freeStorageSize
	ErrorRatio float64 `json:"errorRatio"`
	// WindowedShare is the share of records that seems to carry time windows.
	WindowedShare float64  `json:"windowedShare,omitempty"`
	Why           []string `json:"why,omitempty"`
}

// FieldResult is what one field path costs.
type FieldResult struct {
	Path      string           `json:"path"`
	Type      string           `json:"type"`
	Share     float64          `json:"documents"` // share of documents that have it
	Raw       int64            `json:"rawBytes"`
	NameBytes int64            `json:"nameBytes"`   // of them, the path's own name
	Stored    map[string]int64 `json:"storedBytes"` // by compressor: the file less the file without the path
}

// WhatIf is the file under another table setting.
type WhatIf struct {
	Setting     string           `json:"setting"`
	StorageSize map[string]int64 `json:"storageSize"` // by compressor
}

// Advice is the recommendation.
type Advice struct {
	Action     string   `json:"action"` // change|keep|undecided
	Compressor string   `json:"compressor,omitempty"`
	Level      int      `json:"level,omitempty"`
	SavesBytes int64    `json:"savesBytes,omitempty"`
	Why        []string `json:"why"`
	Commands   []string `json:"commands,omitempty"`
}

// Totals sums the collections.
type Totals struct {
	Count          int64            `json:"count"`
	Size           int64            `json:"size"`
	StorageSize    map[string]int64 `json:"storageSize"`
	TotalIndexSize int64            `json:"totalIndexSize,omitempty"`
}

// Skipped is a namespace without figures, or one that was cut short.
type Skipped struct {
	NS      string `json:"ns"`
	Why     string `json:"why"`
	Hint    string `json:"hint,omitempty"`
	Source  string `json:"source,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
	Partial bool   `json:"partial,omitempty"` // figures of what was read are given
	// Expected: nothing is wrong, the namespace never has figures.
	Expected bool `json:"expected,omitempty"`
}
