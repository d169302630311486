package report

import (
	"fmt"
	"sort"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

// extraSections are what was asked for with flags of its own: fields, what-if.
func extraSections(c estimate.CollectionResult, id string, o Options) []section {
	var out []section
	if len(c.Fields) > 0 {
		out = append(out, section{id: id + "-fields", title: "Fields", sub: true, blocks: fieldsBlocks(c, o)})
	}
	if len(c.WhatIf) > 0 {
		out = append(out, section{id: id + "-whatif", title: "Under other table settings", sub: true, blocks: []block{whatIfGrid(c, o)}})
	}
	return out
}

// storedKeys lists compressors of some maps, in the order of the main table.
func storedKeys(c estimate.CollectionResult, maps ...map[string]int64) []string {
	found := map[string]bool{}
	for _, m := range maps {
		for k := range m {
			found[k] = true
		}
	}
	var out []string
	for _, k := range c.Compressors {
		if name := k.Name(); found[name] {
			out = append(out, name)
			delete(found, name)
		}
	}
	rest := len(out)
	for k := range found {
		out = append(out, k)
	}
	sort.Strings(out[rest:])
	return out
}

// labelOf is what the main table calls the setting of a name.
func labelOf(c estimate.CollectionResult, name string) string {
	for i, k := range c.Compressors {
		if k.Name() == name {
			return labelsOf(c.Compressors)[i]
		}
	}
	return Safe(name)
}

func fieldsBlocks(c estimate.CollectionResult, o Options) []block {
	out := []block{fieldsGrid(c, o)}
	if keys := storedKeys(c, c.ShortNames); len(keys) > 0 {
		var parts []string
		for _, k := range keys {
			parts = append(parts, labelOf(c, k)+nbsp+bytesText(c.ShortNames[k], o.Bytes))
		}
		out = append(out, para{text: "Field names of one or two letters would save: " + strings.Join(parts, ", ") + "."})
	}
	return out
}

// fieldsGrid says which field paths hold the bytes, largest first.
func fieldsGrid(c estimate.CollectionResult, o Options) grid {
	var maps []map[string]int64
	var sizes []int64
	for _, f := range c.Fields {
		maps, sizes = append(maps, f.Stored), append(sizes, f.Raw)
	}
	keys := storedKeys(c, maps...)
	sc := byteScale(o.Bytes, sizes...)
	g := grid{caption: "Bytes by field path", columns: []column{
		{head: []string{"field"}, left: true, name: true}, {head: []string{"type"}, left: true},
		{head: []string{"in docu-", "ments"}, unit: "%"}, {head: []string{"raw"}, unit: sc.unit},
		{head: []string{"of it", "names"}, unit: sc.unit},
	}}
	for _, k := range keys {
		g.columns = append(g.columns, column{head: []string{labelOf(c, k)}, term: "stored", unit: sc.unit})
	}
	for _, f := range c.Fields {
		cells := []string{Safe(f.Path), Safe(f.Type), percentNumber(f.Share), sc.bytes(f.Raw), sc.bytes(f.NameBytes)}
		for _, k := range keys {
			v, ok := f.Stored[k]
			cells = append(cells, orDash(sc, v, ok))
		}
		g.rows = append(g.rows, row{cells: cells})
	}
	return g
}

func whatIfGrid(c estimate.CollectionResult, o Options) grid {
	var maps []map[string]int64
	var sizes []int64
	for _, w := range c.WhatIf {
		maps = append(maps, w.StorageSize)
		for _, v := range w.StorageSize {
			sizes = append(sizes, v)
		}
	}
	keys := storedKeys(c, maps...)
	sc := byteScale(o.Bytes, sizes...)
	g := grid{caption: "storageSize under other table settings", columns: []column{
		{head: []string{"setting"}, left: true, name: true}}}
	for _, k := range keys {
		g.columns = append(g.columns, column{head: []string{labelOf(c, k)}, term: "storageSize", unit: sc.unit})
	}
	for _, w := range c.WhatIf {
		cells := []string{Safe(w.Setting)}
		for _, k := range keys {
			v, ok := w.StorageSize[k]
			cells = append(cells, orDash(sc, v, ok))
		}
		g.rows = append(g.rows, row{cells: cells})
	}
	return g
}

// restSection names the codecs and table settings that the figures rest on.
func restSection(r estimate.Result) section {
	return section{id: "rests-on", title: "What it rests on", blocks: []block{settingsFacts(r), codecsGrid(r)}}
}

func settingsFacts(r estimate.Result) facts {
	f := facts{}
	seen := map[estimate.TableInfo]bool{}
	for _, c := range r.Collections {
		t := c.Table
		if seen[t] || t == (estimate.TableInfo{}) {
			continue
		}
		seen[t] = true
		label := "table"
		if len(r.Collections) > 1 {
			label = "table of " + Safe(c.NS)
		}
		f = append(f, fact{label, fmt.Sprintf("leaf_page_max %s, internal_page_max %s, memory_page_max %s, "+
			"memory_page_image_max %s, allocation unit %s", short(t.LeafPageMax), short(t.InternalPageMax),
			short(t.MemoryPageMax), short(t.MemoryPageImageMax), short(t.AllocationSize))})
	}
	if d := r.Assumptions.Disk; d != nil && d.Source != "" {
		f = append(f, fact{"disk figures", Safe(d.Source)})
	}
	return append(f, fact{"model", fmt.Sprintf("MongoDB %s, %s, %s overlapping reconciliations",
		Safe(r.Assumptions.Release), Safe(r.Assumptions.Topology), trimZeros(plainScale(r.Assumptions.Overlap).number(r.Assumptions.Overlap)))})
}

func short(v int64) string { return trimUnit(bytesText(v, false)) }

// codecsGrid lists each codec once.
func codecsGrid(r estimate.Result) grid {
	g := grid{caption: "Codecs", columns: []column{{head: []string{"compressor"}, left: true},
		{head: []string{"library"}, left: true}, {head: []string{"sizes"}, left: true}}}
	seen := map[string]bool{}
	for _, c := range r.Collections {
		for _, k := range c.Compressors {
			name := Safe(k.Compressor)
			cells := []string{name, Safe(k.Codec.Library + " " + k.Codec.Version), exactText(k.Codec)}
			if key := fmt.Sprint(cells); !seen[key] && k.Compressor != "none" {
				seen[key] = true
				g.rows = append(g.rows, row{cells: cells})
			}
		}
	}
	return g
}

func exactText(c estimate.Codec) string {
	switch {
	case c.Exact:
		return "exact"
	case c.ErrorBand > 0:
		return "within ±" + nbsp + shortPercent(c.ErrorBand)
	}
	return "not exact"
}
