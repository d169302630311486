package keystring

import (
	"bytes"
	"encoding/binary"
)

// projectionNode is one component of a wildcardProjection.
type projectionNode struct {
	children map[string]*projectionNode
	leaf     bool
}

// A projection says which paths a wildcard index covers.
type projection struct {
	root    projectionNode
	include bool // the paths named are the ones covered
	id      bool // _id is covered
}

// parseProjection reads a wildcardProjection; root is the subtree of a pattern
// like {"a.$**": 1}. Without either all paths but _id are covered.
// MongoDB: src/mongo/db/index/wildcard_key_generator.cpp, createProjectionExecutor.
func parseProjection(e elem, root string) (*projection, error) {
	p := &projection{}
	if root != "" {
		p.include = true
		p.root.add(splitPath(root))
		return p, nil
	}
	if e.typ != tObject {
		return p, nil
	}
	return p, p.read(e.val, nil, 0)
}

func (p *projection) read(doc []byte, prefix path, depth int) error {
	if depth > maxDepth {
		return ErrMalformed
	}
	for r := newReader(doc); ; {
		name, e, ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		at := append(prefix[:len(prefix):len(prefix)], splitPath(string(name))...)
		if e.typ == tObject {
			if err := p.read(e.val, at, depth+1); err != nil {
				return err
			}
			continue
		}
		if len(at) == 1 && at[0] == "_id" {
			p.id = truth(e)
			continue
		}
		p.include = truth(e)
		p.root.add(at)
	}
}

func (n *projectionNode) add(p path) {
	for _, c := range p {
		if n.children == nil {
			n.children = map[string]*projectionNode{}
		}
		if n.children[c] == nil {
			n.children[c] = &projectionNode{}
		}
		n = n.children[c]
	}
	n.leaf = true
}

// step follows one field name. node is nil outside the named paths; keep is
// false when the field is projected away.
func (p *projection) step(n *projectionNode, name []byte) (next *projectionNode, keep bool) {
	if n == nil { // below a named path, or beside all of them
		return nil, true
	}
	next = n.children[string(name)]
	switch {
	case next == nil:
		return nil, !p.include
	case next.leaf:
		return nil, p.include
	}
	return next, true
}

// maxNotedPaths bounds the memory for the paths that are known to hold arrays.
const maxNotedPaths = 1 << 16

// wildcardState is what a walk through a document needs.
type wildcardState struct {
	noted       map[string]bool
	path        []byte
	pre, post   []elem
	parts       int // components appended so far
	made, found bool
}

// wildcardEntries makes a key of path and value for every leaf of a document,
// and one note per path that holds an array, which all documents share.
// MongoDB: wildcard_key_generator.cpp, SingleDocumentKeyEncoder.
func (g *Generator) wildcardEntries(doc []byte) error {
	w := &g.wild
	if w.noted == nil {
		w.noted = map[string]bool{}
	}
	w.path, w.made, w.found = w.path[:0], false, false
	if err := g.wildcardFields(doc); err != nil {
		return err
	}
	if _, err := g.walk(doc, &g.ix.projection.root, false, 0); err != nil {
		return err
	}
	if !w.made && w.found { // fields beside the wildcard are still indexed
		return g.wildcardKey(minKey, minKey)
	}
	return nil
}

// wildcardFields reads the fields beside the wildcard; none may be an array.
func (g *Generator) wildcardFields(doc []byte) error {
	w := &g.wild
	w.pre, w.post = w.pre[:0], w.post[:0]
	before := true
	for i, p := range g.paths {
		if isWildcard(g.ix.Fields[i].Path) {
			before = false
			continue
		}
		e, _, err := p.along(doc, 0)
		if err != nil {
			return err
		}
		if e.typ == tArray {
			return parallelArrays
		}
		w.found = w.found || e.typ != tMissing
		if before {
			w.pre = append(w.pre, e)
		} else {
			w.post = append(w.post, e)
		}
	}
	return nil
}

// walk makes the keys of the fields of an object or the elements of an array,
// and counts those that the projection leaves.
func (g *Generator) walk(doc []byte, n *projectionNode, inArray bool, depth int) (kept int, err error) {
	if depth > maxDepth {
		return 0, ErrMalformed
	}
	w := &g.wild
	for r := newReader(doc); ; {
		name, e, ok, err := r.next()
		if err != nil || !ok {
			return kept, err
		}
		next, mark := n, len(w.path)
		switch {
		case inArray:
		case depth == 0 && string(name) == "_id":
			if next = nil; !g.ix.projection.id {
				continue
			}
		default:
			var keep bool
			if next, keep = g.ix.projection.step(n, name); !keep {
				continue
			}
		}
		if next != nil && g.ix.projection.include && e.typ != tObject && e.typ != tArray {
			continue // a value where an included path goes on
		}
		kept++
		if bytes.IndexByte(name, '.') >= 0 {
			continue // cannot be queried
		}
		if !inArray {
			if mark > 0 {
				w.path = append(w.path, '.')
			}
			w.path = append(w.path, name...)
		}
		if err := g.leafOrBranch(e, next, inArray, depth); err != nil {
			return kept, err
		}
		w.path = w.path[:mark]
	}
}

func (g *Generator) leafOrBranch(e elem, n *projectionNode, inArray bool, depth int) error {
	array := e.typ == tArray
	if array && inArray || !array && e.typ != tObject {
		return g.wildcardLeaf(e)
	}
	if array {
		if err := g.note(); err != nil {
			return err
		}
	}
	kept, err := g.walk(e.val, n, array, depth+1)
	if err != nil || kept > 0 {
		return err
	}
	if array {
		return g.wildcardLeaf(undefined)
	}
	return g.wildcardLeaf(elem{tObject, emptyDocument})
}

var emptyDocument = []byte{5, 0, 0, 0, 0}

// wildcardLeaf makes the key of the current path and a value.
func (g *Generator) wildcardLeaf(e elem) error {
	return g.wildcardKey(stringElem(g.wild.path), e)
}

func (g *Generator) wildcardKey(path, e elem) error {
	w := &g.wild
	w.made = true
	g.b.reset()
	w.parts = 0
	if err := g.parts(w.pre); err != nil {
		return err
	}
	if err := g.pathPart(path); err != nil {
		return err
	}
	if err := g.part(e); err != nil {
		return err
	}
	if err := g.parts(w.post); err != nil {
		return err
	}
	g.pending.add(&g.b)
	return nil
}

// note emits, once for each path that holds an array, the key a server keeps to
// know that: the number 1 and the path, under a reserved RecordId.
func (g *Generator) note() error {
	w := &g.wild
	if w.noted[string(w.path)] || len(w.noted) >= maxNotedPaths {
		return nil
	}
	w.noted[string(w.path)] = true
	g.b.reset()
	w.parts = 0
	for range w.pre {
		if err := g.part(minKey); err != nil {
			return err
		}
	}
	if err := g.part(elem{tInt32, []byte{1, 0, 0, 0}}); err != nil {
		return err
	}
	if err := g.pathPart(stringElem(w.path)); err != nil {
		return err
	}
	for range w.post {
		if err := g.part(minKey); err != nil {
			return err
		}
	}
	g.b.end()
	g.finish(g.b.buf, g.b.ends, g.reserved(), &g.b.bits)
	return nil
}

// reserved is the RecordId of a note.
func (g *Generator) reserved() []byte {
	if g.opts.Clustered {
		return appendRecordIDBytes(nil, []byte{0xFF, 0x00})
	}
	return AppendRecordID(nil, reservedRecordID)
}

var minKey = elem{typ: tMinKey}

func (g *Generator) parts(all []elem) error {
	for _, e := range all {
		if err := g.part(e); err != nil {
			return err
		}
	}
	return nil
}

// part appends the next component of a wildcard key. Its direction is the one
// of the field with the same number: the path takes a number of its own.
func (g *Generator) part(e elem) error {
	i := g.wild.parts
	g.wild.parts++
	return g.b.component(e, i < len(g.desc) && g.desc[i])
}

// pathPart appends a path, which is never collated.
func (g *Generator) pathPart(e elem) error {
	collate := g.b.collate
	g.b.collate = nil
	err := g.part(e)
	g.b.collate = collate
	return err
}

// stringElem makes a string value.
func stringElem(s []byte) elem {
	v := binary.LittleEndian.AppendUint32(make([]byte, 0, 5+len(s)), uint32(len(s)+1))
	return elem{tString, append(append(v, s...), 0)}
}
