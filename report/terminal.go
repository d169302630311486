package report

import (
	"bufio"
	"fmt"
	"strings"
)

// terminal prints a layout for a fixed number of columns. Numbers are never
// shortened: a table that is too wide is cut into panels of whole columns, a
// name that is too long loses its middle, running text is broken at spaces. The
// one thing that may pass the width is a word of a command, for a command with a
// piece missing would be a wrong one.
type terminal struct {
	w     *bufio.Writer
	width int
	paint palette
	// several: more than one section has parts.
	several bool
}

func writeTerminal(w *bufio.Writer, l layout, o Options) error {
	t := terminal{w: w, width: o.Width, paint: palette{on: o.Color}}
	parents := 0
	for i := range l.sections {
		if l.hasParts(i) {
			parents++
		}
	}
	t.several = parents > 1
	t.line(t.paint.bold(elide(l.title, t.width)))
	for i, s := range l.sections {
		t.section(s, l.hasParts(i))
	}
	t.footnotes(l.notes)
	return w.Flush()
}

// line prints one line without trailing blanks. Errors stay in the bufio.Writer
// until it is flushed.
func (t terminal) line(s string) {
	s = strings.ReplaceAll(s, nbsp, " ")
	_, _ = t.w.WriteString(strings.TrimRight(s, " ") + "\n")
}

// section prints one section; a rule under the title tells one that has parts
// from its parts.
func (t terminal) section(s section, hasParts bool) {
	t.line("")
	if s.title != "" {
		ref := superscript(s.notes)
		title := elide(s.title, t.width-width(ref)-1)
		t.line(strings.TrimSpace(t.paint.bold(title) + " " + ref))
		if hasParts && t.several {
			t.line(t.paint.dim(strings.Repeat("─", width(title))))
		}
	}
	var before block
	for _, b := range s.blocks {
		if f, ok := b.(figure); ok && f.plot == nil {
			continue
		}
		if before != nil {
			t.gap(before, b)
		}
		t.block(b)
		before = b
	}
}

// gap sets tables, figures and commands off from what surrounds them.
func (t terminal) gap(before, after block) {
	if isTight(before) && isTight(after) {
		return
	}
	t.line("")
}

func isTight(b block) bool {
	switch b.(type) {
	case para, facts, bullets:
		return true
	}
	return false
}

func (t terminal) block(b block) {
	switch b := b.(type) {
	case facts:
		t.facts(b)
	case para:
		t.para(b)
	case bullets:
		for _, s := range b {
			t.hanging("  - ", s)
		}
	case commands:
		t.commands(b)
	case grid:
		t.grid(b)
	case figure:
		t.figure(b)
	}
}

func (t terminal) facts(f facts) {
	label := 0
	for _, x := range f {
		label = max(label, width(x.label))
	}
	label = min(label, t.width/3)
	for _, x := range f {
		t.hangingPainted("  "+padRight(elide(x.label, label), label)+"  ", x.text, t.paint.dim)
	}
}

func (t terminal) para(p para) {
	for _, s := range wrap(p.text, t.width-2) {
		if p.strong {
			s = t.paint.bold(s)
		}
		t.line("  " + s)
	}
}

// hanging prints text after a first-line prefix, its other lines indented alike.
func (t terminal) hanging(prefix, text string) {
	t.hangingPainted(prefix, text, func(s string) string { return s })
}

func (t terminal) hangingPainted(prefix, text string, paint func(string) string) {
	indent := width(prefix)
	for i, s := range wrap(text, t.width-indent) {
		if i == 0 {
			t.line(paint(prefix) + s)
			continue
		}
		t.line(strings.Repeat(" ", indent) + s)
	}
}

func (t terminal) commands(list commands) {
	for i, r := range list {
		if i > 0 {
			t.line("")
		}
		for _, text := range r.texts {
			for _, s := range wrap(text, t.width-4-len(r.marker)-1) {
				t.line("    " + t.paint.dim(r.marker+" "+s))
			}
		}
		t.commandLines(r.lines)
	}
}

func (t terminal) commandLines(list []string) {
	for _, c := range list {
		for i, s := range breakCommand(c, t.width-4) {
			indent := "    "
			if i > 0 {
				indent = "      "
			}
			t.line(indent + t.paint.command(s))
		}
	}
}

func (t terminal) figure(f figure) {
	t.para(para{text: f.title})
	for _, s := range f.plot(t.width - 4) {
		t.line("    " + s)
	}
}

func (t terminal) footnotes(list []string) {
	if len(list) == 0 {
		return
	}
	t.line("")
	for i, s := range list {
		t.hangingPainted("  "+superscript([]int{i + 1})+" ", s, t.paint.dim)
	}
}

// superscript writes footnote numbers: "¹ ²".
func superscript(refs []int) string {
	raised := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	var parts []string
	for _, k := range refs {
		s := ""
		for _, d := range fmt.Sprint(k) {
			s += string(raised[d-'0'])
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}
