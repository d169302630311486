package report

import (
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// gutter is the blank between two columns.
const gutter = 2

// grid prints a table in as few panels as the width allows.
func (t terminal) grid(g grid) {
	g = t.fitNames(g)
	for i, p := range panels(g, t.width-gutter) {
		if i > 0 {
			t.line("")
		}
		t.panel(g, p)
	}
	if g.legend != "" {
		t.line("  " + t.paint.dim(g.legend))
	}
}

// panels splits column numbers so that each panel fits; each starts with the
// first column, which names the rows.
func panels(g grid, limit int) [][]int {
	first, total := g.columnWidth(0), 0
	for c := range g.columns {
		total += gutter + g.columnWidth(c)
	}
	fits := total-gutter <= limit
	var out [][]int
	panel, used := []int{0}, first
	for c := 1; c < len(g.columns); c++ {
		w := gutter + g.columnWidth(c)
		if len(panel) > 1 && (used+w > limit || !fits && g.columns[c].part) {
			out = append(out, panel)
			panel, used = []int{0}, first
		}
		panel, used = append(panel, c), used+w
	}
	return append(out, panel)
}

func (g grid) columnWidth(c int) int {
	w := width(g.columns[c].unit)
	for _, h := range g.columns[c].head {
		w = max(w, width(h))
	}
	for _, rows := range [][]row{g.rows, g.foot} {
		for _, r := range rows {
			w = max(w, width(r.cell(c)))
		}
	}
	return w
}

// cell is the text of a cell with the marks of its row's footnotes.
func (r row) cell(c int) string {
	if c == 0 && len(r.notes) > 0 {
		return r.cells[0] + " " + superscript(r.notes)
	}
	return r.cells[c]
}

// fitNames elides names so that the widest panel has room for its numbers: the
// names of a row get what is left beside the widest other column, and at most
// half of the width when everything else could stand beside them.
func (t terminal) fitNames(g grid) grid {
	others, names, widest := 0, 0, 0
	for c := range g.columns {
		if g.columns[c].name {
			names++
			continue
		}
		w := gutter + g.columnWidth(c)
		others, widest = others+w, max(widest, w)
	}
	if names == 0 {
		return g
	}
	room := t.width - gutter - others
	if room < 16*names {
		room = (t.width - gutter - widest) / 2
	}
	return g.elided(max(room/names-gutter, 8))
}

// elided is a copy with every name cut to at most n columns, notes included.
func (g grid) elided(n int) grid {
	out := g
	out.rows = make([]row, len(g.rows))
	for i, r := range g.rows {
		cells := append([]string(nil), r.cells...)
		for c := range cells {
			if !g.columns[c].name {
				continue
			}
			room := n
			if c == 0 && len(r.notes) > 0 {
				room -= 1 + width(superscript(r.notes))
			}
			cells[c] = elide(cells[c], max(room, 1))
		}
		r.cells = cells
		out.rows[i] = r
	}
	return out
}

// panel hands the chosen columns to tablewriter, which aligns them, and indents
// what comes back so that marked rows have their symbol in the margin.
func (t terminal) panel(g grid, cols []int) {
	var b strings.Builder
	tab := newTable(&b, g, cols)
	head := headLines(g, cols)
	for _, line := range head {
		_ = tab.Append(line)
	}
	for _, rows := range [][]row{g.rows, g.foot} {
		for _, r := range rows {
			_ = tab.Append(pick(r, cols))
		}
	}
	_ = tab.Render()
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	wide := 0
	for _, s := range lines {
		wide = max(wide, width(strings.TrimRight(s, " ")))
	}
	t.panelLines(g, lines, len(head), wide)
}

// panelLines paints: headings dim, marked rows in their colour, a rule before
// the sums.
func (t terminal) panelLines(g grid, lines []string, head, wide int) {
	for i, s := range lines {
		k := i - head
		switch {
		case k < 0:
			t.line("  " + t.paint.dim(s))
		case k < len(g.rows):
			m := g.rows[k].mark
			t.line(t.paint.mark(m, symbols[m]+" "+s))
		default:
			if k == len(g.rows) {
				t.line("  " + t.paint.dim(strings.Repeat("─", wide)))
			}
			t.line("  " + s)
		}
	}
}

func pick(r row, cols []int) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = r.cell(c)
	}
	return out
}

// headLines stacks headings so that they end on the same line, units below.
func headLines(g grid, cols []int) [][]string {
	depth, units := 1, false
	for _, c := range cols {
		depth = max(depth, len(g.columns[c].head))
		units = units || g.columns[c].unit != ""
	}
	var lines [][]string
	for d := depth; d > 0; d-- {
		line := make([]string, len(cols))
		for i, c := range cols {
			h := g.columns[c].head
			if d <= len(h) {
				line[i] = h[len(h)-d]
			}
		}
		lines = append(lines, line)
	}
	if units {
		line := make([]string, len(cols))
		for i, c := range cols {
			line[i] = g.columns[c].unit
		}
		lines = append(lines, line)
	}
	return lines
}

// newTable is a table without borders, lines, wrapping or formatting: columns
// and alignment only.
func newTable(b *strings.Builder, g grid, cols []int) *tablewriter.Table {
	align := make([]tw.Align, len(cols))
	for i, c := range cols {
		align[i] = tw.AlignRight
		if g.columns[c].left {
			align[i] = tw.AlignLeft
		}
	}
	off := tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleNone),
		Settings: tw.Settings{
			Lines: tw.LinesNone,
			Separators: tw.Separators{ShowHeader: tw.Off, ShowFooter: tw.Off, BetweenRows: tw.Off,
				BetweenColumns: tw.Off},
		},
	}
	return tablewriter.NewTable(b,
		tablewriter.WithRenderer(renderer.NewBlueprint(off)),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithPadding(tw.Padding{Left: "", Right: strings.Repeat(" ", gutter), Overwrite: true}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
}
