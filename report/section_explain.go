package report

import (
	"fmt"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

// explainSections are the details of one collection: where its bytes go, what
// its figures rest on, what else they cost, and the plots.
func explainSections(r estimate.Result, c estimate.CollectionResult, id string, o Options) []section {
	if len(c.Compressors) == 0 {
		return nil
	}
	out := []section{
		{id: id + "-ledger", title: "Where the bytes go", sub: true, blocks: ledgerBlocks(c, o)},
		{id: id + "-pages", title: "Pages and intervals", sub: true, blocks: []block{pagesGrid(c, o), pageSizesFigure(c)}},
	}
	out = append(out, costsSections(c, id, o)...)
	if b := breakEvenBlocks(r, c); len(b) > 0 {
		out = append(out, section{id: id + "-breakeven", title: "Where compressors tie", sub: true, blocks: b})
	}
	if f, ok := levelFigure(c, o); ok {
		out = append(out, section{id: id + "-levels", title: "Levels", sub: true, blocks: []block{f}})
	}
	return out
}

// ledgerLabels are the rows of the ledger in the order the page is built.
var ledgerLabels = []struct {
	name  string
	bytes func(estimate.Ledger) int64
}{
	{"documents (BSON)", func(l estimate.Ledger) int64 { return l.Documents }},
	{"keys and cells", func(l estimate.Ledger) int64 { return l.Cells }},
	{"page and block headers", func(l estimate.Ledger) int64 { return l.Headers }},
	{"time windows in cells", func(l estimate.Ledger) int64 { return l.TimeWindows }},
	{"internal pages' blocks", func(l estimate.Ledger) int64 { return l.Internal }},
	{"saved by compression", func(l estimate.Ledger) int64 { return l.CompressionSaved }},
	{"allocation rounding", func(l estimate.Ledger) int64 { return l.Rounding }},
	{"file description", func(l estimate.Ledger) int64 { return l.File }},
}

// ledgerSum is the size of the file by its labels.
func ledgerSum(l estimate.Ledger) int64 {
	var sum int64
	for _, x := range ledgerLabels {
		sum += x.bytes(l)
	}
	return sum
}

// maxLedgerColumns is how many settings the ledger has columns for; with more
// it has a row for each instead.
const maxLedgerColumns = 6

// ledgerBlocks prints exact bytes, for rounded ones would not add up.
func ledgerBlocks(c estimate.CollectionResult, o Options) []block {
	g := ledgerGrid(c)
	if len(c.Compressors) > maxLedgerColumns {
		g = ledgerRows(c)
	}
	return []block{ledgerFigure(c, o), g, para{text: ledgerVerdict(c)}}
}

// ledgerGrid has one row for each label.
func ledgerGrid(c estimate.CollectionResult) grid {
	g := grid{caption: "Bytes of the file by label", rowTerms: true, columns: []column{{head: []string{"label"}, left: true}}}
	sums := []string{"storageSize"}
	for i, l := range labelsOf(c.Compressors) {
		g.columns = append(g.columns, column{head: []string{l}, term: "storageSize", unit: "bytes"})
		sums = append(sums, integer(ledgerSum(c.Compressors[i].Ledger)))
	}
	for _, x := range ledgerLabels {
		cells := []string{x.name}
		for _, k := range c.Compressors {
			cells = append(cells, integer(x.bytes(k.Ledger)))
		}
		g.rows = append(g.rows, row{cells: cells})
	}
	g.foot = []row{{cells: sums}}
	return g
}

// ledgerRows has one row for each setting.
func ledgerRows(c estimate.CollectionResult) grid {
	g := grid{caption: "Bytes of the file by label", columns: []column{{head: []string{"compressor"}, left: true}}}
	for i, x := range ledgerLabels {
		g.columns = append(g.columns, column{head: strings.Fields(x.name), term: x.name, unit: "bytes", part: i == 4})
	}
	g.columns = append(g.columns, column{head: []string{"storageSize"}, unit: "bytes"})
	for i, l := range labelsOf(c.Compressors) {
		cells := []string{l}
		for _, x := range ledgerLabels {
			cells = append(cells, integer(x.bytes(c.Compressors[i].Ledger)))
		}
		g.rows = append(g.rows, row{mark: markOf(c, c.Compressors[i]), cells: append(cells, integer(ledgerSum(c.Compressors[i].Ledger)))})
	}
	g.legend = legendOf(g.rows)
	return g
}

// ledgerVerdict checks the sums against the sizes that the report states.
func ledgerVerdict(c estimate.CollectionResult) string {
	for i, k := range c.Compressors {
		if sum := ledgerSum(k.Ledger); sum != k.StorageSize {
			return fmt.Sprintf("The labels do not add up: %s has storageSize %s but labels for %s bytes.",
				labelsOf(c.Compressors)[i], integer(k.StorageSize), integer(sum))
		}
	}
	return "Every byte has one label; the labels add up to storageSize exactly."
}

func pagesGrid(c estimate.CollectionResult, o Options) grid {
	var sizes []int64
	batches, windows, cliffs := false, false, false
	for _, k := range c.Compressors {
		sizes = append(sizes, k.WithTimeWindows)
		if hasInterval(k) {
			sizes = append(sizes, k.StorageSizeLow, k.StorageSizeHigh)
		}
		batches = batches || k.BatchRatio > 0
		windows = windows || k.WithTimeWindows > 0
		cliffs = cliffs || k.Cliff != nil
	}
	sc := byteScale(o.Bytes, sizes...)
	g := grid{caption: "How pages come out, and the two parts of the interval", columns: []column{
		{head: []string{"compressor"}, left: true},
		{head: []string{"lower", "bound"}, unit: sc.unit}, {head: []string{"upper", "bound"}, unit: sc.unit},
		{head: []string{"sampling", "error"}, unit: "± %"}, {head: []string{"model", "spread"}, unit: "± %"},
		{head: []string{"leaf", "pages"}}, {head: []string{"internal", "pages"}}, {head: []string{"stored", "raw"}},
	}}
	g.optional(batches, column{head: []string{"32 KB", "batches"}, unit: "%", part: true})
	g.optional(windows, column{head: []string{"time", "windows"}, unit: sc.unit})
	g.optional(cliffs, column{head: []string{"next to", "a cliff"}, unit: "% of pages"})
	for i, k := range c.Compressors {
		known := hasInterval(k)
		cells := []string{labelsOf(c.Compressors)[i], orDash(sc, k.StorageSizeLow, known), orDash(sc, k.StorageSizeHigh, known),
			known100(k.SamplingError, known), percentNumber(k.ModelSpread),
			integer(k.LeafPages), integer(k.InternalPages), integer(k.UncompressedPages)}
		cells = appendIf(cells, batches, share100(k.BatchRatio))
		cells = appendIf(cells, windows, orDash(sc, k.WithTimeWindows, k.WithTimeWindows > 0))
		cells = appendIf(cells, cliffs, cliffText(k.Cliff))
		g.rows = append(g.rows, row{mark: markOf(c, k), cells: cells})
	}
	g.legend = legendOf(g.rows)
	return g
}

func (g *grid) optional(shown bool, c column) {
	if shown {
		g.columns = append(g.columns, c)
	}
}

func appendIf(cells []string, shown bool, s string) []string {
	if shown {
		return append(cells, s)
	}
	return cells
}

func known100(share float64, known bool) string {
	if !known {
		return dash
	}
	return percentNumber(share)
}

func share100(x float64) string {
	if x <= 0 {
		return dash
	}
	return percentNumber(x)
}

func cliffText(c *estimate.Cliff) string {
	switch {
	case c == nil || !c.Near && c.Share == 0:
		return dash
	case c.Swing != 0:
		return percentNumber(c.Share) + " (" + withSign(c.Swing) + nbsp + "%)"
	}
	return percentNumber(c.Share)
}

// costsSections are shown where a workload was stated, and with the details.
func costsSections(c estimate.CollectionResult, id string, o Options) []section {
	g, ok := costsGrid(c, o)
	if !ok {
		return nil
	}
	return []section{{id: id + "-costs", title: "What else it costs", sub: true, blocks: []block{g}}}
}

// costsGrid holds the costs that the main table has no room for.
func costsGrid(c estimate.CollectionResult, o Options) (grid, bool) {
	var overlapped, cached, load, misses []float64
	var page, writes, set []int64
	for _, k := range c.Compressors {
		if x := k.Costs; x != nil {
			overlapped, cached = append(overlapped, x.ScanSecondsLow), append(cached, x.ScanSecondsCached)
			load, misses = append(load, x.LoadCPUSeconds), append(misses, x.MissesPerRead)
			page, set = append(page, x.PointReadCacheBytes), append(set, x.WorkingSetCacheBytes)
			writes = append(writes, x.CheckpointBytesPerMinute, x.JournalBytesPerMinute)
		}
	}
	if len(page) == 0 {
		return grid{}, false
	}
	scan := secondScale(append(overlapped, cached...)...)
	cpu, miss := secondScale(load...), plainScale(misses...)
	in, out, work := byteScale(o.Bytes, page...), byteScale(o.Bytes, writes...), byteScale(o.Bytes, set...)
	g := grid{caption: "CPU, cache and writes under the stated workload", columns: []column{
		{head: []string{"compressor"}, left: true},
		{head: []string{"scan, over-", "lapped"}, unit: scan.unit}, {head: []string{"scan,", "cached"}, unit: scan.unit},
		{head: []string{"cache per", "read"}, unit: in.unit}, {head: []string{"working", "set"}, unit: work.unit},
		{head: []string{"misses", "per read"}}, {head: []string{"load", "CPU"}, unit: cpu.unit},
		{head: []string{"check-", "point"}, unit: out.unit + "/min"}, {head: []string{"journal"}, unit: out.unit + "/min"},
	}}
	for i, k := range c.Compressors {
		x := k.Costs
		if x == nil {
			continue
		}
		g.rows = append(g.rows, row{mark: markOf(c, k), cells: []string{labelsOf(c.Compressors)[i],
			scan.number(x.ScanSecondsLow), scan.number(x.ScanSecondsCached), in.bytes(x.PointReadCacheBytes),
			work.bytes(x.WorkingSetCacheBytes), miss.number(x.MissesPerRead), cpu.number(x.LoadCPUSeconds),
			orDash(out, x.CheckpointBytesPerMinute, x.CheckpointBytesPerMinute > 0),
			orDash(out, x.JournalBytesPerMinute, x.JournalBytesPerMinute > 0)}})
	}
	g.legend = legendOf(g.rows)
	return g, true
}
