package element

import (
	"bytes"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Plausible is Walk for the first bytes of a document of n bytes: false when
// they can't be its start.
func Plausible(head []byte, n int) bool {
	rest := head[min(4, len(head)):]
	left := n - 4 // of the document, terminating zero included
	for len(rest) > 0 && left > 1 {
		t := bson.Type(rest[0])
		z := bytes.IndexByte(rest[1:], 0)
		if !Known(t) || z+3 > left {
			return false
		}
		if z < 0 {
			return true
		}
		rest, left = rest[z+2:], left-z-2
		long, known := claimed(t, rest)
		if !known {
			return true
		}
		if long < 0 || long >= left {
			return false
		}
		if long > len(rest) {
			return true
		}
		if size(t, rest[:long]) != long {
			return false
		}
		rest, left = rest[long:], left-long
	}
	return len(rest) == 0 || left == 1 && rest[0] == 0
}

// claimed is the size a value says it has, from its first bytes alone. It is
// not known where those are not all there, or only its end tells.
func claimed(t bson.Type, v []byte) (n int, known bool) {
	switch t {
	case bson.TypeRegex:
		n = twoNames(v)
		return n, n >= 0
	case bson.TypeString, bson.TypeJavaScript, bson.TypeSymbol:
		n = prefixed(v, 1, 4)
	case bson.TypeDBPointer:
		n = prefixed(v, 1, 4+12)
	case bson.TypeBinary:
		n = prefixed(v, 0, 5)
	case bson.TypeEmbeddedDocument, bson.TypeArray:
		n = prefixed(v, least, 0)
	case bson.TypeCodeWithScope:
		n = prefixed(v, leastCodeScope, 0)
	default:
		return size(t, v), true
	}
	return n, len(v) >= 4
}
