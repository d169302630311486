package keystring

import (
	"bytes"
	"errors"
	"slices"
)

// Options say what kind of table the index is in.
type Options struct {
	// Clustered: the collection is clustered by _id, whose key stands in the
	// place of the RecordId.
	Clustered bool
	// UniqueBefore42: a unique index was made by a server older than 4.2.
	UniqueBefore42 bool
}

// A Generator makes the entries of an index. It keeps buffers between
// documents, so it serves one goroutine at a time.
type Generator struct {
	ix    Index
	opts  Options
	paths []path
	desc  []bool
	last  bool // RecordId is in the value, not in the key
	make  func(doc []byte) error

	b       builder
	rid     builder // _id of a clustered collection
	record  []byte  // RecordId bytes of the current document
	key     []byte
	value   []byte
	bits    []byte
	emit    func(Entry)
	pending pending
	frames  []frame
	wild    wildcardState
	skipped map[string]int64
}

// notIndexable is why a server would refuse the document.
type notIndexable string

func (n notIndexable) Error() string { return string(n) }

// New compiles an index.
func New(ix Index, opts Options) *Generator {
	g := &Generator{ix: ix, opts: opts, skipped: map[string]int64{}}
	for _, f := range ix.Fields {
		g.paths = append(g.paths, splitPath(f.Path))
		g.desc = append(g.desc, f.Descending)
	}
	g.b.v0 = ix.Version == 1
	if ix.collation != nil {
		g.b.collate = ix.collation.append
	}
	g.last = ix.Kind == ID || ix.Unique && opts.UniqueBefore42
	switch ix.Kind {
	case Clustered:
		g.make = func([]byte) error { return nil }
	case Hashed:
		g.make = g.hashedEntry
	case Text:
		g.make = g.textEntries
	case TwoD:
		g.make = g.geo2dEntries
	case Sphere:
		g.make = g.sphereEntries
	case Wildcard:
		g.make = g.wildcardEntries
	default:
		g.make = g.plainEntries
	}
	return g
}

// Index is what the generator was made from.
func (g *Generator) Index() Index { return g.ix }

// HasFile is false for the index a clustered collection is ordered by: it is
// the collection's own table.
func (g *Generator) HasFile() bool { return g.ix.Kind != Clustered }

// Approximate reports that keys are modelled, not the server's bytes: text
// (terms are stemmed by a simple rule), collation (no sort keys), or a partial
// filter with an operator that is not evaluated.
func (g *Generator) Approximate() bool {
	return g.ix.Kind == Text || g.ix.collation != nil || len(g.ix.Ignored) > 0
}

// Skipped counts documents that a server could not have indexed, by reason.
func (g *Generator) Skipped() map[string]int64 { return g.skipped }

// An Entry is one index entry in its parts. The slices are valid until the next
// entry.
type Entry struct {
	Key    []byte // the components and the end byte
	Ends   []int  // where each component ends in Key
	Record []byte // the RecordId as an index stores it
	Bits   []byte // type bits, empty when none is set
}

// Entries calls emit with the WiredTiger key and value of each entry of the
// document; otherwise it is as Parts.
func (g *Generator) Entries(doc []byte, id int64, emit func(key, value []byte)) error {
	return g.Parts(doc, id, func(e Entry) {
		g.key, g.value = g.Place(g.key[:0], g.value[:0], e)
		emit(g.key, g.value)
	})
}

// Place appends an entry's parts to the key and value of the table.
func (g *Generator) Place(key, value []byte, e Entry) (k, v []byte) {
	key = append(key, e.Key...)
	if g.last {
		value = append(value, e.Record...)
	} else {
		key = append(key, e.Record...)
	}
	return key, append(value, e.Bits...)
}

// RecordInKey is false where the RecordId stands in the value.
func (g *Generator) RecordInKey() bool { return !g.last }

// Parts calls emit with each entry of the document, in key order and without
// duplicates. id is the document's RecordId, from 1; a clustered collection has
// its own.
//
// A document that a server would refuse makes no entry and is counted. The
// error is ErrMalformed, for a document that is not BSON.
func (g *Generator) Parts(doc []byte, id int64, emit func(Entry)) error {
	if err := checkDocument(doc); err != nil {
		return err
	}
	if g.ix.filter != nil {
		match, err := g.ix.filter.match(doc)
		if err != nil || !match {
			return err
		}
	}
	if err := g.setRecord(doc, id); err != nil {
		return g.refuse(err)
	}
	g.emit = emit
	g.pending.reset()
	if err := g.make(doc); err != nil {
		return g.refuse(err)
	}
	g.pending.flush(g)
	return nil
}

// refuse counts a document that cannot be indexed; other errors it passes on.
func (g *Generator) refuse(err error) error {
	var reason notIndexable
	if !errors.As(err, &reason) {
		return err
	}
	g.skipped[string(reason)]++
	return nil
}

// setRecord works out the RecordId bytes of the document.
func (g *Generator) setRecord(doc []byte, id int64) error {
	if !g.opts.Clustered {
		g.record = AppendRecordID(g.record[:0], id)
		return nil
	}
	e, err := lookup(doc, "_id")
	if err != nil {
		return err
	}
	g.rid.reset()
	if err := g.rid.component(e, false); err != nil {
		return err
	}
	g.record = appendRecordIDBytes(g.record[:0], g.rid.buf)
	return nil
}

// done ends the key in the builder and gives it, with its value, to emit.
func (g *Generator) done() {
	g.b.end()
	g.finish(g.b.buf, g.b.ends, g.record, &g.b.bits)
}

func (g *Generator) finish(key []byte, ends []int, record []byte, bits *typeBits) {
	g.bits = bits.appendTo(g.bits[:0])
	g.emit(Entry{key, ends, record, g.bits})
}

// pending holds the keys of a document that has more than one, until they can
// be sorted. MongoDB keeps them in a KeyStringSet: sorted, unique.
type pending struct {
	arena []byte
	keys  []pendingKey
}

type pendingKey struct {
	at, end int
	ends    []int
	bits    typeBits
}

func (p *pending) reset() { p.arena, p.keys = p.arena[:0], p.keys[:0] }

// add takes over the key in the builder.
func (p *pending) add(b *builder) {
	b.end()
	at := len(p.arena)
	p.arena = append(p.arena, b.buf...)
	if len(p.keys) < cap(p.keys) {
		p.keys = p.keys[:len(p.keys)+1]
	} else {
		p.keys = append(p.keys, pendingKey{})
	}
	k := &p.keys[len(p.keys)-1]
	k.at, k.end = at, len(p.arena)
	k.ends = append(k.ends[:0], b.ends...)
	k.bits.data = append(k.bits.data[:0], b.bits.data...)
	k.bits.n, k.bits.any = b.bits.n, b.bits.any
}

func (p *pending) flush(g *Generator) {
	if len(p.keys) > 1 {
		slices.SortStableFunc(p.keys, func(x, y pendingKey) int {
			return bytes.Compare(p.arena[x.at:x.end], p.arena[y.at:y.end])
		})
	}
	for i := range p.keys {
		k := &p.keys[i]
		key := p.arena[k.at:k.end]
		if i > 0 && bytes.Equal(key, p.arena[p.keys[i-1].at:p.keys[i-1].end]) {
			continue
		}
		g.finish(key, k.ends, g.record, &k.bits)
	}
}

// Clustered: RecordIds are keys, not numbers.
func (g *Generator) Clustered() bool { return g.opts.Clustered }
