package report

import (
	"encoding/json"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

// indexSection has one row for each index. Indexes are prefix-compressed but
// not block-compressed, so no choice of compressor changes them.
func indexSection(c estimate.CollectionResult, id string, o Options, n *notes) section {
	s := newIndexColumns(c, o)
	g := grid{caption: "Indexes of " + Safe(c.NS), columns: s.heads()}
	for _, x := range c.Indexes {
		refs := n.add(x.Warnings)
		if x.Approximate {
			refs = append(refs, n.text("Approximate: the keys of this kind of index are modelled, not built."))
		}
		g.rows = append(g.rows, row{notes: refs, cells: s.cells(x)})
	}
	g.foot = []row{{cells: s.total(c)}}
	out := section{id: id + "-indexes", title: "Indexes", sub: true, blocks: []block{g, para{text: indexShareText(c)}}}
	if o.Explain {
		out.blocks = append(out.blocks, indexFigure(c, o))
	}
	return out
}

// indexShareText says which part of the total no compressor can shrink.
func indexShareText(c estimate.CollectionResult) string {
	base := baselineOf(c)
	if base.size <= 0 || c.TotalIndexSize <= 0 {
		return "Indexes are not block-compressed: no compressor changes them."
	}
	return "Indexes are not block-compressed: " + percent(share(c.TotalIndexSize, c.TotalIndexSize+base.size)) +
		" of data and indexes (" + base.label + ") that no compressor shrinks."
}

type indexColumns struct {
	size                       scale
	inserts, windowed, current bool
}

func newIndexColumns(c estimate.CollectionResult, o Options) indexColumns {
	s := indexColumns{}
	var sizes []int64
	for _, x := range c.Indexes {
		sizes = append(sizes, x.Size, x.SizeInserts, x.SizeReplset, x.Current)
		s.inserts = s.inserts || x.SizeInserts > 0
		s.windowed = s.windowed || x.SizeReplset > 0
		s.current = s.current || x.Current > 0
	}
	s.size = byteScale(o.Bytes, sizes...)
	return s
}

func (s indexColumns) heads() []column {
	h := []column{
		{head: []string{"index"}, left: true, name: true},
		{head: []string{"key"}, left: true, name: true},
		{head: []string{"entries"}},
		{head: []string{"size"}, unit: s.size.unit},
	}
	if s.inserts {
		h = append(h, column{head: []string{"grown by", "inserts"}, unit: s.size.unit})
	}
	if s.windowed {
		h = append(h, column{head: []string{"with time", "windows"}, unit: s.size.unit})
	}
	if s.current {
		h = append(h, column{head: []string{"now"}, unit: s.size.unit})
	}
	return h
}

func (s indexColumns) cells(x estimate.IndexResult) []string {
	name := Safe(x.Name)
	if x.Hypothetical {
		name += " (new)"
	}
	side := max(x.SizeHigh-x.Size, x.Size-x.SizeLow)
	out := []string{name, keyText(x.Key), integer(x.Entries),
		s.size.bytes(x.Size) + " " + padRight(plusMinus(share(side, x.Size)), 7)}
	return append(out, s.extra(x.SizeInserts, x.SizeReplset, x.Current)...)
}

func (s indexColumns) extra(inserts, windowed, current int64) []string {
	var out []string
	for _, e := range []struct {
		shown bool
		bytes int64
	}{{s.inserts, inserts}, {s.windowed, windowed}, {s.current, current}} {
		switch {
		case !e.shown:
		case e.bytes == 0:
			out = append(out, dash)
		default:
			out = append(out, s.size.bytes(e.bytes))
		}
	}
	return out
}

func (s indexColumns) total(c estimate.CollectionResult) []string {
	var inserts, windowed, current int64
	for _, x := range c.Indexes {
		grown := x.SizeInserts
		if grown == 0 { // as large as built in bulk
			grown = x.Size
		}
		inserts, windowed, current = inserts+grown, windowed+x.SizeReplset, current+x.Current
	}
	out := []string{"total", "", "", s.size.bytes(c.TotalIndexSize) + strings.Repeat(" ", 8)}
	return append(out, s.extra(inserts, windowed, current)...)
}

// keyText prints a key pattern as the shell does: {userId: 1, at: -1}. The
// order of fields is kept for any value whose JSON keeps it.
func keyText(key any) string {
	if key == nil {
		return ""
	}
	data, err := json.Marshal(key)
	if err != nil {
		return "?"
	}
	return Safe(shellStyle(data))
}

// shellStyle drops the quotes of plain field names and sets spaces.
func shellStyle(data []byte) string {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var b strings.Builder
	writeShell(dec, &b)
	return b.String()
}
