package chart

import (
	"errors"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scatter shows points joined in their order: what each step buys and costs. The
// horizontal axis is logarithmic.
type Scatter struct {
	Text
	XAxis, YAxis     string
	XNumber, YNumber func(float64) string
	Groups           []Group
}

// A Group is one series of labelled points.
type Group struct {
	Name   string
	Role   Role
	Points []Mark
}

// SVG draws the points for a page of the given width.
func (s Scatter) SVG(width float64) (string, error) {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = s.XAxis, s.YAxis
	p.X.Scale = plot.LogScale{}
	p.Add(grid{})
	for _, g := range s.Groups {
		pts := make(plotter.XYs, len(g.Points))
		for i, m := range g.Points {
			if m.X <= 0 || !drawable(m.X) || !drawable(m.Y) {
				return "", errors.New("draw " + s.ID + ": speeds must be positive")
			}
			pts[i].X, pts[i].Y = m.X, m.Y
		}
		line, dots, err := plotter.NewLinePoints(pts)
		if err != nil {
			return "", err
		}
		line.Color, line.Width = g.Role.color(), vg.Points(1.5)
		dots.GlyphStyle = draw.GlyphStyle{Color: g.Role.color(), Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
	}
	if p.X.Min <= 0 || !drawable(p.X.Min) || !drawable(p.X.Max) {
		return "", errors.New("draw " + s.ID + ": nothing to show")
	}
	p.X.Min, p.X.Max = p.X.Min/1.25, p.X.Max*1.35
	pad := max((p.Y.Max-p.Y.Min)*0.12, math.Abs(p.Y.Max)*0.01)
	p.Y.Min, p.Y.Max = max(p.Y.Min-pad, 0), p.Y.Max+pad
	p.X.Tick.Marker = decades(s.XNumber, stepsFor(p.X.Min, p.X.Max))
	p.Y.Tick.Marker = niceTicks(s.YNumber, 5)
	p.Add(scatterLabels{s})
	return finish(p, width, min(max(width*0.6, 260), 360), s.Text)
}

type scatterLabels struct{ Scatter }

// Plot writes labels above their points, leaving out those that would cover
// one written before.
func (s scatterLabels) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var taken []vg.Rectangle
	for _, g := range s.Groups {
		style := textStyle(g.Role, false)
		style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
		for _, m := range g.Points {
			at := vg.Point{X: x(m.X), Y: y(m.Y) + 6}
			r := labelBox(style, m.Label, at)
			if !overlaps(r, taken) {
				taken = append(taken, r)
				c.FillText(style, at, m.Label)
			}
		}
	}
}

// labelBox is the room a text takes at a place, by the style's alignment.
func labelBox(style text.Style, s string, at vg.Point) vg.Rectangle {
	w, h := textWidth(style, s), vg.Length(fontSize)
	x, y := at.X+w*vg.Length(style.XAlign), at.Y+h*vg.Length(style.YAlign)
	return vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + w, Y: y + h}}
}

func overlaps(r vg.Rectangle, list []vg.Rectangle) bool {
	for _, o := range list {
		if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y {
			return true
		}
	}
	return false
}
