package report

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"

	"github.com/wtsize/wtsize/estimate"
)

// CompareOptions are how to compare and how to print it.
type CompareOptions struct {
	Options
	// Fanout compares designs instead of states: a holds one document where b
	// holds one with Fanout documents beside it. 0: before and after.
	Fanout int
}

// Compare writes two results side by side. Collections are matched by namespace,
// or, where each result has only one, with each other. With Fanout, b's
// collection with the most documents is taken to hold the many. It fails when
// nothing can be compared, when w does, or for an unknown format.
func Compare(w io.Writer, a, b estimate.Result, o CompareOptions) error {
	c := compared(a, b, o.Fanout)
	if len(c.Collections) == 0 && c.Design == nil {
		return fault(-1, "the two results have no collection in common",
			"compare results of the same namespaces, or two designs with --fanout", nil)
	}
	o.Options = o.normal()
	bw := bufio.NewWriter(w)
	if err := writeComparison(bw, c, a, b, o.Options); err != nil {
		return err
	}
	return bw.Flush()
}

func writeComparison(w *bufio.Writer, c Comparison, a, b estimate.Result, o Options) error {
	switch o.Format {
	case Table:
		return writeTerminal(w, layOutComparison(c, a, b, o), o)
	case Markdown:
		return writeMarkdown(w, layOutComparison(c, a, b, o))
	case HTML:
		p := page{Title: comparisonTitle(c), Tool: titleOf(a), Single: true}
		return writePage(w, p, layOutComparison(c, a, b, o))
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(c)
	case CSV:
		return writeComparisonCSV(w, c)
	}
	return unknownFormat(o.Format)
}

// A Comparison is two results side by side, as its JSON form has it. Before and
// after are a and b; with a fan-out they are the two designs.
type Comparison struct {
	SchemaVersion int                 `json:"schemaVersion"`
	Before        estimate.SourceInfo `json:"before"`
	After         estimate.SourceInfo `json:"after"`
	// Differ names assumptions that are not the same on both sides, so that
	// figures resting on them tell about those too.
	Differ      []string             `json:"assumptionsDiffer,omitempty"`
	Collections []ComparedCollection `json:"collections"`
	OnlyBefore  []string             `json:"onlyBefore,omitempty"`
	OnlyAfter   []string             `json:"onlyAfter,omitempty"`
	Design      *Design              `json:"design,omitempty"`
}

// ComparedCollection is one collection in both results.
type ComparedCollection struct {
	Before      string               `json:"before"` // namespace
	After       string               `json:"after"`
	Count       Pair                 `json:"count"`
	Size        Pair                 `json:"size"`
	AvgObjSize  Pair                 `json:"avgObjSize"`
	Indexes     Pair                 `json:"totalIndexSize"`
	Compressors []ComparedCompressor `json:"compressors"`
}

// ComparedCompressor is one compressor setting in both.
type ComparedCompressor struct {
	Compressor  string `json:"compressor"`
	StorageSize Pair   `json:"storageSize"`
	// Distinct: the intervals do not overlap, so the difference is more than
	// sampling and model can explain.
	Distinct         bool         `json:"distinct"`
	PageDiskBytes    Pair         `json:"pageDiskBytes"`
	PageImageBytes   Pair         `json:"pageImageBytes"`
	ScanSeconds      *PairSeconds `json:"scanSeconds,omitempty"`
	PointReadSeconds *PairSeconds `json:"pointReadSeconds,omitempty"`
}

// Pair is a count or a number of bytes before and after.
type Pair struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// PairSeconds is a time before and after.
type PairSeconds struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

func compared(a, b estimate.Result, fanout int) Comparison {
	c := Comparison{SchemaVersion: estimate.SchemaVersion, Before: a.Source, After: b.Source,
		Differ: differing(a.Assumptions, b.Assumptions), Collections: []ComparedCollection{}}
	if fanout > 0 {
		c.Design = designOf(a, b, fanout)
		return c
	}
	if len(a.Collections) == 1 && len(b.Collections) == 1 {
		c.Collections = append(c.Collections, comparedCollection(a.Collections[0], b.Collections[0]))
		return c
	}
	after := map[string]int{}
	for i, x := range b.Collections {
		after[x.NS] = i
	}
	for _, x := range a.Collections {
		i, ok := after[x.NS]
		if !ok {
			c.OnlyBefore = append(c.OnlyBefore, x.NS)
			continue
		}
		delete(after, x.NS)
		c.Collections = append(c.Collections, comparedCollection(x, b.Collections[i]))
	}
	for _, x := range b.Collections {
		if _, ok := after[x.NS]; ok {
			c.OnlyAfter = append(c.OnlyAfter, x.NS)
		}
	}
	return c
}

func comparedCollection(a, b estimate.CollectionResult) ComparedCollection {
	out := ComparedCollection{Before: a.NS, After: b.NS, Count: Pair{a.Count, b.Count}, Size: Pair{a.Size, b.Size},
		AvgObjSize: Pair{a.AvgObjSize, b.AvgObjSize}, Indexes: Pair{a.TotalIndexSize, b.TotalIndexSize},
		Compressors: []ComparedCompressor{}}
	for _, x := range a.Compressors {
		for _, y := range b.Compressors {
			if x.Name() == y.Name() {
				out.Compressors = append(out.Compressors, comparedCompressor(x, y))
			}
		}
	}
	return out
}

func comparedCompressor(x, y estimate.CompressorResult) ComparedCompressor {
	out := ComparedCompressor{Compressor: x.Name(), StorageSize: Pair{x.StorageSize, y.StorageSize},
		Distinct:      distinct(x, y),
		PageDiskBytes: Pair{x.PageDiskBytes, y.PageDiskBytes}, PageImageBytes: Pair{x.PageImageBytes, y.PageImageBytes}}
	if x.Costs != nil && y.Costs != nil {
		out.ScanSeconds = &PairSeconds{x.Costs.ScanSeconds, y.Costs.ScanSeconds}
		out.PointReadSeconds = &PairSeconds{x.Costs.PointReadSeconds, y.Costs.PointReadSeconds}
	}
	return out
}

// distinct: both sizes are bounded, and their intervals do not meet.
func distinct(x, y estimate.CompressorResult) bool {
	return hasInterval(x) && hasInterval(y) && (x.StorageSizeHigh < y.StorageSizeLow || y.StorageSizeHigh < x.StorageSizeLow)
}

// differing compares what both rest on.
func differing(a, b estimate.Assumptions) []string {
	var out []string
	note := func(what string, x, y any) {
		if x != y {
			out = append(out, fmt.Sprintf("%s: %v, %v", what, x, y))
		}
	}
	note("release", a.Release, b.Release)
	note("topology", a.Topology, b.Topology)
	note("cache bytes", a.CacheBytes, b.CacheBytes)
	note("confidence", a.Confidence, b.Confidence)
	note("working set", a.WorkingSet, b.WorkingSet)
	disk := func(d *estimate.Disk) string {
		if d == nil {
			return "none"
		}
		return plain(diskText(*d))
	}
	note("disk", disk(a.Disk), disk(b.Disk))
	return out
}

var comparisonColumns = []string{"kind", "nsBefore", "nsAfter", "name", "countBefore", "countAfter", "sizeBefore", "sizeAfter",
	"storageSizeBefore", "storageSizeAfter", "distinct", "scanSecondsBefore", "scanSecondsAfter", "pointReadSecondsBefore",
	"pointReadSecondsAfter", "totalIndexSizeBefore", "totalIndexSizeAfter", "pagesRequested", "misses", "seconds", "cacheBytes"}

// writeComparisonCSV has one row for each collection and compressor, or, for two
// designs, one for each design and compressor.
func writeComparisonCSV(w io.Writer, c Comparison) error {
	cw := csv.NewWriter(w)
	rows := [][]string{comparisonColumns}
	for _, x := range c.Collections {
		for _, k := range x.Compressors {
			rec := record{"kind": "compressor", "nsBefore": cellText(x.Before), "nsAfter": cellText(x.After), "name": cellText(k.Compressor),
				"countBefore": whole(x.Count.Before), "countAfter": whole(x.Count.After), "sizeBefore": whole(x.Size.Before),
				"sizeAfter": whole(x.Size.After), "storageSizeBefore": whole(k.StorageSize.Before),
				"storageSizeAfter": whole(k.StorageSize.After), "distinct": fmt.Sprint(k.Distinct),
				"totalIndexSizeBefore": whole(x.Indexes.Before), "totalIndexSizeAfter": whole(x.Indexes.After)}
			if s, p := k.ScanSeconds, k.PointReadSeconds; s != nil && p != nil {
				rec["scanSecondsBefore"], rec["scanSecondsAfter"] = real(s.Before), real(s.After)
				rec["pointReadSecondsBefore"], rec["pointReadSecondsAfter"] = real(p.Before), real(p.After)
			}
			rows = append(rows, rec.line(comparisonColumns))
		}
	}
	rows = append(rows, designRecords(c.Design)...)
	if err := cw.WriteAll(rows); err != nil {
		return err
	}
	return cw.Error()
}

func (r record) line(columns []string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = r[c]
	}
	return out
}
