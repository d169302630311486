package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// markdown prints a layout as GitHub-flavoured Markdown. Text is escaped so that
// a name is neither markup nor a link, and a table cell stays one cell.
type markdown struct{ w *bufio.Writer }

func writeMarkdown(w *bufio.Writer, l layout) error {
	m := markdown{w}
	m.line("# " + escapeMarkdown(l.title))
	for _, s := range l.sections {
		m.section(s)
	}
	if len(l.notes) > 0 {
		m.line("\n## Notes\n")
		for i, s := range l.notes {
			m.line(fmt.Sprintf("%d. %s", i+1, escapeMarkdown(s)))
		}
	}
	return w.Flush()
}

func (m markdown) line(s string) {
	_, _ = m.w.WriteString(strings.ReplaceAll(s, nbsp, " ") + "\n")
}

func (m markdown) section(s section) {
	if s.title != "" {
		hashes := "## "
		if s.sub {
			hashes = "### "
		}
		m.line("\n" + strings.TrimSpace(hashes+escapeMarkdown(s.title)+" "+superscript(s.notes)))
	}
	for _, b := range s.blocks {
		m.line("")
		m.block(b)
	}
}

func (m markdown) block(b block) {
	switch b := b.(type) {
	case facts:
		for _, f := range b {
			m.line("- " + strings.TrimPrefix(strong(f.label)+": ", ": ") + escapeMarkdown(f.text))
		}
	case tiles:
		for _, x := range b {
			m.line("- " + strong(x.label) + ": " + escapeMarkdown(x.value+" ("+x.note+")"))
		}
	case para:
		if b.strong {
			m.line(strong(b.text))
			return
		}
		m.line(escapeMarkdown(b.text))
	case bullets:
		for _, s := range b {
			m.line("- " + escapeMarkdown(s))
		}
	case commands:
		m.commands(b)
	case grid:
		m.grid(b)
	case figure:
		if b.plot != nil {
			m.line(escapeMarkdown(b.title) + ":\n")
			m.fenced(b.plot(DefaultWidth - 20))
		}
	}
}

func (m markdown) commands(list commands) {
	for i, r := range list {
		if i > 0 {
			m.line("")
		}
		for _, s := range r.texts {
			m.line(escapeMarkdown(s) + "\n")
		}
		if len(r.lines) > 0 {
			m.fenced(r.lines)
		}
	}
}

func strong(s string) string {
	if s == "" {
		return ""
	}
	return "**" + escapeMarkdown(s) + "**"
}

// fenced prints lines as they are, between fences longer than any in them.
func (m markdown) fenced(lines []string) {
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	m.line(fence + "text")
	for _, s := range lines {
		m.line(s)
	}
	m.line(fence)
}

func (m markdown) grid(g grid) {
	var head, rule []string
	for _, c := range g.columns {
		h := escapeMarkdown(c.heading())
		if c.unit != "" {
			h += " (" + escapeMarkdown(c.unit) + ")"
		}
		head = append(head, h)
		if c.left {
			rule = append(rule, ":--")
		} else {
			rule = append(rule, "--:")
		}
	}
	m.line("| " + strings.Join(head, " | ") + " |")
	m.line("|" + strings.Join(rule, "|") + "|")
	for _, r := range g.rows {
		m.row(r, r.mark != unmarked)
	}
	for _, r := range g.foot {
		m.row(r, true)
	}
	if g.legend != "" && !marked(g) {
		m.line("\n" + escapeMarkdown(g.legend))
	}
}

// marked: rows of g carry words that say what a legend would.
func marked(g grid) bool {
	return slices.ContainsFunc(g.rows, func(r row) bool { return r.mark != unmarked })
}

func (m markdown) row(r row, bold bool) {
	cells := make([]string, len(r.cells))
	for i := range r.cells {
		s := strings.TrimSpace(strings.ReplaceAll(r.cell(i), nbsp, " "))
		switch {
		case i == 0 && bold:
			cells[i] = strong(s) + markWord(r.mark)
		default:
			cells[i] = escapeMarkdown(s)
		}
	}
	m.line("| " + strings.Join(cells, " | ") + " |")
}

func markWord(m mark) string {
	return map[mark]string{advised: " (advised)", today: " (today)"}[m]
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`, "$", `\$`, "!", `\!`, "@", "&#64;")

func escapeMarkdown(s string) string { return markdownEscapes.Replace(s) }
