package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// sheet is a table of figures, shown as aligned text, as tab-separated values
// or as Markdown.
type sheet struct {
	title  string
	header []string
	rows   [][]string
}

// titled is the same sheet under another title.
func (s *sheet) titled(title string) *sheet { return &sheet{title, s.header, s.rows} }

func (s *sheet) add(cells ...string) { s.rows = append(s.rows, cells) }

// Formats of a sheet.
const (
	asText     = "text"
	asTSV      = "tsv"
	asMarkdown = "markdown"
)

func (s *sheet) write(w io.Writer, format string) error {
	switch format {
	case asText:
		return s.text(w)
	case asTSV:
		return s.tsv(w)
	case asMarkdown:
		return s.markdown(w)
	}
	return fmt.Errorf("format %q: want text, tsv or markdown", format)
}

// text aligns the first column left and figures right.
func (s *sheet) text(w io.Writer) error {
	fmt.Fprintln(w, s.title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	width := 0
	for _, r := range append([][]string{s.header}, s.rows...) {
		width = max(width, len([]rune(r[0])))
	}
	for _, r := range append([][]string{s.header}, s.rows...) {
		pad := strings.Repeat(" ", width-len([]rune(r[0])))
		fmt.Fprintf(t, "%s%s\t%s\t\n", r[0], pad, strings.Join(r[1:], "\t"))
	}
	fmt.Fprintln(t)
	return t.Flush()
}

func (s *sheet) tsv(w io.Writer) error {
	fmt.Fprintf(w, "# %s\n%s\n", s.title, strings.Join(s.header, "\t"))
	for _, r := range s.rows {
		if _, err := fmt.Fprintln(w, strings.Join(r, "\t")); err != nil {
			return err
		}
	}
	return nil
}

func (s *sheet) markdown(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n| %s |\n|---%s|\n", s.title, strings.Join(s.header, " | "), strings.Repeat("|--:", len(s.header)-1))
	for _, r := range s.rows {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

func writeSheets(w io.Writer, format string, sheets ...*sheet) error {
	for _, s := range sheets {
		if err := s.write(w, format); err != nil {
			return err
		}
	}
	return nil
}

// percent shows a share with two digits after the point; a dash where there is
// none.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strconv.FormatFloat(100*x, 'f', 2, 64)
}

// signed is percent with its sign; nothing where it is exactly zero.
func signed(x float64) string {
	if x == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.2f", 100*x)
}

func integer(n int64) string { return strconv.FormatInt(n, 10) }
