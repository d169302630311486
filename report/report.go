package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/wtsize/wtsize/estimate"
)

// Format names an output format, spelled as the --format flag spells it.
type Format string

// The formats.
const (
	Table    Format = "table"
	JSON     Format = "json"
	CSV      Format = "csv"
	Markdown Format = "markdown"
	HTML     Format = "html"
)

// Formats lists every format, the default first.
func Formats() []Format { return []Format{Table, JSON, CSV, Markdown, HTML} }

// DefaultWidth is the number of terminal columns a table fits when the width is
// not known.
const DefaultWidth = 100

// minWidth is the narrowest layout; below it columns could not hold a number.
const minWidth = 40

// Options are the choices a reader makes. The zero value is a plain table for
// DefaultWidth columns.
type Options struct {
	Format  Format
	Width   int  // terminal columns; 0: DefaultWidth. Table only.
	Color   bool // SGR colour. Table only.
	Bytes   bool // exact integers instead of KiB, MiB, GiB
	Explain bool // ledger, plots, codecs and definitions too
}

// Render writes r to w. It fails only when w does, or for an unknown format.
func Render(w io.Writer, r estimate.Result, o Options) error {
	bw := bufio.NewWriter(w)
	if err := render(bw, r, o.normal()); err != nil {
		return err
	}
	return bw.Flush()
}

func render(w *bufio.Writer, r estimate.Result, o Options) error {
	switch o.Format {
	case Table:
		return writeTerminal(w, layOut(r, o), o)
	case JSON:
		return writeJSON(w, r)
	case CSV:
		return writeCSV(w, r)
	case Markdown:
		return writeMarkdown(w, layOut(r, o))
	case HTML:
		return writeHTML(w, r, o)
	}
	return unknownFormat(o.Format)
}

func unknownFormat(f Format) error {
	return fmt.Errorf("unknown format %q: want one of %v", f, Formats())
}

func (o Options) normal() Options {
	if o.Format == "" {
		o.Format = Table
	}
	if o.Width <= 0 {
		o.Width = DefaultWidth
	}
	o.Width = max(o.Width, minWidth)
	return o
}
