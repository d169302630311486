// Package chart draws the figures of the HTML page as inline SVG, with
// gonum.org/v1/plot for scales, axes, text and lines.
//
// The SVG is made for the page it stands in. Colours are CSS variables named
// after what they mean (Role), so that one figure serves a light, a dark and a
// printed page. Text is text: it can be selected and searched. Each figure has
// a title and a description for those who do not see it. Widths and font sizes
// are CSS pixels; a figure is drawn once for a wide page and once for a phone
// rather than shrunk. Texts are escaped here; control characters must have been
// taken out before.
package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Role is what a colour stands for; the page's style sheet has one variable
// for each, --chart-NAME.
type Role uint8

// The roles. Ink is for figures and names, Muted for axes, Grid for grid lines,
// Paper for what lies behind; Data, Index, Inner and Rounding are parts of a file;
// Series1 to Series6 tell series apart.
const (
	Ink Role = iota
	Muted
	Grid
	Paper
	Ghost // what is not there: bytes saved
	Data
	Index
	Inner
	Rounding
	Series1
	Series2
	Series3
	Series4
	Series5
	Series6
	numRoles
)

var roleNames = [numRoles]string{"ink", "muted", "grid", "paper", "ghost", "data", "index", "inner", "rounding",
	"s1", "s2", "s3", "s4", "s5", "s6"}

// Variables lists the CSS variables that figures use.
func Variables() []string {
	out := make([]string, numRoles)
	for i, n := range roleNames {
		out[i] = "--chart-" + n
	}
	return out
}

// Series gives the role of the i-th series; after six they repeat.
func Series(i int) Role { return Series1 + Role(i%6) }

// color gives a role a colour that nothing else has; finish replaces it.
func (r Role) color() color.Color { return color.NRGBA{R: 0xfe, G: 0x01, B: uint8(r), A: 0xff} }

// Text says what a figure is, for its title and description elements.
type Text struct {
	ID          string // unique in the page
	Title, Desc string
}

// fontSize is the size of all text in a figure.
const fontSize = 12.5

func sans(weight bool) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(fontSize)}
	if weight {
		f.Weight = 2 // bold
	}
	return f
}

// newPlot is an empty plot in the house style: no box, pale grid, muted axes.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(false), Muted.color()
		a.Tick.Label.Font, a.Tick.Label.Color = sans(false), Muted.color()
		a.LineStyle.Color, a.Tick.LineStyle.Color = Muted.color(), Muted.color()
		a.LineStyle.Width, a.Tick.LineStyle.Width = vg.Points(1), vg.Points(1)
		a.Tick.Length = vg.Points(4)
		a.Label.Padding = vg.Points(4)
		a.Padding = 0
	}
	return p
}

// finish draws p and turns the result into an element of the page. The library
// panics on some values that cannot be drawn; that becomes an error here, for a
// report without a figure is still a report.
func finish(p *plot.Plot, width, height float64, t Text) (svg string, err error) {
	defer func() {
		if r := recover(); r != nil {
			svg, err = "", fmt.Errorf("draw %s: %v", t.ID, r)
		}
	}()
	c := vgsvg.New(vg.Points(width), vg.Points(height))
	inside := draw.Crop(draw.New(c), 1, -1, 1, -1)
	// When texts need more than there is, the library finds a negative width, an
	// endless one or NaN, and would draw to places that are not numbers.
	if room := p.DataCanvas(inside).Size().X; !(room > 0 && room <= inside.Size().X) {
		return "", fmt.Errorf("draw %s: its texts leave no room", t.ID)
	}
	p.Draw(inside)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	return dress(b.String(), width, height, t), nil
}

var (
	head      = regexp.MustCompile(`(?s)^.*?<svg [^>]*>`)
	fontStyle = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;`)
	roleColor = regexp.MustCompile(`#FE01([0-9A-F]{2})`)
	breaks    = regexp.MustCompile(`\s*\n\s*`)
)

// dress replaces the document head by an element with a role and a description,
// fonts by the page's and colours by variables.
func dress(s string, width, height float64, t Text) string {
	open := fmt.Sprintf(`<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" `+
		`role="img" aria-labelledby="%[5]s-t %[5]s-d"><title id="%[5]s-t">%[6]s</title><desc id="%[5]s-d">%[7]s</desc>`,
		width, height, width, height, html.EscapeString(t.ID), html.EscapeString(t.Title), html.EscapeString(t.Desc))
	s = head.ReplaceAllLiteralString(s, open)
	s = fontStyle.ReplaceAllString(s, "")
	s = roleColor.ReplaceAllStringFunc(s, func(m string) string {
		var r uint8
		if _, err := fmt.Sscanf(m, "#FE01%02X", &r); err != nil || r >= uint8(numRoles) {
			return m
		}
		return "var(--chart-" + roleNames[r] + ")"
	})
	return breaks.ReplaceAllString(strings.TrimSpace(s), " ")
}

// fontRatio is how much wider a page's text may be than it is in Liberation Sans:
// names and figures take up to 1.25 times the room in Verdana and DejaVu Sans,
// in bold, the widest of those that systems have for sans-serif.
const fontRatio = 1.3

// textWidth is the room to keep for a text.
func textWidth(style text.Style, s string) vg.Length { return style.Width(s) * fontRatio }

// drawable reports whether a chart can show v: sizes, times and speeds in any
// unit are far inside these bounds, and beyond them scales lose their digits.
func drawable(v float64) bool {
	a := math.Abs(v)
	return v == 0 || a > 1e-18 && a < 1e24
}
