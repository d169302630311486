package report

import (
	"fmt"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

func layOutComparison(c Comparison, a, b estimate.Result, o Options) layout {
	l := layout{title: titleOf(a)}
	l.sections = append(l.sections, section{id: "read", title: readTitle(o), blocks: comparedSources(c, a, b)})
	for i, x := range c.Collections {
		l.sections = append(l.sections, comparedSection(x, fmt.Sprintf("c%d", i+1), o))
	}
	if c.Design != nil {
		l.sections = append(l.sections, designSection(*c.Design, o))
	}
	if only := onlyBlocks(c); len(only) > 0 {
		l.sections = append(l.sections, section{id: "only", title: "In one of them only", blocks: only})
	}
	if o.Explain || o.Format == HTML {
		if terms := definedTerms(l); len(terms) > 0 {
			l.sections = append(l.sections, section{id: "definitions", title: "What the figures mean", blocks: []block{terms}})
		}
	}
	return l
}

func comparisonTitle(c Comparison) string {
	switch {
	case c.Design != nil:
		return "Embedded or referenced"
	case len(c.Collections) == 1:
		return Safe(c.Collections[0].After) + ", before and after"
	}
	return fmt.Sprintf("%d collections, before and after", len(c.Collections))
}

func comparedSources(c Comparison, a, b estimate.Result) []block {
	before, after := "before", "after"
	if c.Design != nil {
		before, after = "embedded", "referenced"
	}
	describe := func(r estimate.Result) string {
		return Safe(r.Source.Kind+" "+r.Source.Name) + "; " + readText(r)
	}
	out := []block{facts{{before, describe(a)}, {after, describe(b)}, {"assumed", assumedText(a.Assumptions)}}}
	if len(c.Differ) > 0 {
		out = append(out, para{strong: true, text: "The two rest on different assumptions; what depends on them differs for that too:"},
			safeBullets(c.Differ))
	}
	return out
}

func comparedSection(x ComparedCollection, id string, o Options) section {
	title := Safe(x.Before)
	if x.After != x.Before {
		title += " and " + Safe(x.After)
	}
	s := section{id: id, title: title, blocks: []block{comparedFacts(x, o)}}
	if len(x.Compressors) == 0 {
		s.blocks = append(s.blocks, para{text: "The two have no compressor in common."})
		return s
	}
	s.blocks = append(s.blocks, comparedGrid(x, o))
	return s
}

func comparedFacts(x ComparedCollection, o Options) facts {
	count := func(v int64) string { return integer(v) }
	bytes := func(v int64) string { return bytesText(v, o.Bytes) }
	f := facts{{"documents", x.Count.text(count)}, {"BSON", x.Size.text(bytes)},
		{"average", x.AvgObjSize.text(func(v int64) string { return plural(v, "byte", "bytes") })}}
	if x.Indexes.Before > 0 || x.Indexes.After > 0 {
		f = append(f, fact{"indexes", x.Indexes.text(bytes)})
	}
	return f
}

// text is "412 MiB → 390 MiB, −5.3 %".
func (p Pair) text(print func(int64) string) string {
	if p.Before == p.After {
		return print(p.Before) + ", unchanged"
	}
	s := print(p.Before) + " → " + print(p.After)
	if p.Before > 0 {
		s += ", " + withSign(change(float64(p.Before), float64(p.After))) + nbsp + "%"
	}
	return s
}

// change is a relative change; 0 when there is nothing to relate it to.
func change(before, after float64) float64 {
	if before == 0 {
		return 0
	}
	return after/before - 1
}

func withSign(share float64) string {
	s := percentNumber(share)
	if share > 0 && s != "0.0" {
		return "+" + s
	}
	return s
}

func comparedGrid(x ComparedCollection, o Options) grid {
	var sizes, pages []int64
	var scans, reads []float64
	for _, k := range x.Compressors {
		sizes = append(sizes, k.StorageSize.Before, k.StorageSize.After)
		pages = append(pages, k.PageImageBytes.Before, k.PageImageBytes.After)
		if k.ScanSeconds != nil && k.PointReadSeconds != nil {
			scans = append(scans, k.ScanSeconds.Before, k.ScanSeconds.After)
			reads = append(reads, k.PointReadSeconds.Before, k.PointReadSeconds.After)
		}
	}
	size, page, scan, read := byteScale(o.Bytes, sizes...), byteScale(o.Bytes, pages...), secondScale(scans...), secondScale(reads...)
	g := grid{caption: "Before and after, by compressor", columns: []column{{head: []string{"compressor"}, left: true},
		{head: []string{"storageSize", "before"}, unit: size.unit, term: "storageSize"}, {head: []string{"storageSize", "after"}, unit: size.unit, term: "storageSize"},
		{head: []string{"change"}, unit: "%"}, {head: []string{"page in", "cache", "before"}, unit: page.unit, term: "page in cache"},
		{head: []string{"page in", "cache", "after"}, unit: page.unit, term: "page in cache"}}}
	if len(scans) > 0 {
		g.columns = append(g.columns, column{head: []string{"scan", "before"}, unit: scan.unit, term: "scan", part: true},
			column{head: []string{"scan", "after"}, unit: scan.unit, term: "scan"},
			column{head: []string{"read", "before"}, unit: read.unit, term: "point read"},
			column{head: []string{"read", "after"}, unit: read.unit, term: "point read"})
	}
	near := false
	for _, k := range x.Compressors {
		near = near || strings.HasPrefix(changeText(k), "≈")
		cells := []string{Safe(k.Compressor), size.bytes(k.StorageSize.Before), size.bytes(k.StorageSize.After), changeText(k),
			page.bytes(k.PageImageBytes.Before), page.bytes(k.PageImageBytes.After)}
		if len(scans) > 0 {
			cells = append(cells, pairCells(scan, k.ScanSeconds)...)
			cells = append(cells, pairCells(read, k.PointReadSeconds)...)
		}
		g.rows = append(g.rows, row{cells: cells})
	}
	if near {
		g.legend = "≈ within the intervals of the two"
	}
	return g
}

// changeText marks a difference that the intervals do not bear out.
func changeText(k ComparedCompressor) string {
	s := withSign(change(float64(k.StorageSize.Before), float64(k.StorageSize.After)))
	if !k.Distinct && k.StorageSize.Before != k.StorageSize.After {
		return "≈ " + s
	}
	return s
}

func pairCells(sc scale, s *PairSeconds) []string {
	if s == nil {
		return []string{dash, dash}
	}
	return []string{sc.number(s.Before), sc.number(s.After)}
}

func onlyBlocks(c Comparison) []block {
	var f facts
	for _, ns := range c.OnlyBefore {
		f = append(f, fact{"before", Safe(ns)})
	}
	for _, ns := range c.OnlyAfter {
		f = append(f, fact{"after", Safe(ns)})
	}
	if len(f) == 0 {
		return nil
	}
	return []block{f}
}
