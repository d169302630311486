package stream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// BSON element types: https://bsonspec.org/spec.html. Names as there.
const (
	typeDouble     = 0x01
	typeString     = 0x02
	typeDocument   = 0x03
	typeArray      = 0x04
	typeBinary     = 0x05
	typeUndefined  = 0x06
	typeObjectID   = 0x07
	typeBoolean    = 0x08
	typeDateTime   = 0x09
	typeNull       = 0x0a
	typeRegex      = 0x0b
	typeDBPointer  = 0x0c
	typeCode       = 0x0d
	typeSymbol     = 0x0e
	typeCodeScope  = 0x0f
	typeInt32      = 0x10
	typeTimestamp  = 0x11
	typeInt64      = 0x12
	typeDecimal128 = 0x13
	typeMaxKey     = 0x7f
	typeMinKey     = 0xff
)

// deepest is how far WalkDeep follows nesting. What is nested deeper is held
// to its length and terminating zero only.
const deepest = 32

var (
	errName  = errors.New("element name runs past the end of its document")
	errValue = errors.New("element value runs past the end of its document")
	errEnd   = errors.New("document does not end where its length says")
)

// Walk checks the outline of a whole document: known element types, names that
// end, values that stay inside. Embedded documents count as their length and
// terminating zero. It says nothing about content.
func Walk(doc []byte) error { return walk(doc, 0) }

// WalkDeep is Walk for embedded documents and arrays too.
func WalkDeep(doc []byte) error { return walk(doc, deepest) }

func walk(doc []byte, depth int) error {
	if len(doc) < minDocument || int(int32(binary.LittleEndian.Uint32(doc))) != len(doc) || doc[len(doc)-1] != 0 {
		return errEnd
	}
	rest := doc[4 : len(doc)-1]
	for len(rest) > 0 {
		t := rest[0]
		if !knownType(t) {
			return fmt.Errorf("unknown element type 0x%02x", t)
		}
		z := bytes.IndexByte(rest[1:], 0)
		if z < 0 {
			return errName
		}
		rest = rest[1+z+1:]
		n := valueSize(t, rest)
		if n < 0 || n > len(rest) {
			return errValue
		}
		if depth > 0 && (t == typeDocument || t == typeArray) {
			if err := walk(rest[:n], depth-1); err != nil {
				return err
			}
		}
		rest = rest[n:]
	}
	return nil
}

func knownType(t byte) bool {
	return t >= typeDouble && t <= typeDecimal128 || t == typeMaxKey || t == typeMinKey
}

// valueSize is how many bytes the value of a type takes at the start of v; -1
// when v cannot hold it. The result may still be larger than v.
func valueSize(t byte, v []byte) int {
	switch t {
	case typeUndefined, typeNull, typeMaxKey, typeMinKey:
		return 0
	case typeBoolean:
		return 1
	case typeInt32:
		return 4
	case typeDouble, typeDateTime, typeTimestamp, typeInt64:
		return 8
	case typeObjectID:
		return 12
	case typeDecimal128:
		return 16
	case typeString, typeCode, typeSymbol:
		return stringSize(v)
	case typeBinary:
		return prefixed(v, 0, 5)
	case typeDBPointer:
		if n := stringSize(v); n >= 0 {
			return n + 12
		}
		return -1
	case typeRegex:
		return twoNames(v)
	}
	return framed(t, v)
}

// framed: documents, arrays and code with scope start with their own length.
func framed(t byte, v []byte) int {
	least := minDocument
	if t == typeCodeScope {
		least = 4 + 5 + minDocument // length, empty string, empty document
	}
	n := prefixed(v, least, 0)
	if n < 0 || n > len(v) || v[n-1] != 0 {
		return -1
	}
	return n
}

// prefixed reads a length of at least least and adds what it does not count.
func prefixed(v []byte, least, extra int) int {
	if len(v) < 4 {
		return -1
	}
	n := int(int32(binary.LittleEndian.Uint32(v)))
	if n < least {
		return -1
	}
	return n + extra
}

// stringSize: a length that counts the terminating zero, then the bytes.
func stringSize(v []byte) int {
	n := prefixed(v, 1, 4)
	if n < 0 || n > len(v) || v[n-1] != 0 {
		return -1
	}
	return n
}

// twoNames: a regular expression is a pattern and its options.
func twoNames(v []byte) int {
	a := bytes.IndexByte(v, 0)
	if a < 0 {
		return -1
	}
	o := bytes.IndexByte(v[a+1:], 0)
	if o < 0 {
		return -1
	}
	return a + 1 + o + 1
}

// Plausible is Walk for the first bytes of a document of n bytes: false when
// they can't be its start.
func Plausible(head []byte, n int) bool {
	rest := head[min(4, len(head)):]
	left := n - 4 // of the document, terminating zero included
	for len(rest) > 0 && left > 1 {
		t := rest[0]
		z := bytes.IndexByte(rest[1:], 0)
		if !knownType(t) || z+3 > left {
			return false
		}
		if z < 0 {
			return true
		}
		rest, left = rest[z+2:], left-z-2
		size, known := claimed(t, rest)
		if !known {
			return true
		}
		if size < 0 || size >= left {
			return false
		}
		if size > len(rest) {
			return true
		}
		if valueSize(t, rest[:size]) != size {
			return false
		}
		rest, left = rest[size:], left-size
	}
	return len(rest) == 0 || left == 1 && rest[0] == 0
}

// claimed is the size a value says it has, from its first bytes alone. It is
// not known where those are not all there, or only its end tells.
func claimed(t byte, v []byte) (size int, known bool) {
	switch t {
	case typeRegex:
		size = twoNames(v)
		return size, size >= 0
	case typeString, typeCode, typeSymbol:
		size = prefixed(v, 1, 4)
	case typeDBPointer:
		size = prefixed(v, 1, 4+12)
	case typeBinary:
		size = prefixed(v, 0, 5)
	case typeDocument, typeArray:
		size = prefixed(v, minDocument, 0)
	case typeCodeScope:
		size = prefixed(v, 4+5+minDocument, 0)
	default:
		return valueSize(t, v), true
	}
	return size, len(v) >= 4
}
