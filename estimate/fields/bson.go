package fields

import (
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler/element"
)

// elem is one element of a document.
type elem struct {
	element.Element
	raw []byte // all of it: type, name, zero, value
}

// body gives the elements of a document, without its length and final zero.
func body(doc []byte) ([]byte, bool) {
	rest, err := element.All(doc)
	return rest, err == nil
}

// next cuts the first element off; ok is false where it cannot be read.
func next(b []byte) (e elem, rest []byte, ok bool) {
	var err error
	e.Element, rest, err = element.Next(b)
	e.raw = b[:len(b)-len(rest)]
	return e, rest, err == nil
}

// aliases are the names of types, as $type takes them.
var aliases = map[bson.Type]string{
	0x01: "double", 0x02: "string", 0x03: "object", 0x04: "array", 0x05: "binData", 0x06: "undefined",
	0x07: "objectId", 0x08: "bool", 0x09: "date", 0x0a: "null", 0x0b: "regex", 0x0c: "dbPointer",
	0x0d: "javascript", 0x0e: "symbol", 0x0f: "javascriptWithScope", 0x10: "int", 0x11: "timestamp",
	0x12: "long", 0x13: "decimal", 0x7f: "maxKey", 0xff: "minKey",
}
