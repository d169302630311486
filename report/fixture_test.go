package report

import (
	"fmt"
	"math"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// The results in these tests are made up: round parameters from which every
// other figure follows by the model's own arithmetic, so that they are consistent
// (ledgers sum, costs match sizes) without being anybody's data.

// setting is a made-up codec: how far it shrinks an image and how fast it is.
type setting struct {
	name             string
	level            int
	ratio            float64 // block bytes / image bytes, before rounding
	compress, expand float64 // ns per byte
	image            int64
}

var fourSettings = []setting{
	{"none", 0, 1, 0, 0, 28_672},
	{"snappy", 0, 0.47, 2.1, 0.72, 66_700},
	{"zlib", 6, 0.262, 31.4, 3.65, 116_900},
	{"zstd", 6, 0.221, 14.8, 1.18, 117_300},
}

var gp3 = estimate.Disk{Profile: "gp3", ThroughputBytesPerSecond: 125e6, IOPS: 3000, LatencySeconds: 0.001,
	Source: "AWS documentation, gp3 baseline"}

// made builds one compressor's result for count documents of avg bytes.
func made(s setting, count, avg int64) estimate.CompressorResult {
	size := count * avg
	cells := count * 9
	pages := max((size+cells)/(s.image-28)+1, 1)
	headers := pages * 28
	image := (size + cells + headers) / pages
	raw := int64(float64(image) * s.ratio)
	block := (raw + 4095) / 4096 * 4096
	internal := (pages/200 + 1) * 8192
	storage := pages*block + internal + 4096
	saved := -(size + cells + headers - pages*raw)
	l := estimate.Ledger{Documents: size, Cells: cells, Headers: headers, Internal: internal,
		CompressionSaved: saved, Rounding: pages * (block - raw), File: 4096}
	half := int64(float64(storage) * 0.0213)
	cpu := float64(count)*320e-9 + float64(size+cells)*s.expand*1e-9
	return estimate.CompressorResult{
		Compressor: s.name, Level: s.level, Codec: codecOf(s.name),
		StorageSize: storage, StorageSizeLow: storage - half, StorageSizeHigh: storage + half,
		Confidence: 0.95, SamplingError: 0.0177, ModelSpread: 0.0118,
		Ratio: float64(storage) / float64(size), LeafPages: pages, InternalPages: pages/200 + 1,
		PageImageBytes: image, PageDiskBytes: block, Inflation: float64(image) / float64(block),
		BatchRatio:        s.ratio * 1.08,
		PageDiskHistogram: madeHistogram(block, pages),
		CompressNsPerByte: s.compress, DecompressNsPerByte: s.expand, Ledger: l,
		Cliff: &estimate.Cliff{},
		Costs: &estimate.Costs{
			ScanSeconds:         float64(storage)/gp3.ThroughputBytesPerSecond + cpu,
			ScanSecondsLow:      math.Max(float64(storage)/gp3.ThroughputBytesPerSecond, cpu),
			ScanSecondsCached:   cpu,
			PointReadSeconds:    gp3.LatencySeconds + float64(block)/gp3.ThroughputBytesPerSecond + float64(image)*s.expand*1e-9,
			PointReadCacheBytes: image, LoadCPUSeconds: float64(size) * s.compress * 1e-9,
			CheckpointBytesPerMinute: 12_000 * block, JournalBytesPerMinute: 61 * mib,
			MissesPerRead: 0.42, WorkingSetCacheBytes: size / 5,
		},
	}
}

func codecOf(name string) estimate.Codec {
	switch name {
	case "none":
		return estimate.Codec{Library: "none", Exact: true}
	case "zstd":
		return estimate.Codec{Library: "libzstd", Version: "1.5.7", Exact: true}
	case "zlib":
		return estimate.Codec{Library: "klauspost/compress", Version: "1.20.4", ErrorBand: 0.02}
	}
	return estimate.Codec{Library: "libsnappy", Version: "1.2.2", Exact: true}
}

// madeHistogram spreads pages over five block sizes around the mean.
func madeHistogram(block, pages int64) []estimate.HistogramBar {
	parts := []int64{6, 18, 52, 19, 5}
	var out []estimate.HistogramBar
	rest := pages
	for i, p := range parts {
		n := pages * p / 100
		if i == len(parts)-1 {
			n = rest
		}
		rest -= n
		if b := block + int64(i-2)*4096; b > 0 && n > 0 {
			out = append(out, estimate.HistogramBar{Bytes: b, Pages: n})
		}
	}
	return out
}

// madeCollection is complete but for indexes and advice.
func madeCollection(ns string, count, avg int64, list []setting) estimate.CollectionResult {
	c := estimate.CollectionResult{
		NS: ns, Type: sampler.Plain, Count: count, Size: count * avg, AvgObjSize: avg, CountKind: "measured",
		Sample: estimate.SampleInfo{Documents: min(count, 138_731), Bytes: min(count, 138_731) * avg, Runs: 128, Method: "runs"},
		Table: estimate.TableInfo{LeafPageMax: 32 * kib, InternalPageMax: 4 * kib, MemoryPageMax: 5 * mib,
			MemoryPageImageMax: 128 * kib, AllocationSize: 4096},
	}
	for _, s := range list {
		c.Compressors = append(c.Compressors, made(s, count, avg))
	}
	labels := labelsOf(c.Compressors)
	for i, a := range c.Compressors {
		for j, b := range c.Compressors[i+1:] {
			c.BreakEven = append(c.BreakEven, tie(a, b, labels[i], labels[i+1+j]))
		}
	}
	return c
}

// tie solves storage/x + cpu for both sides.
func tie(a, b estimate.CompressorResult, nameA, nameB string) estimate.BreakEven {
	e := estimate.BreakEven{A: nameA, B: nameB}
	if x := float64(a.StorageSize-b.StorageSize) / (b.Costs.ScanSecondsCached - a.Costs.ScanSecondsCached); x > 0 {
		e.ScanThroughputBytesPerSecond = x
	}
	e.PointReadThroughputBytesPerSecond = 1.7 * e.ScanThroughputBytesPerSecond
	return e
}

// madeOrders is one collection with everything a report can show.
func madeOrders() estimate.Result {
	c := madeCollection("shop.orders", 1_000_000, 461, fourSettings)
	c.Current = &estimate.Current{Compressor: "snappy", StorageSize: 252_002_304, FreeStorageSize: 3_211_264,
		TotalIndexSize: 47_874_048}
	c.Indexes = []estimate.IndexResult{
		{Name: "_id_", Key: bson.D{{Key: "_id", Value: 1}}, Entries: 1_000_000, Size: 12_103_680, SizeLow: 12_103_680,
			SizeHigh: 12_103_680, Build: "bulk", SizeInserts: 17_412_096, Current: 17_399_808},
		{Name: "customer_1_at_-1", Key: bson.D{{Key: "customer", Value: 1}, {Key: "at", Value: -1}}, Entries: 2_140_000,
			Size: 29_687_808, SizeLow: 28_600_000, SizeHigh: 30_801_000, Build: "bulk", SizeInserts: 41_005_056,
			Warnings: []sampler.Warning{{Code: "multikey", Text: "multikey: entries per document vary from 0 to 214"}}},
		{Name: "where_2dsphere", Key: bson.D{{Key: "where", Value: "2dsphere"}}, Entries: 1_000_000, Size: 14_000_128,
			SizeLow: 11_000_000, SizeHigh: 17_000_000, Build: "bulk", Approximate: true, Hypothetical: true},
	}
	c.TotalIndexSize = 12_103_680 + 29_687_808 + 14_000_128
	c.SelfCheck = &estimate.SelfCheck{Projected: 247_000_000, Actual: 248_791_040, ErrorRatio: -0.0072}
	c.Fields = madeFields()
	c.ShortNames = map[string]int64{"none": 31_000_000, "snappy": 4_100_000, "zlib": 1_900_000, "zstd": 1_200_000}
	c.WhatIf = []estimate.WhatIf{{Setting: "leaf_page_max=64KB", StorageSize: map[string]int64{
		"none": 470_000_000, "snappy": 240_000_000, "zlib": 124_000_000, "zstd": 104_000_000}}}
	c.Advice = &estimate.Advice{Action: "change", Compressor: "zstd", Level: 6, SavesBytes: 120_000_000,
		Why: []string{"zstd takes half of the space that snappy takes; the intervals do not overlap",
			"a full scan on gp3 gets shorter, since the disk and not the CPU bounds it",
			"a page in the cache is 4.8 times the bytes read from disk"},
		Commands: []string{
			"// A file keeps the compressor it was created with, and",
			"// settings of the server reach only what is created afterwards.",
			"// By $out in mongosh, with writes to the collection stopped. Until the rename both copies exist: 163 MiB of free disk.",
			`db.createCollection("orders_new", {storageEngine: {wiredTiger: {configString: "block_compressor=zstd"}}})`,
			`db.orders.aggregate([{$out: "orders_new"}])`,
			"# By dump and restore.",
			"mongodump --db=shop --collection=orders --out=dump-to-recompress --readPreference=secondaryPreferred --gzip"}}
	c.Winners = []estimate.Winner{{Disk: "hdd", Scan: "zstd", PointRead: "snappy"}, {Disk: "gp3", Scan: "zstd", PointRead: "none"},
		{Disk: "nvme", Scan: "none", PointRead: "none"}}
	c.Warnings = []sampler.Warning{{Code: "near-cliff", Text: "7 % of zstd blocks end within 2 % of a 4 KiB boundary"}}
	return madeResult("dump", "dump/shop", c)
}

func madeFields() []estimate.FieldResult {
	var out []estimate.FieldResult
	for i, p := range []string{"lines.sku", "lines.title", "address.street", "_id", "state"} {
		raw := int64(140_000_000 >> i)
		out = append(out, estimate.FieldResult{Path: p, Type: "string", Share: 1, Raw: raw, NameBytes: raw / 9,
			Stored: map[string]int64{"none": raw, "snappy": raw / 2, "zlib": raw / 4, "zstd": raw / 5}})
	}
	return out
}

func madeResult(kind, name string, list ...estimate.CollectionResult) estimate.Result {
	r := estimate.Result{SchemaVersion: 1, Tool: estimate.Tool{Name: "wtsize", Version: "0.1.0"}, Seed: 1,
		Command: []string{"wtsize", "estimate", name, "--disk", "gp3", "--format", "html", "--out", "r.html"},
		Source:  estimate.SourceInfo{Kind: kind, Name: name},
		Assumptions: estimate.Assumptions{Release: "8.0", Topology: "standalone", CacheBytes: gib, Confidence: 0.95,
			Disk: &gp3, WorkingSet: 0.2, HotData: 0.05, HotReads: 0.9, InsertsPerS: 890, UpdatesPerS: 200},
		Collections: list, Totals: estimate.Totals{StorageSize: map[string]int64{}}}
	for _, c := range list {
		r.Totals.Count, r.Totals.Size = r.Totals.Count+c.Count, r.Totals.Size+c.Size
		r.Totals.TotalIndexSize += c.TotalIndexSize
		for _, k := range c.Compressors {
			r.Totals.StorageSize[k.Compressor] += k.StorageSize
		}
	}
	return r
}

// madeDump is a dump of several collections with different answers.
func madeDump() estimate.Result {
	orders := madeOrders().Collections[0]
	small := madeCollection("shop.states", 52, 96, fourSettings)
	small.Sample = estimate.SampleInfo{Documents: 52, Bytes: 52 * 96, Complete: true, Method: "all"}
	small.Advice = &estimate.Advice{Action: "keep", Why: []string{"nothing to save"}}
	events := madeCollection("shop.events", 48_000_000, 212, fourSettings)
	events.CountKind, events.CountLow, events.CountHigh = "projected", 47_400_000, 48_600_000
	events.SizeLow, events.SizeHigh = events.Size*98/100, events.Size*102/100
	events.Advice = &estimate.Advice{Action: "change", Compressor: "zstd", Level: 6, SavesBytes: 2_500_000_000,
		Why: []string{"zstd takes less than half of the space"}}
	events.Warnings = []sampler.Warning{{Code: "short", Text: "dump truncated: figures are of what was read"}}
	logs := madeCollection("ops.log", 9_100_000, 300, fourSettings)
	logs.Advice = &estimate.Advice{Action: "undecided", Why: []string{"the intervals overlap: read 64 MiB more"}}
	r := madeResult("dump", "dump", orders, small, events, logs)
	r.Skipped = []estimate.Skipped{
		{NS: "shop.events", Why: "truncated", Source: "dump/shop/events.bson", Offset: 73_400_320, Partial: true,
			Hint: "the dump was probably interrupted"},
		{NS: "shop.recent", Why: "a view holds no documents", Expected: true},
		{NS: "local.oplog.rs", Why: "the oplog is not sized", Expected: true}}
	return r
}

// hostile is a name with everything that should not reach a page or a terminal.
const hostile = "a<script>alert('x')</script>\"&|`*_[l](u)\x1b[31m\u202e\u200b\u2066\ufeff日本語 e\u0301 \r\n\t,=1+1\x00\xff"

// madeHostile has such names wherever a name can be.
func madeHostile() estimate.Result {
	name := hostile + fmt.Sprintf("%0*d", 120-len(hostile), 7)
	c := madeOrders().Collections[0]
	c.NS = name
	c.Indexes[1].Name, c.Indexes[1].Key = name, bson.D{{Key: name, Value: 1}, {Key: "b", Value: -1}}
	c.Warnings = []sampler.Warning{{Code: "x", Text: name}, {Code: "x", Text: name}}
	c.Advice.Why = []string{name}
	c.Advice.Commands = []string{fmt.Sprintf("db.getCollection(%q).stats()", name)}
	c.Fields[0].Path = name
	c.SelfCheck.Why = []string{name}
	d := c
	d.NS = name + "2"
	r := madeResult("dump", name, c, d)
	r.Command = []string{"wtsize", "estimate", name}
	r.Skipped = []estimate.Skipped{{NS: name, Why: name, Hint: name, Source: name}}
	r.Warnings = []sampler.Warning{{Code: "y", Text: name}}
	return r
}

// madeLevels tries zstd at every level.
func madeLevels() estimate.Result {
	list := fourSettings[:3:3]
	for level := 1; level <= 22; level++ {
		l := float64(level)
		list = append(list, setting{"zstd", level, 0.26 - 0.003*l, 3 + 0.9*l*l, 1.1 + l/40, 117_300})
	}
	return madeResult("bson", "orders.bson", madeCollection("orders", 1_000_000, 461, list))
}
