// Package extjson turns extended JSON of every generation into BSON: canonical
// and relaxed (v2), strict mode of the older tools (v1), and the shell's own
// spelling, NumberLong(1) and ISODate("…"), that hands and old scripts write.
//
// The driver's parser is tried first. What it refuses is rewritten to canonical
// extended JSON by a tolerant reader and tried again.
package extjson

import (
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Unmarshal gives the document that text holds. Errors carry no content.
func Unmarshal(text []byte) (bson.Raw, error) {
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
