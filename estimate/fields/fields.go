// Package fields finds which field paths hold a collection's bytes, and rewrites
// documents without a path or with shorter field names, so that the pages can
// be built again and the difference be measured.
//
//	var c fields.Counter
//	for … { c.Add(doc) }
//	for _, p := range c.Paths() {
//		… p.Remove(dst, doc) …      // the documents without it
//	}
//	short := c.Shortener()
//	… short.ShortenNames(dst, doc) …  // with short names throughout
//
// It reports names and types, never values. Names that are values in disguise
// are not reported either: keys of documents used as maps ("*" stands for them)
// are told from field names by their look and by their number. The index of an
// array element is written "[]".
//
// Documents may be odd inside. Where an element cannot be read, the rest of its
// document is counted with its parent and is copied as it is.
package fields

import (
	"cmp"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Bounds on what a Counter keeps, whatever it is given.
const (
	// maxPaths is how many paths are told apart; the bytes of further ones are
	// counted with their parents alone.
	maxPaths = 4096
	// maxNames is how many names a document may have before it is asked whether
	// it is a map; maxFields is how many make it one in any case.
	maxNames  = 64
	maxFields = 1024
	// maxDepth of nesting that is looked into. Servers store 180 levels
	// (MongoDB: src/mongo/bson/bson_depth.h, kDefaultMaxAllowableDepth 200).
	maxDepth = 200
)

// A Counter adds up the bytes of every field path. The zero value is ready.
type Counter struct {
	root      node
	documents int64
	nodes     int
}

// node is one path.
type node struct {
	name     string
	step     step
	count    int64 // elements
	holders  int64 // documents that have it
	last     int64 // the last of them, counted from 1
	raw      int64 // bytes: type, name, zero, value
	names    int64 // of raw: the path's own names and their zeros
	kinds    [256]int64
	children []*node
	byName   map[string]*node
	isMap    bool // children were merged into one
	code     string
}

// step says which names of the parent a path stands for.
type step uint8

const (
	named   step = iota // one name
	anyItem             // any index of an array
	anyKey              // any name of a map
	dataKey             // any name that looks like a value
)

// Documents is how many documents were added.
func (c *Counter) Documents() int64 { return c.documents }

// Add counts the bytes of one document.
func (c *Counter) Add(doc []byte) {
	c.documents++
	c.root.count++
	c.root.raw += int64(len(doc))
	c.add(&c.root, doc, false, 0)
}

func (c *Counter) add(parent *node, doc []byte, array bool, depth int) {
	rest, ok := body(doc)
	for ok && len(rest) > 0 {
		var e elem
		if e, rest, ok = next(rest); !ok {
			return
		}
		n := c.child(parent, e.Name, array)
		if n == nil {
			continue
		}
		n.count++
		n.raw += int64(len(e.raw))
		n.names += int64(len(e.Name)) + 1
		n.kinds[e.Type]++
		if n.last != c.documents {
			n.holders++
			n.last = c.documents
		}
		if e.Nested() && depth < maxDepth {
			c.add(n, e.Value, e.Type == bson.TypeArray, depth+1)
		}
	}
}

// child finds or makes the path of a name; nil when there are too many paths.
func (c *Counter) child(parent *node, name []byte, array bool) *node {
	n, s := parent.find(name, array)
	if n != nil {
		return n
	}
	if c.nodes >= maxPaths {
		return nil
	}
	n = parent.adopt(&node{name: s.key(string(name)), step: s})
	c.nodes++
	if s == named && parent.tooMany() {
		c.nodes -= parent.merge()
		return parent.byName[mapKey]
	}
	return n
}

// Keys of the children map that no field name can have, since names hold no zero.
const (
	elementKey = "\x00[]"
	mapKey     = "\x00*"
)

// key is what a step's child is found by.
func (s step) key(name string) string {
	switch s {
	case anyItem:
		return elementKey
	case anyKey, dataKey:
		return mapKey
	}
	return name
}

// find gives the path of a name if there is one, and the step to it.
func (n *node) find(name []byte, array bool) (*node, step) {
	switch {
	case array:
		return n.byName[elementKey], anyItem
	case n.isMap:
		return n.byName[mapKey], anyKey
	}
	if child := n.byName[string(name)]; child != nil { // never one that looks like data
		return child, named
	}
	if looksLikeData(name) {
		return n.byName[mapKey], dataKey
	}
	return nil, named
}

func (n *node) adopt(child *node) *node {
	if n.byName == nil {
		n.byName = map[string]*node{}
	}
	n.byName[child.name] = child
	n.children = append(n.children, child)
	return child
}

// tooMany tells whether a document is used as a map: it has many names, and any
// one of them is rarely there.
func (n *node) tooMany() bool {
	if len(n.children) <= maxNames {
		return false
	}
	var present int64
	for _, c := range n.children {
		present += c.count
	}
	return len(n.children) > maxFields || 4*present < n.count*int64(len(n.children))
}

// merge makes the node a map: the children become one, but for elements of an
// array, where the field is sometimes that. It returns how many paths that saves.
func (n *node) merge() int {
	before, children := n.size(), n.children
	n.children, n.byName, n.isMap = nil, nil, true
	all := n.adopt(&node{name: mapKey, step: anyKey})
	for _, c := range children {
		if c.step == anyItem {
			n.adopt(c)
		} else {
			all.absorb(c)
		}
	}
	return before - n.size()
}

// absorb adds another path's figures and children. Documents that held both are
// counted twice; Paths never tells more than there are.
func (n *node) absorb(o *node) {
	n.count += o.count
	n.raw += o.raw
	n.names += o.names
	n.holders += o.holders
	n.last = max(n.last, o.last)
	for kind, k := range o.kinds {
		n.kinds[kind] += k
	}
	if o.isMap && !n.isMap {
		n.merge()
	}
	for _, c := range o.children {
		s := c.step
		if s != anyItem && n.isMap {
			s = anyKey
		}
		same := n.byName[s.key(c.name)]
		if same == nil {
			same = n.adopt(&node{name: s.key(c.name), step: s})
		}
		same.absorb(c)
	}
}

// size counts the paths below a node.
func (n *node) size() int {
	total := len(n.children)
	for _, c := range n.children {
		total += c.size()
	}
	return total
}

// Paths lists the paths, those with the most bytes first.
func (c *Counter) Paths() []Path {
	var paths []Path
	var walk func(n *node, steps []trace)
	walk = func(n *node, steps []trace) {
		for _, child := range n.children {
			at := append(slices.Clip(steps), trace{child.step, child.name})
			paths = append(paths, Path{
				Name:      display(at),
				Type:      child.types(),
				Documents: min(child.holders, c.documents),
				Raw:       child.raw,
				NameBytes: child.names,
				steps:     at,
			})
			walk(child, at)
		}
	}
	walk(&c.root, nil)
	slices.SortStableFunc(paths, func(a, b Path) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), cmp.Compare(a.Name, b.Name))
	})
	return paths
}
