package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// compressorSection is the main table of one collection.
func compressorSection(r estimate.Result, c estimate.CollectionResult, id string, o Options, n *notes) section {
	refs := n.add(c.Warnings)
	if slices.ContainsFunc(c.Compressors, func(k estimate.CompressorResult) bool { return !hasInterval(k) }) {
		refs = append(refs, n.text("± ?: no interval. What was read does not bound the rest of the collection; "+
			"more of it does, see --sample."))
	}
	text := describe(c)
	if len(r.Collections) > 1 {
		text += "; " + sampleText(c.Sample)
	}
	for _, k := range c.Compressors {
		if k.CPUScaled {
			refs = append(refs, n.text("Compression and decompression were timed with a fallback codec "+
				"and scaled to the one that servers link."))
			break
		}
	}
	blocks := []block{para{text: text}, compressorGrid(c, o)}
	if t := levelBlocksText(c); t != "" {
		blocks = append(blocks, para{text: t})
	}
	return section{id: id, title: Safe(c.NS), notes: refs, blocks: blocks}
}

// manyLevels of a codec are a grid, of which it is told where it crosses a
// multiple of the allocation unit.
const manyLevels = 4

// levelBlocksText says at which levels the blocks of most pages change their
// size: there alone a higher level gains what it promises.
func levelBlocksText(c estimate.CollectionResult) string {
	byCodec := map[string][]estimate.CompressorResult{}
	for _, k := range c.Compressors {
		if k.Level != 0 && usualBlock(k) > 0 {
			byCodec[k.Compressor] = append(byCodec[k.Compressor], k)
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(byCodec)) {
		levels := byCodec[name]
		if len(levels) < manyLevels {
			continue
		}
		slices.SortFunc(levels, func(a, b estimate.CompressorResult) int { return cmp.Compare(a.Level, b.Level) })
		var parts []string
		for from := 0; from < len(levels); {
			to := from
			for to+1 < len(levels) && usualBlock(levels[to+1]) == usualBlock(levels[from]) {
				to++
			}
			at := fmt.Sprintf("%d", levels[from].Level)
			if to > from {
				at += fmt.Sprintf(" to %d", levels[to].Level)
			}
			parts = append(parts, fmt.Sprintf("%s at %s", trimUnit(bytesText(usualBlock(levels[from]), false)), at))
			from = to + 1
		}
		out = append(out, fmt.Sprintf("Blocks of most pages, by level of %s: %s.", Safe(name), strings.Join(parts, ", ")))
	}
	return strings.Join(out, " ")
}

// usualBlock is the size on disk that most leaf pages have; 0 when not known.
func usualBlock(k estimate.CompressorResult) int64 {
	var most estimate.HistogramBar
	for _, b := range k.PageDiskHistogram {
		if b.Pages > most.Pages {
			most = b
		}
	}
	return most.Bytes
}

// describe says how much there is and how that is known.
func describe(c estimate.CollectionResult) string {
	s := fmt.Sprintf("%s, %s of BSON, %s on average", plural(c.Count, "document", "documents"),
		bytesText(c.Size, false), plural(c.AvgObjSize, "byte", "bytes"))
	if c.Type != "" && c.Type != sampler.Plain {
		s = Safe(string(c.Type)) + ": " + s
	}
	if c.CountKind == "projected" {
		s += " (projected"
		if c.SizeHigh > 0 {
			sc := byteScale(false, c.SizeLow, c.SizeHigh)
			s += fmt.Sprintf(": %s to %s documents, %s to %s %s", integer(c.CountLow), integer(c.CountHigh),
				sc.bytes(c.SizeLow), sc.bytes(c.SizeHigh), sc.unit)
		}
		s += ")"
	}
	return s
}

func sampleText(s estimate.SampleInfo) string {
	switch {
	case s.Complete:
		return "read whole"
	case s.Partial:
		return "cut short after " + plural(s.Documents, "document", "documents") + ", " + bytesText(s.Bytes, false)
	}
	t := plural(s.Documents, "document", "documents") + ", " + bytesText(s.Bytes, false) + " read"
	if s.Runs > 1 {
		t += " in " + plural(int64(s.Runs), "run", "runs")
	}
	return t
}

// compressorGrid has one row for each compressor setting.
func compressorGrid(c estimate.CollectionResult, o Options) grid {
	base := baselineOf(c)
	v := newColumns(c.Compressors, o)
	g := grid{caption: "One row for each compressor", columns: v.heads(c, base)}
	labels := labelsOf(c.Compressors)
	for i, k := range c.Compressors {
		g.rows = append(g.rows, row{mark: markOf(c, k), cells: append([]string{labels[i]}, v.cells(c, k, base)...)})
	}
	g.legend = legendOf(g.rows)
	return g
}

func legendOf(rows []row) string {
	var parts []string
	seen := map[mark]bool{}
	for _, r := range rows {
		seen[r.mark] = true
	}
	if seen[advised] {
		parts = append(parts, symbols[advised]+" advised")
	}
	if seen[today] {
		parts = append(parts, symbols[today]+" today")
	}
	return strings.Join(parts, "   ")
}

// symbols stand before a marked row.
var symbols = map[mark]string{unmarked: " ", advised: "→", today: "•"}

// columns holds the common scales of the main table.
type columns struct {
	size, page, pack, unpack, scan, read scale
	hasCosts                             bool
}

func newColumns(list []estimate.CompressorResult, o Options) columns {
	var size, page []int64
	var pack, unpack, scan, read []float64
	for _, k := range list {
		size = append(size, k.StorageSize)
		page = append(page, k.PageDiskBytes, k.PageImageBytes)
		pack = append(pack, speed(k.CompressNsPerByte))
		unpack = append(unpack, speed(k.DecompressNsPerByte))
		if k.Costs != nil {
			scan = append(scan, k.Costs.ScanSeconds)
			read = append(read, k.Costs.PointReadSeconds)
		}
	}
	return columns{size: byteScale(o.Bytes, size...), page: byteScale(o.Bytes, page...),
		pack: speedScale(pack...), unpack: speedScale(unpack...),
		scan: secondScale(scan...), read: secondScale(read...), hasCosts: len(scan) > 0}
}

func (v columns) heads(c estimate.CollectionResult, base baseline) []column {
	h := []column{
		{head: []string{"compressor"}, left: true},
		{head: []string{"storageSize"}, unit: v.size.unit},
		{head: []string{"of", "BSON"}, unit: "%"},
		{head: []string{"saved", "vs " + base.label}, term: "saved", unit: "%"},
		{head: []string{"page", "on disk"}, unit: v.page.unit},
		{head: []string{"page in", "cache"}, unit: v.page.unit},
		{head: []string{"infla-", "tion"}, unit: "×"},
		{head: []string{"com-", "press"}, unit: "MB/s", part: true},
		{head: []string{"decom-", "press"}, unit: "MB/s"},
	}
	if v.hasCosts {
		h = append(h, column{head: []string{"scan"}, unit: v.scan.unit},
			column{head: []string{"point", "read"}, unit: v.read.unit})
	}
	return h
}

func (v columns) cells(c estimate.CollectionResult, k estimate.CompressorResult, base baseline) []string {
	out := []string{
		v.size.bytes(k.StorageSize) + " " + padRight(plusMinus(spread(k)), 7),
		percentNumber(share(k.StorageSize, c.Size)),
		base.saved(k),
		v.page.bytes(k.PageDiskBytes),
		v.page.bytes(k.PageImageBytes),
		fmt.Sprintf("%.2f", k.Inflation),
		v.pack.orDash(speed(k.CompressNsPerByte)),
		v.unpack.orDash(speed(k.DecompressNsPerByte)),
	}
	if v.hasCosts {
		out = append(out, costCells(v, k.Costs)...)
	}
	return out
}

func costCells(v columns, c *estimate.Costs) []string {
	if c == nil {
		return []string{dash, dash}
	}
	return []string{v.scan.number(c.ScanSeconds), v.read.number(c.PointReadSeconds)}
}

// speed turns nanoseconds per byte into bytes per second; 0 stays 0, not known.
func speed(nsPerByte float64) float64 {
	if nsPerByte <= 0 {
		return 0
	}
	return 1e9 / nsPerByte
}

// speedScale prints MB/s with one decimal where a codec is slow: timings do not
// bear more.
func speedScale(values ...float64) scale {
	s := commonScale([]scale{{"MB/s", mb, 0}}, values)
	if low, _ := extent(values); low >= 10*mb {
		s.decimals = 0
	}
	s.decimals = min(s.decimals, 1)
	return s
}

func (s scale) orDash(v float64) string {
	if v <= 0 {
		return dash
	}
	return s.number(v)
}

// hasInterval: the size is bounded. One run of neighbours says nothing of the
// rest of a collection, and bounds nothing.
func hasInterval(k estimate.CompressorResult) bool {
	return k.StorageSizeLow <= k.StorageSize && k.StorageSize <= k.StorageSizeHigh && k.SamplingError < unbounded
}

// unbounded is the relative error from which an interval bounds nothing: the
// size may be a hundred times what it is projected to be.
const unbounded = 100

// spread is the wider side of the interval, as a share of storageSize; not a
// number where there is no interval.
func spread(k estimate.CompressorResult) float64 {
	if !hasInterval(k) {
		return math.NaN()
	}
	if k.StorageSize <= 0 {
		return 0
	}
	side := max(k.StorageSizeHigh-k.StorageSize, k.StorageSize-k.StorageSizeLow)
	return share(side, k.StorageSize)
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func padRight(s string, n int) string {
	return s + strings.Repeat(" ", max(n-width(s), 0))
}
