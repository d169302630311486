package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

// maxBars bounds the rows of a terminal histogram; more bars are merged.
const maxBars = 12

func pageSizesPlot(c estimate.CollectionResult, cols int) []string {
	var out []string
	for _, k := range representatives(c) {
		if len(k.PageDiskHistogram) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, labelIn(c, k))
		out = append(out, histogramPlot(mergeBars(k.PageDiskHistogram, maxBars), cols)...)
	}
	return out
}

// mergeBars joins neighbours until at most n bars are left; a joined bar has the
// larger block size, so it reads "up to".
func mergeBars(bars []estimate.HistogramBar, n int) []estimate.HistogramBar {
	if len(bars) <= n {
		return bars
	}
	step := (len(bars) + n - 1) / n
	var out []estimate.HistogramBar
	for i := 0; i < len(bars); i += step {
		group := bars[i:min(i+step, len(bars))]
		bar := estimate.HistogramBar{Bytes: group[len(group)-1].Bytes}
		for _, g := range group {
			bar.Pages += g.Pages
		}
		out = append(out, bar)
	}
	return out
}

func histogramPlot(bars []estimate.HistogramBar, cols int) []string {
	var most, sum int64
	for _, b := range bars {
		most, sum = max(most, b.Pages), sum+b.Pages
	}
	room := max(min(cols-34, 48), 8)
	var out []string
	for _, b := range bars {
		out = append(out, fmt.Sprintf("%9s  %s  %6s", short(b.Bytes),
			padRight(bar(share(b.Pages, most), room), room), percent(share(b.Pages, sum))))
	}
	return out
}

// bar draws a share of n columns in eighths of a column, and never nothing for
// something.
func bar(part float64, n int) string {
	eighths := int(math.Round(part * float64(n) * 8))
	if part > 0 {
		eighths = max(eighths, 1)
	}
	eighths = min(max(eighths, 0), n*8)
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}

// breakEvenBlocks say on which disks which compressor scans fastest, and where
// two of them tie.
func breakEvenBlocks(r estimate.Result, c estimate.CollectionResult) []block {
	var out []block
	if curves := curvesOf(c); len(curves) > 1 {
		var names []string
		for _, k := range representatives(c) {
			if k.Costs != nil {
				names = append(names, k.Compressor)
			}
		}
		out = append(out, scanFigure(r, curves, names))
	}
	if len(c.BreakEven) > 0 {
		out = append(out, breakEvenGrid(c))
	}
	if len(c.Winners) > 0 {
		out = append(out, winnersGrid(c))
	}
	return out
}

func breakEvenGrid(c estimate.CollectionResult) grid {
	var rates, readRates, latencies []float64
	pairs := shownPairs(c)
	for _, b := range pairs {
		rates = append(rates, b.ScanThroughputBytesPerSecond)
		readRates = append(readRates, b.PointReadThroughputBytesPerSecond)
		latencies = append(latencies, b.PointReadLatencySeconds)
	}
	readRate := commonScale([]scale{{"MB/s", mb, 0}}, readRates)
	rate := commonScale([]scale{{"MB/s", mb, 0}}, rates)
	latency := secondScale(latencies...)
	g := grid{caption: "Where two compressors tie", columns: []column{{head: []string{"pair"}, left: true},
		{head: []string{"scan", "ties at"}, unit: rate.unit}}}
	_, reads := extent(readRates)
	g.optional(reads > 0, column{head: []string{"point read", "ties at"}, unit: readRate.unit, term: "point read ties at"})
	_, waits := extent(latencies)
	g.optional(waits > 0, column{head: []string{"or a", "latency of"}, unit: latency.unit})
	for _, b := range pairs {
		cells := []string{Safe(b.A) + " and " + Safe(b.B), orNever(rate, b.ScanThroughputBytesPerSecond)}
		cells = appendIf(cells, reads > 0, orNever(readRate, b.PointReadThroughputBytesPerSecond))
		g.rows = append(g.rows, row{cells: appendIf(cells, waits > 0, orNever(latency, b.PointReadLatencySeconds))})
	}
	return g
}

// winnersGrid says which compressor is the fastest on which disk preset.
func winnersGrid(c estimate.CollectionResult) grid {
	g := grid{caption: "Fastest by disk", columns: []column{{head: []string{"disk"}, left: true},
		{head: []string{"full", "scan"}, left: true, term: "scan"}, {head: []string{"point", "read"}, left: true}}}
	for _, w := range c.Winners {
		g.rows = append(g.rows, row{cells: []string{Safe(w.Disk), Safe(w.Scan), Safe(w.PointRead)}})
	}
	return g
}

// shownPairs keeps pairs of compressors and leaves out pairs of levels, of which
// there would be hundreds: a compressor's levels are in the table of levels.
func shownPairs(c estimate.CollectionResult) []estimate.BreakEven {
	if len(c.Compressors) <= maxLedgerColumns {
		return c.BreakEven
	}
	shown := map[string]bool{}
	for _, k := range representatives(c) {
		shown[k.Name()], shown[labelIn(c, k)] = true, true
	}
	var out []estimate.BreakEven
	for _, b := range c.BreakEven {
		if shown[b.A] && shown[b.B] {
			out = append(out, b)
		}
	}
	return out
}

func orNever(s scale, v float64) string {
	if v <= 0 {
		return "never"
	}
	return s.number(v)
}

// winnersPlot has one row for each compressor: a bar where it is the fastest.
func winnersPlot(curves []curve, disk *estimate.Disk, cols int) []string {
	label := 0
	for _, c := range curves {
		label = max(label, width(c.label))
	}
	room := max(min(cols-label-12, 72), 16)
	won := make([][]rune, len(curves))
	for i := range won {
		won[i] = []rune(strings.Repeat("·", room))
	}
	for x := range room {
		if w := fastest(curves, logAt((float64(x)+0.5)/float64(room))); w >= 0 {
			won[w][x] = '█'
		}
	}
	var out []string
	for i, c := range curves {
		line := padRight(c.label, label) + "  " + string(won[i])
		if !strings.ContainsRune(line, '█') {
			line = padRight(c.label, label) + "  never the fastest"
		}
		out = append(out, line)
	}
	return append(out, axis(disk, label+2, room)...)
}

// axis marks decades of throughput, and the assumed disk below.
func axis(disk *estimate.Disk, indent, room int) []string {
	line := []rune(strings.Repeat(" ", indent+room+12))
	for _, v := range []float64{10, 100, 1000, 10_000} {
		text := integer(int64(v))
		at := indent + int(math.Round(logPlace(v*mb)*float64(room)))
		at -= min(int(logPlace(v*mb)*float64(len(text))), len(text))
		copy(line[max(at, 0):], []rune(text))
	}
	out := []string{strings.TrimRight(string(line), " ") + " MB/s"}
	if disk != nil && disk.ThroughputBytesPerSecond >= slowestDisk && disk.ThroughputBytesPerSecond <= fastestDisk {
		at := indent + min(int(logPlace(disk.ThroughputBytesPerSecond)*float64(room)), room-1)
		out = append(out, elide(strings.Repeat(" ", at)+"↑ "+Safe(disk.Profile)+", "+rateText(disk.ThroughputBytesPerSecond), indent+room+12))
	}
	return out
}
