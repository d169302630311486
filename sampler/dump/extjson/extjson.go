// Package extjson turns extended JSON of every generation into BSON: canonical
// and relaxed (v2), strict mode of the older tools (v1), and the shell's own
// spelling, NumberLong(1) and ISODate("…"), that hands and old scripts write.
//
// Three readers stand in a row. The fast one does what exporters write today.
// The driver's does all of extended JSON. What both refuse is rewritten to
// canonical extended JSON by a tolerant one, and given to the driver again.
package extjson

import (
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Unmarshal gives the document that text holds. Errors carry no content.
func Unmarshal(text []byte) (bson.Raw, error) { return Append(nil, text) }

// Append appends to dst the document that text holds. Errors carry no content.
func Append(dst, text []byte) ([]byte, error) {
	if out, ok := appendFast(dst, text); ok {
		return out, nil
	}
	doc, err := slow(text)
	if err != nil {
		return dst, err
	}
	return append(dst, doc...), nil
}

// slow does without the fast reader.
func slow(text []byte) (bson.Raw, error) {
	var doc bson.Raw
	if err := bson.UnmarshalExtJSON(text, false, &doc); err == nil && doc.Validate() == nil {
		return doc, nil
	}
	canonical, err := Canonical(text)
	if err != nil {
		return nil, err
	}
	doc = nil
	if err := bson.UnmarshalExtJSON(canonical, false, &doc); err != nil || doc.Validate() != nil {
		return nil, errors.New("not valid extended JSON")
	}
	return doc, nil
}
