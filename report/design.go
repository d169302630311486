package report

import (
	"fmt"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/cost"
)

// A Design compares two ways to store the same things: all that belongs
// together in one document, or one document with Fanout others beside it.
type Design struct {
	Fanout  int           `json:"fanout"`
	Many    string        `json:"many"` // the namespace read Fanout documents at a time
	Choices []DesignShape `json:"choices"`
}

// DesignShape is one design under one compressor. Pages and misses are for one
// logical read: everything that belongs together.
type DesignShape struct {
	Shape       string `json:"shape"` // embedded|referenced|referenced, scattered
	Compressor  string `json:"compressor"`
	StorageSize int64  `json:"storageSize"` // all collections of the design
	IndexSize   int64  `json:"totalIndexSize"`
	// PagesRequested counts pages asked of the cache, Misses those not in it
	// when all is read equally often; Seconds and CacheBytes are what the misses
	// add. Source: package cost, Model.LogicalRead.
	PagesRequested float64 `json:"pagesRequested"`
	Misses         float64 `json:"misses"`
	Seconds        float64 `json:"seconds"`
	CacheBytes     float64 `json:"cacheBytes"`
}

// designOf needs at least one collection on both sides and a compressor that
// all of them share.
func designOf(a, b estimate.Result, fanout int) *Design {
	if len(a.Collections) == 0 || len(b.Collections) == 0 {
		return nil
	}
	many := mostDocuments(b)
	d := &Design{Fanout: fanout, Many: b.Collections[many].NS}
	for _, name := range sharedSettings(a, b) {
		d.Choices = append(d.Choices, shapeOf("embedded", name, a, -1, 1, false),
			shapeOf("referenced", name, b, many, fanout, false))
		if fanout > 1 {
			d.Choices = append(d.Choices, shapeOf("referenced, scattered", name, b, many, fanout, true))
		}
	}
	if len(d.Choices) == 0 {
		return nil
	}
	return d
}

func mostDocuments(r estimate.Result) int {
	best := 0
	for i, c := range r.Collections {
		if c.Count > r.Collections[best].Count {
			best = i
		}
	}
	return best
}

// sharedSettings are the settings that every collection of both results has.
func sharedSettings(a, b estimate.Result) []string {
	var out []string
	all := append(append([]estimate.CollectionResult{}, a.Collections...), b.Collections...)
	for _, k := range all[0].Compressors {
		everywhere := true
		for _, c := range all {
			_, ok := byName(c, k.Name())
			everywhere = everywhere && ok
		}
		if everywhere {
			out = append(out, k.Name())
		}
	}
	return out
}

func byName(c estimate.CollectionResult, name string) (estimate.CompressorResult, bool) {
	for _, k := range c.Compressors {
		if k.Name() == name {
			return k, true
		}
	}
	return estimate.CompressorResult{}, false
}

// shapeOf reads one document of each collection, and fanout of the one that
// holds the many.
func shapeOf(shape, setting string, r estimate.Result, many, fanout int, scattered bool) DesignShape {
	s := DesignShape{Shape: shape, Compressor: setting}
	var steps []cost.Lookup
	for i, c := range r.Collections {
		k, _ := byName(c, setting)
		s.StorageSize += k.StorageSize
		s.IndexSize += c.TotalIndexSize
		step := cost.Lookup{Table: estimate.CostTable(c, k), Index: indexOf(c, i == many), Documents: 1}
		if i == many {
			step.Documents, step.Scattered = float64(fanout), scattered
		}
		steps = append(steps, step)
	}
	read := modelOf(r.Assumptions).LogicalRead(steps)
	s.PagesRequested, s.Misses, s.Seconds, s.CacheBytes = read.PagesRequested, read.Misses, read.Seconds, read.CacheBytes
	return s
}

// indexOf is the index that finds the documents: the one on _id, and for the
// many the smallest other one, on the key of what they belong to. Without
// figures for indexes the root is all there is to pass.
func indexOf(c estimate.CollectionResult, many bool) cost.Class {
	var size int64
	for _, x := range c.Indexes {
		if (x.Name != "_id_") == many && (size == 0 || x.Size < size) {
			size = x.Size
		}
	}
	if size == 0 && many {
		return indexOf(c, false)
	}
	return estimate.IndexLeaf(size)
}

func modelOf(a estimate.Assumptions) cost.Model {
	m := cost.Model{CPU: cost.DefaultCPU(), CacheBytes: a.CacheBytes}
	if d := a.Disk; d != nil {
		m.Disk = cost.Disk{Profile: d.Profile, Throughput: d.ThroughputBytesPerSecond, IOPS: d.IOPS, Latency: d.LatencySeconds}
	}
	return m
}

func designRecords(d *Design) [][]string {
	if d == nil {
		return nil
	}
	var out [][]string
	for _, s := range d.Choices {
		rec := record{"kind": s.Shape, "name": cellText(s.Compressor), "storageSizeAfter": whole(s.StorageSize),
			"totalIndexSizeAfter": whole(s.IndexSize), "pagesRequested": real(s.PagesRequested), "misses": real(s.Misses),
			"seconds": real(s.Seconds), "cacheBytes": real(s.CacheBytes)}
		out = append(out, rec.line(comparisonColumns))
	}
	return out
}

// designSection has one row for each design and compressor.
func designSection(d Design, o Options) section {
	var sizes, indexes, in []int64
	var misses, seconds []float64
	for _, s := range d.Choices {
		sizes, indexes, in = append(sizes, s.StorageSize), append(indexes, s.IndexSize), append(in, int64(s.CacheBytes))
		misses, seconds = append(misses, s.Misses), append(seconds, s.Seconds)
	}
	size, cache := byteScale(o.Bytes, append(sizes, indexes...)...), byteScale(o.Bytes, in...)
	miss, wait := plainScale(misses...), secondScale(seconds...)
	g := grid{caption: "One logical read: everything that belongs together", columns: []column{
		{head: []string{"design"}, left: true}, {head: []string{"compressor"}, left: true},
		{head: []string{"storageSize"}, unit: size.unit}, {head: []string{"indexes"}, unit: size.unit},
		{head: []string{"pages", "requested"}}, {head: []string{"misses"}}, {head: []string{"added", "time"}, unit: wait.unit},
		{head: []string{"into the", "cache"}, unit: cache.unit}}}
	for _, s := range d.Choices {
		g.rows = append(g.rows, row{cells: []string{s.Shape, Safe(s.Compressor), size.bytes(s.StorageSize), size.bytes(s.IndexSize),
			trimZeros(fmt.Sprintf("%.1f", s.PagesRequested)), miss.number(s.Misses), wait.number(s.Seconds), cache.bytes(int64(s.CacheBytes))}})
	}
	text := fmt.Sprintf("A read of the embedded design takes one document; a read of the referenced one takes %d of %s and one of each "+
		"other collection. Neighbours come with one page; scattered ones each with a page of their own.", d.Fanout, Safe(d.Many))
	return section{id: "design", title: "Embedded or referenced", blocks: []block{para{text: strings.TrimSpace(text)}, g}}
}
