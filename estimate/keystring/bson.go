package keystring

import (
	"errors"

	"github.com/wtsize/wtsize/sampler/element"
)

// ErrMalformed is returned for a document that is not well-formed BSON. Only
// what a key needs is read, so damage elsewhere goes unnoticed.
var ErrMalformed = errors.New("malformed BSON")

// BSON element types, https://bsonspec.org. A missing value has type 0.
const (
	tMissing   = 0x00
	tDouble    = 0x01
	tString    = 0x02
	tObject    = 0x03
	tArray     = 0x04
	tBinary    = 0x05
	tUndefined = 0x06
	tObjectID  = 0x07
	tBool      = 0x08
	tDate      = 0x09
	tNull      = 0x0A
	tRegex     = 0x0B
	tDBPointer = 0x0C
	tCode      = 0x0D
	tSymbol    = 0x0E
	tCodeScope = 0x0F
	tInt32     = 0x10
	tTimestamp = 0x11
	tInt64     = 0x12
	tDecimal   = 0x13
	tMinKey    = 0xFF
	tMaxKey    = 0x7F
)

// maxDepth is the deepest nesting a server stores, with room for its own use.
// MongoDB: src/mongo/bson/bson_depth.h, BSONDepth.
const maxDepth = 200

// An elem is one value of a document: its type and its bytes, which have been
// checked to be as long as the type says. The zero elem is a missing value.
type elem struct {
	typ byte
	val []byte
}

var (
	missing   = elem{}
	null      = elem{typ: tNull}
	undefined = elem{typ: tUndefined}
)

// is reports whether two array elements are the same place in the document.
func (e elem) is(o elem) bool { return &e.val[0] == &o.val[0] }

// checkDocument tests a document's own framing.
func checkDocument(b []byte) error {
	if _, err := element.All(b); err != nil {
		return ErrMalformed
	}
	return nil
}

// A reader walks the elements of a document or array that passed checkDocument,
// as every nested one has.
type reader struct{ rest []byte }

func newReader(doc []byte) reader { return reader{doc[4 : len(doc)-1]} }

// next gives the next element; ok is false at the end.
func (r *reader) next() (name []byte, e elem, ok bool, err error) {
	if len(r.rest) == 0 {
		return nil, e, false, nil
	}
	var read element.Element
	if read, r.rest, err = element.Next(r.rest); err != nil {
		return nil, e, false, ErrMalformed
	}
	return read.Name, elem{byte(read.Type), read.Value}, true, nil
}

// lookup finds a field by name.
func lookup(doc []byte, name string) (elem, error) {
	r := newReader(doc)
	for {
		k, e, ok, err := r.next()
		if err != nil || !ok {
			return missing, err
		}
		if string(k) == name {
			return e, nil
		}
	}
}

// text is the content of a string, symbol or code value.
func (e elem) text() []byte { return e.val[4 : len(e.val)-1] }

// isDigits reports whether a path component can name an array position.
func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
