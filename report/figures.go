package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/report/chart"
)

// seriesRoles gives each compressor one colour in every figure.
var seriesRoles = map[string]chart.Role{
	"none": chart.Series1, "snappy": chart.Series2, "zlib": chart.Series3, "zstd": chart.Series4}

func roleOf(compressor string, i int) chart.Role {
	if r, ok := seriesRoles[compressor]; ok {
		return r
	}
	return chart.Series(4 + i%2)
}

// nameColumns is how much of a name a figure has room for.
func nameColumns(width float64) int { return max(int(width/30), 10) }

// ledgerFigure stacks what the file consists of; what compression saved stands
// behind it as a ghost, so that a whole bar is the file without compression.
func ledgerFigure(c estimate.CollectionResult, o Options) figure {
	var sizes []int64
	for _, k := range c.Compressors {
		sizes = append(sizes, k.StorageSize)
	}
	sc := byteScale(o.Bytes, sizes...)
	draw := func(id string, width float64) (string, error) {
		b := chart.Bars{Text: chart.Text{ID: id, Title: "Bytes of the file by label", Desc: describeSizes(c, o)},
			Axis: sc.unit, Number: axisNumber}
		for i, k := range c.Compressors {
			l := k.Ledger
			pages := l.Documents + l.Cells + l.Headers + l.TimeWindows + l.CompressionSaved
			b.Rows = append(b.Rows, chart.Bar{
				Name: elide(labelsOf(c.Compressors)[i], nameColumns(width)), Label: sc.bytes(k.StorageSize), Strong: markOf(c, k) == advised,
				Segments: []chart.Segment{sc.segment(pages, chart.Data), sc.segment(l.Rounding, chart.Rounding),
					sc.segment(l.Internal+l.File, chart.Inner), sc.segment(-l.CompressionSaved, chart.Ghost)},
			})
		}
		return b.SVG(width)
	}
	return figure{title: "What the file consists of", key: []swatch{
		{"data", "leaf pages as stored: documents, cells, headers"}, {"rounding", "allocation rounding"},
		{"inner", "internal pages, file description"}, {"ghost", "saved by compression"}},
		text:   "The coloured part of a bar is the file; its length with the pale part is the file without compression.",
		charts: []drawing{draw}}
}

// describeSizes lists sizes for who cannot see the bars.
func describeSizes(c estimate.CollectionResult, o Options) string {
	var parts []string
	for i, k := range c.Compressors {
		parts = append(parts, fmt.Sprintf("%s %s, of it rounding %s", labelsOf(c.Compressors)[i],
			bytesText(k.StorageSize, o.Bytes), bytesText(k.Ledger.Rounding, o.Bytes)))
	}
	return strings.Join(parts, "; ") + "."
}

// axisNumber prints ticks of an axis, whose values are in the axis' unit.
func axisNumber(v float64) string {
	return trimZeros(scale{divisor: 1, decimals: maxDecimals}.number(v))
}

// segment is a byte count in the scale's unit.
func (s scale) segment(v int64, r chart.Role) chart.Segment {
	return chart.Segment{Value: float64(v) / s.divisor, Role: r}
}

// indexFigure sets indexes, which no compressor changes, against data.
func indexFigure(c estimate.CollectionResult, o Options) figure {
	var sizes []int64
	for _, k := range c.Compressors {
		sizes = append(sizes, k.StorageSize+c.TotalIndexSize)
	}
	sc := byteScale(o.Bytes, sizes...)
	draw := func(id string, width float64) (string, error) {
		var desc []string
		b := chart.Bars{Text: chart.Text{ID: id, Title: "Data and indexes"}, Axis: sc.unit, Number: axisNumber}
		for _, k := range representatives(c) {
			whole := k.StorageSize + c.TotalIndexSize
			name := labelIn(c, k)
			desc = append(desc, fmt.Sprintf("%s %s, of it indexes %s", name, bytesText(whole, o.Bytes), percent(share(c.TotalIndexSize, whole))))
			b.Rows = append(b.Rows, chart.Bar{Name: elide(name, nameColumns(width)), Strong: markOf(c, k) == advised,
				Label:    sc.bytes(whole) + ", " + percent(share(c.TotalIndexSize, whole)) + " indexes",
				Segments: []chart.Segment{sc.segment(k.StorageSize, chart.Data), sc.segment(c.TotalIndexSize, chart.Index)}})
		}
		b.Desc = strings.Join(desc, "; ") + "."
		return b.SVG(width)
	}
	return figure{title: "Indexes against data", key: []swatch{{"data", "data"}, {"index", "indexes"}}, charts: []drawing{draw}}
}

// scanFigure shows scan time against disk throughput, crossings marked.
func scanFigure(r estimate.Result, curves []curve, names []string) figure {
	draw := func(id string, width float64) (string, error) {
		v := chart.Curves{Text: chart.Text{ID: id, Title: "Full scan time by disk throughput", Desc: winnersText(curves)},
			XAxis: "disk throughput, MB/s", YAxis: "full scan, seconds", XMin: slowestDisk, XMax: fastestDisk,
			XNumber: func(x float64) string { return axisNumber(x / mb) }, YNumber: axisNumber}
		for i, c := range curves {
			v.Lines = append(v.Lines, chart.Line{Name: elide(c.label, 12), Role: roleOf(names[i], i), At: c.seconds})
		}
		v.Crossings = crossings(curves)
		if d := r.Assumptions.Disk; d != nil {
			v.Rule = chart.Mark{X: d.ThroughputBytesPerSecond, Label: elide(Safe(d.Profile), 16)}
		}
		return v.SVG(width)
	}
	return figure{title: "Full scan time against disk throughput", text: winnersText(curves), charts: []drawing{draw},
		plot: func(width int) []string { return winnersPlot(curves, r.Assumptions.Disk, width) }}
}

// crossings marks every meeting of two curves, and labels those where the
// fastest changes.
func crossings(curves []curve) []chart.Mark {
	var out []chart.Mark
	for i, a := range curves {
		for _, b := range curves[i+1:] {
			x := crossing(a, b)
			if x == 0 {
				continue
			}
			m := chart.Mark{X: x, Y: a.seconds(x)}
			if w := fastest(curves, x); w >= 0 && curves[w].seconds(x) >= a.seconds(x)*(1-1e-9) {
				m.Label = rateText(x)
			}
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b chart.Mark) int { return cmp.Compare(a.X, b.X) })
	return out
}

// winnersText says which compressor scans fastest on which disks.
func winnersText(curves []curve) string {
	const steps = 4096
	var parts []string
	last, from := fastest(curves, slowestDisk), slowestDisk
	for i := 1; i <= steps; i++ {
		x := logAt(float64(i) / steps)
		w := fastest(curves, x)
		if w == last && i < steps {
			continue
		}
		if last >= 0 {
			parts = append(parts, rangeText(curves[last].label, from, x))
		}
		last, from = w, x
	}
	return "Fastest full scan: " + strings.Join(parts, ", ") + "."
}

func rangeText(label string, from, to float64) string {
	low, high := from <= slowestDisk*1.001, to >= fastestDisk*0.999
	switch {
	case low && high:
		return label + " on every disk"
	case low:
		return label + " below " + rateText(to)
	case high:
		return label + " above " + rateText(from)
	}
	return label + " from " + rateText(from) + " to " + rateText(to)
}
