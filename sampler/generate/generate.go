// Package generate writes streams of made-up documents: test data that any
// machine can make again from a shape and a seed.
//
// A Stream draws from a PCG generator (math/rand/v2) through integer
// arithmetic alone, never ranges over a map and never calls a function of
// package math, so a shape and a seed give the same bytes on every platform
// and Go release. It keeps one document in memory at a time.
//
//	s, err := generate.New("orders", 1)
//	for range 1000 {
//		doc := s.Next() // valid until the next call
//	}
package generate

import "fmt"

// DefaultDocuments is how many documents a Stream expects to be asked for
// unless Expect says otherwise.
const DefaultDocuments = 1_000_000

// A Stream makes the documents of one collection, one after another, without
// end. It is for one goroutine.
type Stream struct {
	shape  shape
	seed   uint64
	expect int64
	made   int64 // documents made so far
	rng    rng
	doc    document
	write  func(*Stream)
	group  group // shape grouped only
	giant  int64 // shape heavy only: number of the 16 MiB document
}

// shape is one kind of collection.
type shape struct {
	name    string
	about   string
	indexes []index
	// begin prepares a Stream that has made nothing yet; nil when there is
	// nothing to prepare.
	begin func(*Stream)
	// write appends one document to s.doc.
	write func(*Stream)
}

// shapes in the order in which they are listed to the user.
var shapes = [...]shape{
	{"orders", "461-byte orders with Vietnamese text", orderIndexes, nil, writeOrder},
	{"log", "198-byte request log lines", logIndexes, nil, writeLog},
	{"random", "1,110-byte documents that do not compress", nil, nil, writeRandom},
	{"drift", "another schema in the second half", driftIndexes, nil, writeDrift},
	{"heavy", "lognormal sizes around 200 bytes, and one document of 16 MiB", heavyIndexes, beginHeavy, writeHeavy},
	{"grouped", "groups with vocabulary and sizes of their own", groupedIndexes, nil, writeGrouped},
	{"tiny", "30-byte documents", tinyIndexes, nil, writeTiny},
	{"large", "documents from 100 KiB to 16 MiB", nil, nil, writeLarge},
}

// New starts a stream of the named shape; Shapes lists the names.
func New(name string, seed uint64) (*Stream, error) {
	for _, sh := range shapes {
		if sh.name == name {
			s := &Stream{shape: sh, seed: seed, write: sh.write}
			return s.Expect(DefaultDocuments), nil
		}
	}
	return nil, fmt.Errorf("no shape %q", name)
}

// Expect says how many documents will be asked for, starts over, and returns s.
// Shapes that change on the way place their changes by it: drift changes at the
// half, heavy has its giant somewhere inside, grouped makes about 40 groups.
// More documents may be taken all the same.
func (s *Stream) Expect(documents int64) *Stream {
	s.expect = max(documents, 1)
	s.made = 0
	s.rng.seed(s.seed)
	s.group = group{}
	if s.shape.begin != nil {
		s.shape.begin(s)
	}
	return s
}

// Next makes the next document. The slice is valid until the next call.
func (s *Stream) Next() []byte {
	s.doc.reset()
	s.write(s)
	s.doc.end()
	s.made++
	return s.doc.b
}

// Shapes lists the names that New takes.
func Shapes() []string {
	names := make([]string, len(shapes))
	for i, sh := range shapes {
		names[i] = sh.name
	}
	return names
}

// About describes a shape in one line; empty when there is no such shape.
func About(name string) string {
	for _, sh := range shapes {
		if sh.name == name {
			return sh.about
		}
	}
	return ""
}
