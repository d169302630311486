package chart

import (
	"errors"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curves shows functions on two logarithmic axes.
type Curves struct {
	Text
	XAxis, YAxis     string
	XMin, XMax       float64
	XNumber, YNumber func(float64) string
	Lines            []Line
	// Crossings are marked; the label of one may be empty.
	Crossings []Mark
	// Rule is a vertical line with a name, where inside the range.
	Rule Mark
}

// A Line is a function of x, with its name written at its right end.
type Line struct {
	Name string
	Role Role
	At   func(x float64) float64
}

// A Mark is a point, or a place on the horizontal axis, with a label.
type Mark struct {
	X, Y  float64
	Label string
}

const (
	curvePoints = 96
	nameGap     = 7
)

// SVG draws the curves for a page of the given width.
func (v Curves) SVG(width float64) (string, error) {
	if v.XMin <= 0 || v.XMax <= v.XMin || len(v.Lines) == 0 {
		return "", errors.New("draw " + v.ID + ": nothing to show")
	}
	p := newPlot()
	p.X.Min, p.X.Max = v.XMin, v.XMax
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Label.Text, p.Y.Label.Text = v.XAxis, v.YAxis
	p.Add(grid{})
	for i, l := range v.Lines {
		line, err := l.plotter(v, i)
		if err != nil {
			return "", err
		}
		p.Add(line)
	}
	if p.Y.Min <= 0 || !drawable(p.Y.Max) {
		return "", errors.New("draw " + v.ID + ": times must be positive")
	}
	p.X.Min, p.X.Max = v.XMin, v.XMax
	p.Y.Min, p.Y.Max = p.Y.Min/1.15, p.Y.Max*1.15
	p.X.Tick.Marker = decades(v.XNumber, []float64{1})
	p.Y.Tick.Marker = decades(v.YNumber, stepsFor(p.Y.Min, p.Y.Max))
	p.Add(curveMarks{v, p})
	return finish(p, width, min(max(width*0.62, 260), 380), v.Text)
}

// plotter samples the line evenly in log x; each has its own dashes, so that
// lines are told apart without colour.
func (l Line) plotter(v Curves, i int) (*plotter.Line, error) {
	pts := make(plotter.XYs, curvePoints+1)
	for k := range pts {
		x := v.XMin * math.Pow(v.XMax/v.XMin, float64(k)/curvePoints)
		y := l.At(x)
		if y <= 0 || !drawable(y) {
			return nil, errors.New("draw " + v.ID + ": times must be positive")
		}
		pts[k].X, pts[k].Y = x, y
	}
	line, err := plotter.NewLine(pts)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = l.Role.color(), vg.Points(2)
	line.Dashes = [][]vg.Length{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}, {4, 2}, {12, 4}}[i%6]
	return line, nil
}

// stepsFor labels 1, 2 and 5 of each decade where there are few, else 1 only.
func stepsFor(low, high float64) []float64 {
	if high/low < 300 {
		return []float64{1, 2, 5}
	}
	return []float64{1}
}

// decades has ticks at the given multiples of each power of ten.
func decades(number func(float64) string, steps []float64) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		var out []plot.Tick
		for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
			for _, s := range steps {
				if v := s * math.Pow(10, e); v >= low*0.999 && v <= high*1.001 {
					out = append(out, plot.Tick{Value: v, Label: number(v)})
				}
			}
		}
		return out
	})
}

// curveMarks draws the grid, the rule, the crossings and the names.
type curveMarks struct {
	Curves
	p *plot.Plot
}

// Plot draws on a canvas; see plot.Plotter.
func (m curveMarks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if m.Rule.X >= m.XMin && m.Rule.X <= m.XMax {
		style := draw.LineStyle{Color: Muted.color(), Width: vg.Points(1), Dashes: []vg.Length{2, 3}}
		c.StrokeLine2(style, x(m.Rule.X), c.Min.Y, x(m.Rule.X), c.Max.Y)
		t := textStyle(Muted, false)
		t.YAlign = draw.YTop
		c.FillText(t, vg.Point{X: x(m.Rule.X) + 5, Y: c.Max.Y}, m.Rule.Label)
	}
	m.crossings(c, x, y)
	m.names(c, y)
}

// corners are where the label of a crossing may stand: the curves fall to the
// right, so below left and above right are free of them.
var corners = []struct {
	dx, dy vg.Length
	x      text.XAlignment
	y      text.YAlignment
}{{-7, -5, draw.XRight, draw.YTop}, {7, 5, draw.XLeft, draw.YBottom}, {-7, -21, draw.XRight, draw.YTop}, {7, 21, draw.XLeft, draw.YBottom}}

// crossings draws rings, then each label in the first corner that is free.
func (m curveMarks) crossings(c draw.Canvas, x, y func(float64) vg.Length) {
	var taken []vg.Rectangle
	for _, k := range m.Crossings {
		if k.X < m.XMin || k.X > m.XMax || k.Y <= 0 {
			continue
		}
		at := vg.Point{X: x(k.X), Y: y(k.Y)}
		c.DrawGlyph(draw.GlyphStyle{Color: Paper.color(), Radius: vg.Points(4), Shape: draw.CircleGlyph{}}, at)
		c.DrawGlyph(draw.GlyphStyle{Color: Ink.color(), Radius: vg.Points(4), Shape: draw.RingGlyph{}}, at)
		for _, p := range corners {
			t := textStyle(Ink, false)
			t.XAlign, t.YAlign = p.x, p.y
			pt := at.Add(vg.Point{X: p.dx, Y: p.dy})
			r := labelBox(t, k.Label, pt)
			if k.Label == "" || overlaps(r, taken) || r.Min.X < c.Min.X || r.Max.X > c.Max.X || r.Min.Y < c.Min.Y {
				continue
			}
			taken = append(taken, r)
			c.FillText(t, pt, k.Label)
			break
		}
	}
}

// GlyphBoxes keeps room for the names to the right of the lines.
func (m curveMarks) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	wide := vg.Length(0)
	style := textStyle(Ink, true)
	for _, l := range m.Lines {
		wide = max(wide, textWidth(style, l.Name))
	}
	return []plot.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: wide + nameGap}}}}
}

// names writes each line's name beside its end, pushed apart where they meet.
func (m curveMarks) names(c draw.Canvas, y func(float64) vg.Length) {
	order := make([]int, len(m.Lines))
	for i := range order {
		order[i] = i
	}
	end := func(i int) vg.Length { return y(m.Lines[i].At(m.XMax)) }
	sort.SliceStable(order, func(a, b int) bool { return end(order[a]) < end(order[b]) })
	last := vg.Length(math.Inf(-1))
	for _, i := range order {
		at := max(end(i), last+fontSize+2)
		last = at
		c.FillText(textStyle(m.Lines[i].Role, true), vg.Point{X: c.Max.X + nameGap, Y: at}, m.Lines[i].Name)
	}
}
