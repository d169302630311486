package report

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

//go:embed page.tmpl page.css
var pageFiles embed.FS

// Widths that figures are drawn for, CSS pixels: a page on a desk and a phone.
const (
	wideFigure   = 760.0
	narrowFigure = 330.0
	smallFigure  = 360.0 // one of several side by side
)

// writeHTML writes one page that needs nothing else: no script, no network.
// Text is escaped by html/template; only the figures, which package chart
// escapes itself, and the style sheet go in as they are.
func writeHTML(w *bufio.Writer, r estimate.Result, o Options) error {
	o.Explain = true
	p := page{Title: pageTitle(r), Tool: titleOf(r), Command: commandText(r.Command), Seed: r.Seed, Single: len(r.Collections) == 1}
	return writePage(w, p, layOut(r, o))
}

func writePage(w *bufio.Writer, p page, l layout) error {
	t, err := template.New("page.tmpl").Funcs(template.FuncMap{
		"kind": kindOf, "short": func(s string) string { return elide(s, 40) }, "inc": func(i int) int { return i + 1 },
	}).ParseFS(pageFiles, "page.tmpl")
	if err != nil {
		return err
	}
	css, err := pageFiles.ReadFile("page.css")
	if err != nil {
		return err
	}
	p.CSS = template.CSS(css)
	p.fill(l)
	return t.Execute(w, p)
}

// A page is what the template shows.
type page struct {
	Title, Tool, Command string
	CSS                  template.CSS
	Seed                 int64
	Single               bool // one collection: the contents list its parts
	Parts                []part
	Notes                []string
}

// A part is a section with its sub sections.
type part struct {
	ID, Title string
	Notes     []int
	Blocks    []any
	Subs      []part
}

// pageGrid, pageFigure and the other blocks are what the template asks for.
type (
	pageGrid struct {
		Caption, Legend string
		Columns         []pageColumn
		Rows, Foot      []pageRow
	}
	pageColumn struct {
		Heading, Unit, Title string
		Left                 bool
	}
	pageRow struct {
		Class string
		Badge string
		Notes []int
		Cells []pageCell
	}
	pageCell   struct{ Text, Class string }
	pageFigure struct {
		Title, Text string
		Key         []pageSwatch
		Charts      []pageChart
		Small       bool
	}
	pageSwatch struct{ Role, Label string }
	pageChart  struct{ Wide, Narrow template.HTML }
	pageTile   struct{ Label, Value, Note string }
	pageFact   struct{ Label, Text string }
	pageFacts  []pageFact
	pageTiles  []pageTile
	pagePara   struct {
		Text   string
		Strong bool
	}
	pageList     []string
	pageRecipe   struct{ Texts, Lines []string }
	pageCommands []pageRecipe
)

func (p *page) fill(l layout) {
	for _, s := range l.sections {
		x := part{ID: s.id, Title: s.title, Notes: s.notes}
		for i, b := range s.blocks {
			if v := pageBlock(b, fmt.Sprintf("%s-f%d", s.id, i+1)); v != nil {
				x.Blocks = append(x.Blocks, v)
			}
		}
		if s.sub && len(p.Parts) > 0 {
			last := &p.Parts[len(p.Parts)-1]
			last.Subs = append(last.Subs, x)
			continue
		}
		p.Parts = append(p.Parts, x)
	}
	p.Notes = l.notes
}

// kindOf names a block for the template.
func kindOf(b any) string {
	return strings.TrimPrefix(fmt.Sprintf("%T", b), "report.page")
}

func pageBlock(b block, id string) any {
	switch b := b.(type) {
	case facts:
		var out pageFacts
		for _, f := range b {
			out = append(out, pageFact{f.label, f.text})
		}
		return out
	case tiles:
		var out pageTiles
		for _, t := range b {
			out = append(out, pageTile{t.label, t.value, t.note})
		}
		return out
	case para:
		return pagePara{b.text, b.strong}
	case bullets:
		return pageList(b)
	case commands:
		var out pageCommands
		for _, r := range b {
			out = append(out, pageRecipe{r.texts, r.lines})
		}
		return out
	case grid:
		return gridView(b)
	case figure:
		return figureView(b, id)
	}
	return nil
}

func gridView(g grid) any {
	if len(g.rows) == 0 {
		return nil
	}
	v := pageGrid{Caption: g.caption, Legend: g.legend}
	if marked(g) {
		v.Legend = ""
	}
	for _, c := range g.columns {
		text, _ := define(c.definedAs())
		v.Columns = append(v.Columns, pageColumn{Heading: c.heading(), Unit: c.unit, Title: text, Left: c.left})
	}
	for _, r := range g.rows {
		v.Rows = append(v.Rows, rowView(g, r))
	}
	for _, r := range g.foot {
		v.Foot = append(v.Foot, rowView(g, r))
	}
	return v
}

func rowView(g grid, r row) pageRow {
	v := pageRow{Notes: r.notes, Badge: markLabel(r.mark)}
	if r.mark != unmarked {
		v.Class = markLabel(r.mark)
	}
	for i, s := range r.cells {
		v.Cells = append(v.Cells, pageCell{strings.TrimSpace(s), cellClass(g.columns[i])})
	}
	return v
}

func cellClass(c column) string {
	switch {
	case c.name:
		return "left name"
	case c.left:
		return "left"
	}
	return ""
}

func markLabel(m mark) string {
	return map[mark]string{advised: "advised", today: "today"}[m]
}

// figureView draws each chart twice. A chart that cannot be drawn is left out;
// its figures are in the tables too.
func figureView(f figure, id string) any {
	v := pageFigure{Title: f.title, Text: f.text, Small: len(f.charts) > 1}
	for _, k := range f.key {
		v.Key = append(v.Key, pageSwatch{k.role, k.label})
	}
	wide := wideFigure
	if v.Small {
		wide = smallFigure
	}
	for i, draw := range f.charts {
		big, err := draw(fmt.Sprintf("%s-%dw", id, i+1), wide)
		if err != nil {
			continue
		}
		small, err := draw(fmt.Sprintf("%s-%dn", id, i+1), narrowFigure)
		if err != nil {
			continue
		}
		v.Charts = append(v.Charts, pageChart{template.HTML(big), template.HTML(small)})
	}
	if len(v.Charts) == 0 {
		return nil
	}
	return v
}

func pageTitle(r estimate.Result) string {
	switch len(r.Collections) {
	case 0:
		return Safe(r.Source.Name)
	case 1:
		return Safe(r.Collections[0].NS)
	}
	return fmt.Sprintf("%s: %d collections", Safe(r.Source.Name), len(r.Collections))
}
