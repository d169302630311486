package keystring

import (
	"encoding/binary"

	"github.com/golang/geo/s2"
)

const (
	notGeometry notIndexable = "not a geometry a 2dsphere index takes"
	// earthRadius in metres. MongoDB: src/mongo/db/geo/geoconstants.h.
	earthRadius = 6378100
)

type sphereOptions struct {
	version                 int
	finest, coarsest, cells int
}

// parseSphere reads the options of a 2dsphere index, with a server's defaults:
// cells of 110 m to 2,000 km and 20 of them, in versions 1 and 2 of 500 m to
// 100 km and 50. MongoDB: src/mongo/db/index/expression_params.cpp,
// initialize2dsphereParams.
func parseSphere(get func(string) elem) sphereOptions {
	o := sphereOptions{version: 3, cells: 20}
	if v, ok := number(get("2dsphereIndexVersion")); ok && v >= 1 && v < 10 {
		o.version = int(v)
	}
	o.finest = s2.AvgEdgeMetric.ClosestLevel(110.0 / earthRadius)
	o.coarsest = s2.AvgEdgeMetric.ClosestLevel(2000e3 / earthRadius)
	if o.version < 3 {
		o.finest = s2.AvgEdgeMetric.ClosestLevel(500.0 / earthRadius)
		o.coarsest = s2.AvgEdgeMetric.ClosestLevel(100e3 / earthRadius)
		o.cells = 50
	}
	level := func(name string, to *int, low, high float64) {
		if v, ok := number(get(name)); ok && v >= low && v <= high {
			*to = int(v)
		}
	}
	level("finestIndexedLevel", &o.finest, 0, 30)
	level("coarsestIndexedLevel", &o.coarsest, 0, 30)
	level("maxCellsInCovering", &o.cells, 1, 1000)
	o.finest = max(o.finest, o.coarsest)
	return o
}

// sphereEntries makes the product of all values of the fields: cells of the
// geometries, array elements of the others. A document without any geometry
// has no entry. MongoDB: expression_keys_private.cpp, getS2Keys.
func (g *Generator) sphereEntries(doc []byte) error {
	choices := make([][]elem, len(g.paths))
	geometry := g.ix.sphere.version < 2
	for i, p := range g.paths {
		var all []elem
		err := p.each(doc, false, func(e elem) error { all = append(all, e); return nil })
		if err != nil {
			return err
		}
		if g.ix.Fields[i].Plugin != string(Sphere) {
			choices[i], err = literals(all)
		} else {
			if g.ix.sphere.version >= 2 && len(all) == 1 && isNothing(all[0]) {
				all = nil
			}
			geometry = geometry || len(all) > 0
			choices[i], err = g.ix.sphere.keys(all)
		}
		if err != nil {
			return err
		}
	}
	if !geometry {
		return nil
	}
	g.b.reset()
	return g.product(choices, 0)
}

// product appends every combination, field by field.
func (g *Generator) product(choices [][]elem, i int) error {
	if i == len(choices) {
		g.pending.add(&g.b)
		g.b.buf = g.b.buf[:len(g.b.buf)-1] // take back the end
		return nil
	}
	at, mark := len(g.b.buf), g.b.bits.mark()
	for _, e := range choices[i] {
		if err := g.b.component(e, g.desc[i]); err != nil {
			return err
		}
		if err := g.product(choices, i+1); err != nil {
			return err
		}
		g.b.buf, g.b.ends = g.b.buf[:at], g.b.ends[:i]
		g.b.bits.back(mark)
	}
	return nil
}

// literals opens the arrays among the values of a field that is no geometry.
func literals(all []elem) (keys []elem, err error) {
	for _, e := range all {
		if e.typ != tArray {
			keys = append(keys, e)
			continue
		}
		before := len(keys)
		err := eachItem(e.val, func(item elem) error { keys = append(keys, item); return nil })
		if err != nil {
			return nil, err
		}
		if len(keys) == before {
			keys = append(keys, undefined)
		}
	}
	if len(keys) == 0 {
		keys = append(keys, null)
	}
	return keys, nil
}

// isNothing: null, undefined, {} and [] count as no geometry.
func isNothing(e elem) bool {
	return e.typ == tNull || e.typ == tUndefined || (e.typ == tObject || e.typ == tArray) && len(e.val) == 5
}

// keys are the cells that cover the geometries, as values to index.
func (o sphereOptions) keys(all []elem) (keys []elem, err error) {
	for _, e := range all {
		cells, err := o.cover(e)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			keys = append(keys, o.key(c))
		}
	}
	if len(keys) == 0 {
		keys = append(keys, null)
	}
	return keys, nil
}

// key is a cell's number, before version 3 its face and path as text.
func (o sphereOptions) key(c s2.CellID) elem {
	if o.version >= 3 {
		return elem{tInt64, binary.LittleEndian.AppendUint64(nil, uint64(c))}
	}
	text := []byte{'0' + byte(c.Face()), 'f'}
	for l := 1; l <= c.Level(); l++ {
		text = append(text, '0'+byte(c.ChildPosition(l)))
	}
	return stringElem(text)
}

// cover gives the cells of one geometry. The library stops the program on some
// input that is no valid polygon; that counts as a refused document.
func (o sphereOptions) cover(e elem) (cells []s2.CellID, err error) {
	defer func() {
		if recover() != nil {
			cells, err = nil, notGeometry
		}
	}()
	shape, err := readGeometry(e, 0)
	if err != nil {
		return nil, err
	}
	if shape.point != nil {
		c := s2.CellFromPoint(*shape.point).ID()
		if o.version < 3 {
			c = c.Parent(o.finest)
		}
		return []s2.CellID{c}, nil
	}
	coverer := &s2.RegionCoverer{MinLevel: o.coarsest, MaxLevel: o.finest, LevelMod: 1, MaxCells: o.cells}
	union := s2.RegionUnion(shape.regions)
	if len(union) == 1 {
		cells = coverer.Covering(union[0])
	} else {
		cells = coverer.Covering(union)
	}
	if len(cells) == 0 {
		return nil, notGeometry
	}
	return cells, nil
}
