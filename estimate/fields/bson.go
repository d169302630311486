package fields

import (
	"bytes"
	"encoding/binary"
)

// BSON element types that are looked into, as in the specification at
// bsonspec.org; the sizes of all others are in valueSize.
const (
	kindDocument = 0x03
	kindArray    = 0x04
)

// elem is one element of a document: type, name, zero, value.
type elem struct {
	kind  byte
	name  []byte
	value []byte
	raw   []byte // all of it
}

func (e elem) nested() bool { return e.kind == kindDocument || e.kind == kindArray }

// body gives the elements of a document, without its length and final zero.
func body(doc []byte) ([]byte, bool) {
	if len(doc) < 5 {
		return nil, false
	}
	n := int64(binary.LittleEndian.Uint32(doc))
	if n < 5 || n > int64(len(doc)) || doc[n-1] != 0 {
		return nil, false
	}
	return doc[4 : n-1], true
}

// next cuts the first element off; ok is false where it cannot be read.
func next(b []byte) (e elem, rest []byte, ok bool) {
	end := bytes.IndexByte(b[1:], 0)
	if end < 0 {
		return elem{}, nil, false
	}
	value := b[end+2:]
	n, ok := valueSize(b[0], value)
	if !ok || n > int64(len(value)) {
		return elem{}, nil, false
	}
	total := end + 2 + int(n)
	return elem{kind: b[0], name: b[1 : end+1], value: value[:n], raw: b[:total]}, b[total:], true
}

// valueSize is how many bytes a value takes, from its type and first bytes.
func valueSize(kind byte, v []byte) (int64, bool) {
	switch kind {
	case 0x06, 0x0a, 0x7f, 0xff: // undefined, null, max key, min key
		return 0, true
	case 0x08: // bool
		return 1, true
	case 0x10: // int
		return 4, true
	case 0x01, 0x09, 0x11, 0x12: // double, date, timestamp, long
		return 8, true
	case 0x07: // objectId
		return 12, true
	case 0x13: // decimal
		return 16, true
	case 0x0b: // regex: two strings that end with zero
		first := bytes.IndexByte(v, 0)
		second := bytes.IndexByte(v[first+1:], 0)
		return int64(first + 1 + second + 1), first >= 0 && second >= 0
	}
	return sizedValue(kind, v)
}

// sizedValue is for types that begin with a length.
func sizedValue(kind byte, v []byte) (int64, bool) {
	if len(v) < 4 {
		return 0, false
	}
	n := int64(binary.LittleEndian.Uint32(v))
	switch kind {
	case kindDocument, kindArray, 0x0f: // and javascriptWithScope: the length counts itself
		return n, n >= 5
	case 0x02, 0x0d, 0x0e: // string, javascript, symbol
		return 4 + n, true
	case 0x05: // binData: a subtype
		return 5 + n, true
	case 0x0c: // dbPointer: an ObjectId
		return 4 + n + 12, true
	}
	return 0, false
}

// aliases are the names of types, as $type takes them.
var aliases = map[byte]string{
	0x01: "double", 0x02: "string", 0x03: "object", 0x04: "array", 0x05: "binData", 0x06: "undefined",
	0x07: "objectId", 0x08: "bool", 0x09: "date", 0x0a: "null", 0x0b: "regex", 0x0c: "dbPointer",
	0x0d: "javascript", 0x0e: "symbol", 0x0f: "javascriptWithScope", 0x10: "int", 0x11: "timestamp",
	0x12: "long", 0x13: "decimal", 0x7f: "maxKey", 0xff: "minKey",
}
