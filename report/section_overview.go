package report

import (
	"fmt"
	"sort"

	"github.com/wtsize/wtsize/estimate"
)

// overviewSections are for several collections: one row each, totals, where the
// bytes are, and which collections are worth changing. Each collection's own
// sections follow when asked for.
func overviewSections(r estimate.Result, o Options, n *notes) []section {
	out := []section{collectionsSection(r, o, n)}
	if s, ok := worthSection(r, o); ok {
		out = append(out, s)
	}
	if o.Explain {
		for _, i := range detailed(r, o) {
			out = append(out, collectionSections(r, i, o, n)...)
		}
	}
	return out
}

// maxDetailed is how many collections have sections of their own in a page: a
// dump of hundreds would make one that no browser likes. Text has no such bound.
const maxDetailed = 40

// detailed lists the collections that get sections of their own, largest first.
func detailed(r estimate.Result, o Options) []int {
	order := bySize(r)
	if o.Format == HTML {
		order = order[:min(len(order), maxDetailed)]
	}
	return order
}

// settings lists compressor settings over all collections, first seen first.
func settings(r estimate.Result) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range r.Collections {
		for _, l := range labelsOf(c.Compressors) {
			if !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	return out
}

// sizesOf gives a collection's storageSize by label.
func sizesOf(c estimate.CollectionResult) map[string]int64 {
	out := map[string]int64{}
	for i, l := range labelsOf(c.Compressors) {
		out[l] = c.Compressors[i].StorageSize
	}
	return out
}

func collectionsSection(r estimate.Result, o Options, n *notes) section {
	labels := settings(r)
	sc := overviewScale(r, o)
	g := grid{caption: "storageSize by compressor, one row for each collection", columns: overviewHeads(labels, sc)}
	totals := map[string]int64{}
	for _, i := range bySize(r) {
		c := r.Collections[i]
		sizes := sizesOf(c)
		cells := []string{Safe(c.NS), verdict(c), integer(c.Count), sc.bytes(c.Size)}
		for _, l := range labels {
			v, ok := sizes[l]
			totals[l] += v
			cells = append(cells, orDash(sc, v, ok))
		}
		cells = append(cells, sc.bytes(c.TotalIndexSize))
		g.rows = append(g.rows, row{notes: n.add(c.Warnings), cells: cells})
	}
	g.foot = []row{{cells: totalCells(r, labels, totals, sc)}}
	s := section{id: "collections", title: "Collections", blocks: []block{g, para{text: whereText(r, o)}}}
	if n := len(detailed(r, o)); o.Explain && n < len(r.Collections) {
		s.blocks = append(s.blocks, para{text: fmt.Sprintf("The %d largest have sections of their own; for the others, see the JSON "+
			"or text form.", n)})
	}
	if o.Explain {
		s.blocks = append(s.blocks, collectionsFigure(r, o))
	}
	return s
}

func orDash(sc scale, v int64, ok bool) string {
	if !ok {
		return dash
	}
	return sc.bytes(v)
}

func overviewScale(r estimate.Result, o Options) scale {
	var all []int64
	for _, c := range r.Collections {
		all = append(all, c.Size, c.TotalIndexSize)
		for _, k := range c.Compressors {
			all = append(all, k.StorageSize)
		}
	}
	return byteScale(o.Bytes, all...)
}

func overviewHeads(labels []string, sc scale) []column {
	h := []column{
		{head: []string{"collection"}, left: true, name: true},
		{head: []string{"advice"}, left: true},
		{head: []string{"documents"}},
		{head: []string{"BSON"}, unit: sc.unit},
	}
	for _, l := range labels {
		h = append(h, column{head: []string{l}, term: "storageSize", unit: sc.unit})
	}
	return append(h, column{head: []string{"indexes"}, unit: sc.unit})
}

func totalCells(r estimate.Result, labels []string, totals map[string]int64, sc scale) []string {
	var count, size, index int64
	for _, c := range r.Collections {
		count, size, index = count+c.Count, size+c.Size, index+c.TotalIndexSize
	}
	cells := []string{"total", "", integer(count), sc.bytes(size)}
	for _, l := range labels {
		cells = append(cells, sc.bytes(totals[l]))
	}
	return append(cells, sc.bytes(index))
}

// bySize orders collections by what they take now, largest first.
func bySize(r estimate.Result) []int {
	order := make([]int, len(r.Collections))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := r.Collections[order[a]], r.Collections[order[b]]
		return baselineOf(x).size+x.TotalIndexSize > baselineOf(y).size+y.TotalIndexSize
	})
	return order
}

func verdict(c estimate.CollectionResult) string {
	switch {
	case c.Advice == nil:
		return dash
	case c.Advice.Action == "change":
		return settingOf(c, c.Advice.Compressor, c.Advice.Level)
	}
	return Safe(c.Advice.Action)
}

// whereText says where the bytes of a whole dump are.
func whereText(r estimate.Result, o Options) string {
	var all, index int64
	for _, c := range r.Collections {
		all += baselineOf(c).size + c.TotalIndexSize
		index += c.TotalIndexSize
	}
	if all <= 0 {
		return "No collection takes any space."
	}
	first := r.Collections[bySize(r)[0]]
	top, k := int64(0), 0
	for _, i := range bySize(r) {
		top += baselineOf(r.Collections[i]).size + r.Collections[i].TotalIndexSize
		k++
		if share(top, all) >= 0.8 {
			break
		}
	}
	s := fmt.Sprintf("Data and indexes take %s; %s of it is indexes. ", bytesText(all, o.Bytes), percent(share(index, all)))
	if k == 1 {
		return s + Safe(first.NS) + " alone holds " + percent(share(top, all)) + "."
	}
	return s + fmt.Sprintf("The largest %d of %d collections hold %s.", k, len(r.Collections), percent(share(top, all)))
}

// worthSection lists what to change, the largest saving first.
func worthSection(r estimate.Result, o Options) (section, bool) {
	var list []estimate.CollectionResult
	var sum int64
	for _, c := range r.Collections {
		if c.Advice != nil && c.Advice.Action == "change" {
			list = append(list, c)
			sum += c.Advice.SavesBytes
		}
	}
	advised := false
	for _, c := range r.Collections {
		advised = advised || c.Advice != nil
	}
	if !advised {
		return section{}, false
	}
	if len(list) == 0 {
		return section{id: "worth", title: "Worth changing", blocks: []block{
			para{text: "None: no change saves enough to be worth its price.", strong: true}}}, true
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].Advice.SavesBytes > list[b].Advice.SavesBytes })
	return section{id: "worth", title: "Worth changing", blocks: worthBlocks(list, sum, o)}, true
}

func worthBlocks(list []estimate.CollectionResult, sum int64, o Options) []block {
	var saves []int64
	for _, c := range list {
		saves = append(saves, c.Advice.SavesBytes)
	}
	sc := byteScale(o.Bytes, saves...)
	g := grid{caption: "Collections worth changing", columns: []column{
		{head: []string{"collection"}, left: true, name: true},
		{head: []string{"from"}, left: true},
		{head: []string{"to"}, left: true},
		{head: []string{"saves"}, unit: sc.unit},
		{head: []string{"of all", "savings"}, unit: "%"},
	}}
	for _, c := range list {
		from := baselineOf(c).label
		if c.Current != nil && c.Current.Compressor != "" {
			from = Safe(c.Current.Compressor)
		}
		g.rows = append(g.rows, row{cells: []string{Safe(c.NS), from, verdict(c),
			sc.bytes(c.Advice.SavesBytes), percentNumber(share(c.Advice.SavesBytes, sum))}})
	}
	blocks := []block{g}
	if !o.Explain {
		blocks = append(blocks, para{text: "Reasons and commands for each: --explain, or the collection alone with -d and -c."})
	}
	return blocks
}
