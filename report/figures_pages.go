package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/report/chart"
)

// pageSizesFigure shows how many leaf pages have which block size, one chart
// for each compressor, on one scale.
func pageSizesFigure(c estimate.CollectionResult) figure {
	f := figure{
		title: "Leaf pages by block size, in steps of the allocation unit",
		text:  "Lines stand at each allocation unit; a bar ends at the line its blocks were rounded up to.",
		plot:  func(width int) []string { return pageSizesPlot(c, width) },
	}
	step := float64(c.Table.AllocationSize)
	if step <= 0 {
		step = 4 * kib
	}
	low, high := blockRange(c, step)
	for i, k := range representatives(c) {
		if len(k.PageDiskHistogram) == 0 {
			continue
		}
		f.charts = append(f.charts, histogramDrawing(c, k, i, step, low, high))
	}
	return f
}

// blockRange is the range of block sizes over all compressors, a step wider at
// the left. Sizes beyond 64 steps share no line anyway and are left out.
func blockRange(c estimate.CollectionResult, step float64) (low, high float64) {
	low = math.Inf(1)
	for _, k := range representatives(c) {
		for _, b := range mainBars(k) {
			low, high = min(low, float64(b.Bytes)), max(high, float64(b.Bytes))
		}
	}
	if math.IsInf(low, 1) {
		return 0, 0
	}
	return max(low-2*step, 0), min(high+step, low+64*step)
}

// mainBars leaves out sizes that fewer than one leaf page in two hundred has:
// a few pages of large documents would squeeze the others together.
func mainBars(k estimate.CompressorResult) []estimate.HistogramBar {
	var sum int64
	for _, b := range k.PageDiskHistogram {
		sum += b.Pages
	}
	var out []estimate.HistogramBar
	for _, b := range k.PageDiskHistogram {
		if b.Bytes > 0 && share(b.Pages, sum) >= 0.005 {
			out = append(out, b)
		}
	}
	return out
}

func histogramDrawing(c estimate.CollectionResult, k estimate.CompressorResult, i int, step, low, high float64) drawing {
	return func(id string, width float64) (string, error) {
		var sum int64
		for _, b := range k.PageDiskHistogram {
			sum += b.Pages
		}
		name := labelIn(c, k)
		h := chart.Histogram{Role: roleOf(k.Compressor, i), Axis: name + ", KiB on disk", Step: step, Min: low, Max: high,
			Mean: float64(k.PageDiskBytes), MeanText: "mean " + short(k.PageDiskBytes),
			Number: func(v float64) string { return axisNumber(v / kib) }, Percent: shortPercent}
		var desc []string
		var beyond int64
		for _, b := range k.PageDiskHistogram {
			if float64(b.Bytes) > high {
				beyond += b.Pages
			}
			h.Bars = append(h.Bars, chart.Column{Size: float64(b.Bytes), Share: share(b.Pages, sum)})
			if len(desc) < 2*maxBars {
				desc = append(desc, percent(share(b.Pages, sum))+" in blocks of "+short(b.Bytes))
			}
		}
		if beyond > 0 {
			h.Axis += " (" + percent(share(beyond, sum)) + " beyond)"
		}
		h.Text = chart.Text{ID: id, Title: "Leaf pages by block size under " + name,
			Desc: fmt.Sprintf("%s. Mean %s.", strings.Join(desc, ", "), short(k.PageDiskBytes))}
		return h.SVG(width)
	}
}

// levelFigure sets size against compression speed where several levels of a
// compressor were tried.
func levelFigure(c estimate.CollectionResult, o Options) (figure, bool) {
	groups := map[string][]estimate.CompressorResult{}
	var order []string
	var sizes []int64
	for _, k := range c.Compressors {
		if k.CompressNsPerByte <= 0 {
			continue
		}
		if groups[k.Compressor] == nil {
			order = append(order, k.Compressor)
		}
		groups[k.Compressor] = append(groups[k.Compressor], k)
		sizes = append(sizes, k.StorageSize)
	}
	several := false
	for _, g := range groups {
		several = several || len(g) > 1
	}
	if !several {
		return figure{}, false
	}
	sc := byteScale(o.Bytes, sizes...)
	draw := func(id string, width float64) (string, error) {
		s := chart.Scatter{Text: chart.Text{ID: id, Title: "storageSize by compression speed", Desc: levelsText(c, o)},
			XAxis: "compression, MB/s on one core", YAxis: "storageSize, " + sc.unit,
			XNumber: axisNumber, YNumber: axisNumber}
		for i, name := range order {
			g := chart.Group{Name: name, Role: roleOf(name, i)}
			for _, k := range groups[name] {
				g.Points = append(g.Points, chart.Mark{X: speed(k.CompressNsPerByte) / mb, Y: float64(k.StorageSize) / sc.divisor,
					Label: pointLabel(k, len(groups[name]) > 1)})
			}
			s.Groups = append(s.Groups, g)
		}
		return s.SVG(width)
	}
	return figure{title: "Levels: what each one buys and costs", charts: []drawing{draw}, key: levelKey(order),
		text: "Each point is a level. Steps down happen where blocks cross a 4 KiB boundary: levels between two steps cost time " +
			"and save nothing."}, true
}

func pointLabel(k estimate.CompressorResult, leveled bool) string {
	if leveled {
		return fmt.Sprint(k.Level)
	}
	return Safe(k.Compressor)
}

func levelKey(order []string) []swatch {
	var out []swatch
	for i, name := range order {
		out = append(out, swatch{fmt.Sprintf("s%d", int(roleOf(name, i)-chart.Series1)+1), Safe(name)})
	}
	return out
}

func levelsText(c estimate.CollectionResult, o Options) string {
	var parts []string
	for i, k := range c.Compressors {
		if k.CompressNsPerByte > 0 {
			parts = append(parts, fmt.Sprintf("%s %s at %s", labelsOf(c.Compressors)[i], bytesText(k.StorageSize, o.Bytes),
				rateText(speed(k.CompressNsPerByte))))
		}
	}
	return strings.Join(parts, "; ") + "."
}

// maxFigureRows bounds the bars of the figure over all collections.
const maxFigureRows = 15

// collectionsFigure shows where the bytes of a whole dump are.
func collectionsFigure(r estimate.Result, o Options) figure {
	order := bySize(r)
	order = order[:min(len(order), maxFigureRows)]
	var sizes []int64
	for _, i := range order {
		sizes = append(sizes, baselineOf(r.Collections[i]).size+r.Collections[i].TotalIndexSize)
	}
	sc := byteScale(o.Bytes, sizes...)
	draw := func(id string, width float64) (string, error) {
		b := chart.Bars{Text: chart.Text{ID: id, Title: "Data and indexes by collection"}, Axis: sc.unit, Number: axisNumber}
		var desc []string
		for n, i := range order {
			c := r.Collections[i]
			data := baselineOf(c).size
			saves := int64(0)
			if c.Advice != nil && c.Advice.Action == "change" {
				saves = min(max(c.Advice.SavesBytes, 0), data)
			}
			desc = append(desc, Safe(c.NS)+" "+bytesText(sizes[n], o.Bytes))
			b.Rows = append(b.Rows, chart.Bar{Name: elide(Safe(c.NS), nameColumns(width)), Label: sc.bytes(sizes[n]),
				Segments: []chart.Segment{sc.segment(c.TotalIndexSize, chart.Index), sc.segment(data-saves, chart.Data),
					sc.segment(saves, chart.Rounding)}})
		}
		b.Desc = strings.Join(desc, "; ") + "."
		return b.SVG(width)
	}
	return figure{title: "Where the bytes are", key: []swatch{{"index", "indexes"}, {"data", "data"},
		{"rounding", "data that the advised change saves"}}, charts: []drawing{draw}}
}
