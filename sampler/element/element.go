// Package element cuts BSON documents into their elements and trusts none of
// their lengths: a value is given only where all of it is there and framed as its
// type demands. It allocates nothing.
//
// The driver's bsoncore takes strings that do not end and documents that do not
// either, and cannot say of the beginning of a document whether it may be one.
package element

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// An Element is a field of a document, or an item of an array.
type Element struct {
	Type  bson.Type
	Name  []byte
	Value []byte
}

// Nested reports whether the value is a document or an array.
func (e Element) Nested() bool {
	return e.Type == bson.TypeEmbeddedDocument || e.Type == bson.TypeArray
}

// least is the empty document: a length and a terminating zero.
const least = 5

var (
	errName  = errors.New("element name runs past the end of its document")
	errValue = errors.New("element value runs past the end of its document")
	errEnd   = errors.New("document does not end where its length says")
)

// All gives the elements of a whole document, for Next, or an error where its
// length and its end do not agree.
func All(doc []byte) ([]byte, error) {
	if len(doc) < least || int64(binary.LittleEndian.Uint32(doc)) != int64(len(doc)) || doc[len(doc)-1] != 0 {
		return nil, errEnd
	}
	return doc[4 : len(doc)-1], nil
}

// Next cuts off the first of some elements, of which there is one at least. The
// element is a part of them.
func Next(elements []byte) (e Element, rest []byte, err error) {
	e.Type = bson.Type(elements[0])
	if !Known(e.Type) {
		return e, nil, fmt.Errorf("unknown element type 0x%02x", elements[0])
	}
	z := bytes.IndexByte(elements[1:], 0)
	if z < 0 {
		return e, nil, errName
	}
	e.Name, rest = elements[1:1+z], elements[2+z:]
	n := size(e.Type, rest)
	if n < 0 || n > len(rest) {
		return e, nil, errValue
	}
	e.Value = rest[:n:n]
	return e, rest[n:], nil
}

// Known reports whether there is such a type: https://bsonspec.org/spec.html.
func Known(t bson.Type) bool {
	return t >= bson.TypeDouble && t <= bson.TypeDecimal128 || t == bson.TypeMaxKey || t == bson.TypeMinKey
}

// size is how many bytes the value of a type takes at the start of v; -1
// when v cannot hold it. The result may still be larger than v.
func size(t bson.Type, v []byte) int {
	switch t {
	case bson.TypeUndefined, bson.TypeNull, bson.TypeMaxKey, bson.TypeMinKey:
		return 0
	case bson.TypeBoolean:
		return 1
	case bson.TypeInt32:
		return 4
	case bson.TypeDouble, bson.TypeDateTime, bson.TypeTimestamp, bson.TypeInt64:
		return 8
	case bson.TypeObjectID:
		return 12
	case bson.TypeDecimal128:
		return 16
	case bson.TypeString, bson.TypeJavaScript, bson.TypeSymbol:
		return stringSize(v)
	case bson.TypeBinary:
		return prefixed(v, 0, 5)
	case bson.TypeDBPointer:
		if n := stringSize(v); n >= 0 {
			return n + 12
		}
		return -1
	case bson.TypeRegex:
		return twoNames(v)
	case bson.TypeCodeWithScope:
		return codeScopeSize(v)
	}
	return framed(v, least)
}

// framed: documents, arrays and code with scope start with their own length.
func framed(v []byte, atLeast int) int {
	n := prefixed(v, atLeast, 0)
	if n < 0 || n > len(v) || v[n-1] != 0 {
		return -1
	}
	return n
}

// leastCodeScope is a length, an empty string and an empty document.
const leastCodeScope = 4 + 5 + least

func codeScopeSize(v []byte) int {
	n := framed(v, leastCodeScope)
	if n < 0 {
		return -1
	}
	code := stringSize(v[4:n])
	if code < 0 || framed(v[4+code:n], least) != n-4-code {
		return -1
	}
	return n
}

// prefixed reads a length and adds what it does not count.
func prefixed(v []byte, atLeast, extra int) int {
	if len(v) < 4 {
		return -1
	}
	n := int(int32(binary.LittleEndian.Uint32(v)))
	if n < atLeast {
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
