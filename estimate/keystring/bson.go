package keystring

import (
	"bytes"
	"encoding/binary"
	"errors"
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
	if len(b) < 5 || int64(binary.LittleEndian.Uint32(b)) != int64(len(b)) || b[len(b)-1] != 0 {
		return ErrMalformed
	}
	return nil
}

// A reader walks the elements of a document or array that passed checkDocument.
type reader struct{ b []byte }

func newReader(doc []byte) reader { return reader{doc[4:]} }

// next gives the next element; ok is false at the end.
func (r *reader) next() (name []byte, e elem, ok bool, err error) {
	if len(r.b) == 0 {
		return nil, e, false, ErrMalformed
	}
	t := r.b[0]
	if t == 0 {
		if len(r.b) != 1 {
			return nil, e, false, ErrMalformed
		}
		return nil, e, false, nil
	}
	n := bytes.IndexByte(r.b[1:], 0)
	if n < 0 {
		return nil, e, false, ErrMalformed
	}
	name = r.b[1 : 1+n]
	rest := r.b[2+n:]
	size := valueSize(t, rest)
	if size < 0 || size >= len(rest) {
		return nil, e, false, ErrMalformed
	}
	r.b = rest[size:]
	return name, elem{t, rest[:size:size]}, true, nil
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

// valueSize is the length of the value of type t at the start of b, or -1 when
// it does not fit, is not framed as its type demands, or the type is unknown.
func valueSize(t byte, b []byte) int {
	switch t {
	case tUndefined, tNull, tMinKey, tMaxKey:
		return 0
	case tBool:
		return fit(1, b)
	case tInt32:
		return fit(4, b)
	case tDouble, tDate, tTimestamp, tInt64:
		return fit(8, b)
	case tObjectID:
		return fit(12, b)
	case tDecimal:
		return fit(16, b)
	case tString, tCode, tSymbol:
		return stringSize(b)
	case tDBPointer:
		if n := stringSize(b); n >= 0 {
			return fit(n+12, b)
		}
		return -1
	case tObject, tArray:
		return framedSize(b)
	case tBinary:
		if n := prefix(b); n >= 0 {
			return fit(4+1+n, b)
		}
		return -1
	case tCodeScope:
		return codeScopeSize(b)
	case tRegex:
		return regexSize(b)
	}
	return -1
}

func fit(n int, b []byte) int {
	if n > len(b) {
		return -1
	}
	return n
}

// prefix is the int32 length at the start of b, or -1.
func prefix(b []byte) int {
	if len(b) < 4 {
		return -1
	}
	n := binary.LittleEndian.Uint32(b)
	if int64(n) > int64(len(b)) {
		return -1
	}
	return int(n)
}

func stringSize(b []byte) int {
	n := prefix(b)
	if n < 1 || 4+n > len(b) || b[4+n-1] != 0 {
		return -1
	}
	return 4 + n
}

func framedSize(b []byte) int {
	n := prefix(b)
	if n < 5 || b[n-1] != 0 {
		return -1
	}
	return n
}

func codeScopeSize(b []byte) int {
	n := prefix(b)
	if n < 4+5+5 {
		return -1
	}
	s := stringSize(b[4:n])
	if s < 0 || framedSize(b[4+s:n]) != n-4-s {
		return -1
	}
	return n
}

func regexSize(b []byte) int {
	p := bytes.IndexByte(b, 0)
	if p < 0 {
		return -1
	}
	f := bytes.IndexByte(b[p+1:], 0)
	if f < 0 {
		return -1
	}
	return p + 1 + f + 1
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
