package chart

import (
	"errors"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars is a chart of horizontal stacked bars, the first at the top.
type Bars struct {
	Text
	Axis   string // what the length means, with its unit
	Number func(float64) string
	Rows   []Bar
}

// A Bar is one row: segments from left to right and what is written at its end.
type Bar struct {
	Name     string
	Label    string
	Strong   bool // name and label in bold
	Segments []Segment
}

// A Segment is a part of a bar. Values below zero are drawn as nothing.
type Segment struct {
	Value float64
	Role  Role
}

const (
	barHeight = 22.0
	barPitch  = 34.0
)

// SVG draws the bars for a page of the given width.
func (b Bars) SVG(width float64) (string, error) {
	most := 0.0
	for _, r := range b.Rows {
		sum := 0.0
		for _, s := range r.Segments {
			if !drawable(s.Value) {
				return "", errors.New("draw " + b.ID + ": a value is not a number")
			}
			sum += max(s.Value, 0)
		}
		most = max(most, sum)
	}
	if most <= 0 {
		return "", errors.New("draw " + b.ID + ": nothing to show")
	}
	p := newPlot()
	n := float64(len(b.Rows))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, most, 0, n
	p.X.Label.Text = b.Axis
	p.X.Tick.Marker = niceTicks(b.Number, int(max(width/110, 2)))
	p.X.LineStyle.Width, p.X.Tick.LineStyle.Width = 0, 0
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	p.X.Padding, p.Y.Padding = vg.Points(3), vg.Points(8)
	p.Y.Tick.Label.Color = Ink.color()
	p.Y.Tick.Marker = b.names()
	p.Add(barPlotter(b))
	return finish(p, width, n*barPitch+52, b.Text)
}

func (b Bars) names() plot.ConstantTicks {
	var out plot.ConstantTicks
	for i, r := range b.Rows {
		out = append(out, plot.Tick{Value: float64(len(b.Rows)-i) - 0.5, Label: r.Name})
	}
	return out
}

// barPlotter draws grid lines, segments and end labels.
type barPlotter Bars

// Plot draws on a canvas; see plot.Plotter.
func (b barPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	gridLines(c, p)
	c.StrokeLine2(draw.LineStyle{Color: Muted.color(), Width: vg.Points(1)}, c.Min.X, c.Min.Y, c.Min.X, c.Max.Y)
	for i, r := range b.Rows {
		mid := y(float64(len(b.Rows)-i) - 0.5)
		at := 0.0
		for _, s := range r.Segments {
			if s.Value <= 0 {
				continue
			}
			box(c, s.Role, x(at), x(at+s.Value), mid-barHeight/2, mid+barHeight/2)
			at += s.Value
		}
		b.label(c, r, x(solid(r)), mid)
	}
}

// solid is where the label of a bar stands: after its last part that is there.
func solid(r Bar) float64 {
	sum := 0.0
	for _, s := range r.Segments {
		if s.Role != Ghost {
			sum += max(s.Value, 0)
		}
	}
	return sum
}

// label writes after the part of the bar that is there.
func (b barPlotter) label(c draw.Canvas, r Bar, end, mid vg.Length) {
	c.FillText(textStyle(Ink, r.Strong), vg.Point{X: end + labelGap, Y: mid}, r.Label)
}

const labelGap = 6

// GlyphBoxes keeps room for the labels.
func (b barPlotter) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	var out []plot.GlyphBox
	for _, r := range b.Rows {
		out = append(out, plot.GlyphBox{X: p.X.Norm(solid(r)), Y: 0.5,
			Rectangle: vg.Rectangle{Max: vg.Point{X: labelGap + textWidth(textStyle(Ink, r.Strong), r.Label)}}})
	}
	return out
}

func textStyle(r Role, bold bool) text.Style {
	return text.Style{Color: r.color(), Font: sans(bold), XAlign: draw.XLeft, YAlign: draw.YCenter,
		Handler: plot.DefaultTextHandler}
}

// box fills a rectangle, at least a hair wide, leaving a gap to the next.
func box(c draw.Canvas, r Role, x0, x1, y0, y1 vg.Length) {
	if x1-x0 > 3 {
		x1--
	}
	x1 = max(x1, x0+0.75)
	c.FillPolygon(r.color(), []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}

// gridLines draws a pale line at each labelled tick of the horizontal axis.
func gridLines(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	style := draw.LineStyle{Color: Grid.color(), Width: vg.Points(1)}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if t.IsMinor() || t.Value < p.X.Min || t.Value > p.X.Max {
			continue
		}
		c.StrokeLine2(style, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
	}
}

// levelLines draws a pale line at each labelled tick of the vertical axis.
func levelLines(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	style := draw.LineStyle{Color: Grid.color(), Width: vg.Points(1)}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if t.IsMinor() || t.Value <= p.Y.Min || t.Value > p.Y.Max {
			continue
		}
		c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
	}
}

// grid is levelLines drawn before, and so behind, what is added after it.
type grid struct{}

// Plot draws on a canvas; see plot.Plotter.
func (grid) Plot(c draw.Canvas, p *plot.Plot) { levelLines(c, p) }

// niceTicks places about n ticks at 1, 2 or 5 times a power of ten.
func niceTicks(number func(float64) string, n int) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		step := niceStep((high - low) / float64(n))
		var out []plot.Tick
		for i := 0; i <= 2*n+2; i++ {
			v := math.Ceil(low/step)*step + float64(i)*step
			if v > high+step/1000 {
				break
			}
			out = append(out, plot.Tick{Value: v, Label: number(v)})
		}
		return out
	})
}

// niceStep is the smallest of 1, 2 and 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	if v <= 0 || !drawable(v) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= v*(1-1e-9) {
			return k * unit
		}
	}
	return 10 * unit
}
