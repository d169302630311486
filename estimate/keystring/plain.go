package keystring

// Reasons why a server refuses to index a document.
const (
	parallelArrays notIndexable = "more than one array in a compound key"
	ambiguousName  notIndexable = "a number that is both a field and an array position"
)

// plainEntries makes the keys of a b-tree index: one, or one per distinct
// element where an array lies on a path.
func (g *Generator) plainEntries(doc []byte) error {
	g.b.reset()
	absent := 0
	for i, p := range g.paths {
		e, _, err := p.along(doc, 0)
		if err != nil {
			return err
		}
		if e.typ == tArray && g.ix.Kind != ID {
			return g.arrayEntries(doc)
		}
		if e.typ == tMissing {
			absent++
		}
		if err := g.b.component(e, g.desc[i]); err != nil {
			return err
		}
	}
	if g.ix.Sparse && absent == len(g.paths) && g.ix.Kind != ID {
		return nil
	}
	g.done()
	return nil
}

// A frame is one level of going into arrays. MongoDB:
// src/mongo/db/index/btree_key_generator.cpp, _getKeysWithArray.
type frame struct {
	at    []int  // per field: the next component of its path
	fixed []elem // per field: its value, once known
	array []bool // per field: it leads through this level's array
	pos   []position
}

// A position is a path that names an array element by number: {"a.0.b": 1}.
type position struct {
	set  bool
	item elem // the element
	e    elem // what the rest of the path leads to
	next int
}

func (g *Generator) frame(depth int) *frame {
	for len(g.frames) <= depth {
		n := len(g.paths)
		g.frames = append(g.frames, frame{make([]int, n), make([]elem, n), make([]bool, n), make([]position, n)})
	}
	return &g.frames[depth]
}

func (g *Generator) arrayEntries(doc []byte) error {
	f := g.frame(0)
	clear(f.at)
	clear(f.fixed)
	if err := g.expand(doc, 0, 0, nil); err != nil {
		return err
	}
	if len(g.pending.keys) == 0 && !g.ix.Sparse {
		g.b.reset()
		for i := range g.paths {
			if err := g.b.component(null, g.desc[i]); err != nil {
				return err
			}
		}
		g.pending.add(&g.b)
	}
	return nil
}

// expand makes the keys of doc, an object found at the given depth of arrays
// (nil where an array element is no object). absent counts the fields not found
// so far; pos tells which paths point into the array above by number.
func (g *Generator) expand(doc []byte, depth, absent int, pos []position) error {
	f := g.frame(depth)
	clear(f.array)
	array, whole, absent, err := g.fill(f, doc, absent, pos)
	if err != nil {
		return err
	}
	if array.typ == tMissing {
		if g.ix.Sparse && absent == len(g.paths) {
			return nil
		}
		return g.addFixed(f.fixed)
	}
	r := newReader(array.val)
	_, item, ok, err := r.next()
	if err != nil {
		return err
	}
	if !ok { // an empty array counts as one undefined
		return g.descend(depth, absent, undefined, undefined, nil)
	}
	if err := g.locate(f, array.val); err != nil {
		return err
	}
	for ; ok && err == nil; _, item, ok, err = r.next() {
		end := item
		if whole {
			end = array
		}
		if err := g.descend(depth, absent, item, end, f.pos); err != nil {
			return err
		}
	}
	return err
}

// fill follows every path that is not done through doc. It gives the array that
// lies on them, if any, and whether that array is to be kept as a value.
func (g *Generator) fill(f *frame, doc []byte, absent int, pos []position) (array elem, whole bool, _ int, err error) {
	for i, p := range g.paths {
		if f.at[i] == len(p) {
			continue
		}
		e, nested, err := g.step(p, &f.at[i], doc, i, pos)
		if err != nil {
			return missing, false, 0, err
		}
		switch e.typ {
		case tMissing:
			f.fixed[i], f.at[i] = null, len(p)
			absent++
		case tArray:
			f.array[i] = true
			if array.typ == tMissing {
				array = e
			} else if !e.is(array) {
				return missing, false, 0, parallelArrays
			}
			whole = whole || nested
		default:
			f.fixed[i] = e
		}
	}
	return array, whole, absent, nil
}

// step follows one path from component *at, in doc or in the array above it.
// nested: the value is an array in an array, chosen by number.
func (g *Generator) step(p path, at *int, doc []byte, i int, pos []position) (e elem, nested bool, err error) {
	if doc != nil {
		e, err = lookup(doc, p[*at])
		if err != nil {
			return missing, false, err
		}
	}
	byNumber := pos != nil && pos[i].set
	switch {
	case e.typ != tMissing && byNumber:
		return missing, false, ambiguousName
	case e.typ != tMissing:
		e, *at, err = p.along(doc, *at)
		return e, false, err
	case byNumber:
		*at = pos[i].next
		return pos[i].e, pos[i].item.typ == tArray, nil
	}
	return missing, false, nil
}

// locate finds the elements of an array that paths name by number.
func (g *Generator) locate(f *frame, array []byte) (err error) {
	for i, p := range g.paths {
		f.pos[i] = position{}
		if f.at[i] == len(p) || !isDigits(p[f.at[i]]) {
			continue
		}
		q := &f.pos[i]
		if q.item, err = lookup(array, p[f.at[i]]); err != nil {
			return err
		}
		if q.item.typ == tMissing {
			continue
		}
		q.set = true
		if q.e, q.next, err = p.along(array, f.at[i]); err != nil {
			return err
		}
	}
	return nil
}

// descend makes the keys for one array element. end is the value for paths that
// stop at the array.
func (g *Generator) descend(depth, absent int, item, end elem, pos []position) error {
	if depth >= maxDepth {
		return ErrMalformed
	}
	next, f := g.frame(depth+1), &g.frames[depth]
	copy(next.at, f.at)
	copy(next.fixed, f.fixed)
	for i, p := range g.paths {
		if f.array[i] && f.at[i] == len(p) {
			next.fixed[i] = end
		}
	}
	var doc []byte
	if item.typ == tObject {
		doc = item.val
	}
	return g.expand(doc, depth+1, absent, pos)
}

func (g *Generator) addFixed(fixed []elem) error {
	g.b.reset()
	for i, e := range fixed {
		if err := g.b.component(e, g.desc[i]); err != nil {
			return err
		}
	}
	g.pending.add(&g.b)
	return nil
}
