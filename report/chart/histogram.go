package chart

import (
	"errors"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Histogram counts blocks of whole steps. A block of k steps holds between k−1
// and k steps of compressed bytes, so its bar fills the space between the two
// lines and ends at the line it was rounded up to.
type Histogram struct {
	Text
	Role     Role
	Axis     string
	Step     float64 // distance of the lines
	Min, Max float64 // shared by figures that are to be compared
	Bars     []Column
	Mean     float64 // marked when inside the range
	MeanText string
	Number   func(float64) string
	Percent  func(float64) string
}

// A Column is the share of blocks of one size.
type Column struct{ Size, Share float64 }

// SVG draws the histogram for a page of the given width.
func (h Histogram) SVG(width float64) (string, error) {
	if h.Step <= 0 || h.Max <= h.Min || len(h.Bars) == 0 || !drawable(h.Max) || !drawable(h.Min) {
		return "", errors.New("draw " + h.ID + ": nothing to show")
	}
	most := 0.0
	for _, b := range h.Bars {
		most = max(most, b.Share)
	}
	if most <= 0 || !drawable(most) {
		return "", errors.New("draw " + h.ID + ": nothing to show")
	}
	p := newPlot()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = h.Min, h.Max, 0, most*1.12
	p.X.Label.Text = h.Axis
	p.X.Tick.Marker = h.lines(width)
	p.X.LineStyle.Width, p.X.Tick.LineStyle.Width = 0, 0
	p.X.Padding, p.Y.Padding = vg.Points(4), vg.Points(6)
	p.Y.Tick.Marker = niceTicks(h.Percent, 3)
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	p.Add(histogramPlotter(h))
	return finish(p, width, 200, h.Text)
}

// lines has a tick at each step and a number at as many as have room.
func (h Histogram) lines(width float64) plot.ConstantTicks {
	every := 1
	for (h.Max-h.Min)/h.Step/float64(every) > width/46 {
		every *= 2
	}
	var out plot.ConstantTicks
	for i, v := 0, h.Min; v <= h.Max+h.Step/2 && i < 4096; i, v = i+1, v+h.Step {
		t := plot.Tick{Value: v}
		if i%every == 0 {
			t.Label = h.Number(v)
		}
		out = append(out, t)
	}
	return out
}

type histogramPlotter Histogram

// Plot draws on a canvas; see plot.Plotter.
func (h histogramPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: Grid.color(), Width: vg.Points(1)}
	for _, t := range p.X.Tick.Marker.Ticks(h.Min, h.Max) {
		c.StrokeLine2(line, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
	}
	c.StrokeLine2(draw.LineStyle{Color: Muted.color(), Width: vg.Points(1)}, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	for _, b := range h.Bars {
		if b.Share > 0 && b.Size <= h.Max && b.Size-h.Step >= h.Min {
			box(c, h.Role, x(b.Size-h.Step)+1, x(b.Size), y(0), max(y(b.Share), y(0)+0.75))
		}
	}
	h.mean(c, x)
}

func (h histogramPlotter) mean(c draw.Canvas, x func(float64) vg.Length) {
	if h.Mean < h.Min || h.Mean > h.Max || h.MeanText == "" {
		return
	}
	at := x(h.Mean)
	c.StrokeLine2(draw.LineStyle{Color: Ink.color(), Width: vg.Points(1), Dashes: []vg.Length{3, 3}},
		at, c.Min.Y, at, c.Max.Y)
	style := textStyle(Ink, false)
	style.YAlign = draw.YTop
	pt := vg.Point{X: at + 5, Y: c.Max.Y}
	if at+5+textWidth(style, h.MeanText) > c.Max.X {
		style.XAlign = draw.XRight
		pt.X = at - 5
	}
	c.FillText(style, pt, h.MeanText)
}
