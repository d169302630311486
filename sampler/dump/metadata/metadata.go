// Package metadata reads what mongodump writes beside a collection's data: one
// document of extended JSON with its options and indexes, in the spelling of
// every tool generation.
//
//	{ "options": {…},            listCollections options; left out when empty (100.0+)
//	  "indexes": [ {…}, … ],     listIndexes documents
//	  "uuid": "hex",             3.6+
//	  "collectionName": "…",     100.0+; the name where the file's is shortened
//	  "type": "collection" }     100.4+; or view, timeseries
//
// mongo-tools: mongodump/metadata_dump.go, Metadata.
package metadata

import (
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/extjson"
)

// MaxBytes is the longest metadata text that is read. Validators and view
// pipelines are bounded by a document's 16 MiB; as JSON they take some more.
const MaxBytes = 64 << 20

// Metadata is what one metadata file says.
type Metadata struct {
	// Name of the collection; empty when not given.
	Name string
	Type sampler.Type
	// Options are nil where the file has none.
	Options bson.Raw
	// ConfigString is storageEngine.wiredTiger.configString of the options.
	ConfigString string
	Indexes      []sampler.Index
}

// Parse reads the text. Errors carry no content.
func Parse(text []byte) (Metadata, error) {
	if len(text) > MaxBytes {
		return Metadata{}, errors.New("larger than any metadata")
	}
	doc, err := extjson.Unmarshal(text)
	if err != nil {
		return Metadata{}, err
	}
	m := Metadata{Name: stringAt(doc, "collectionName"), Type: sampler.Plain}
	if options, ok := doc.Lookup("options").DocumentOK(); ok {
		m.Options = options
		m.ConfigString = stringAt(options, "storageEngine", "wiredTiger", "configString")
	}
	if indexes, ok := doc.Lookup("indexes").ArrayOK(); ok {
		values, err := indexes.Values()
		if err != nil {
			return Metadata{}, errors.New("list of indexes is broken")
		}
		for _, v := range values {
			if spec, ok := v.DocumentOK(); ok {
				m.Indexes = append(m.Indexes, sampler.Index{Spec: spec})
			}
		}
	}
	m.Type = typeOf(doc, m)
	return m, nil
}

// typeOf goes by the type field, where there is one, and by the options.
func typeOf(doc bson.Raw, m Metadata) sampler.Type {
	has := func(key string) bool { return m.Options != nil && m.Options.Lookup(key).Type != 0 }
	switch kind := stringAt(doc, "type"); {
	case kind == "view" || has("viewOn"):
		return sampler.View
	case kind == "timeseries" || has("timeseries"):
		return sampler.TimeSeries
	case has("clusteredIndex"):
		return sampler.Clustered
	case m.Options != nil && truthy(m.Options.Lookup("capped")):
		return sampler.Capped
	}
	for _, x := range m.Indexes {
		if truthy(x.Spec.Lookup("clustered")) {
			return sampler.Clustered
		}
	}
	return sampler.Plain
}

// Describe copies into c what the metadata says of it.
func (m Metadata) Describe(c *sampler.Collection) {
	c.Type, c.Options, c.ConfigString, c.Indexes = m.Type, m.Options, m.ConfigString, m.Indexes
	if m.ConfigString != "" {
		c.Warnings = append(c.Warnings, sampler.Warning{Code: "config-string-restored",
			Text: "the collection was created with storage options of its own; mongorestore creates it with the same ones, whatever the server's defaults are"})
	}
}

// Broken is the warning that stands in for metadata that can't be read.
func Broken(source string, err error) sampler.Warning {
	return sampler.Warning{Code: "metadata-broken", Text: source + ": metadata not understood (" + err.Error() + "); options and indexes are not known"}
}

// Release is the server version that a prelude.json gives; "" when none.
func Release(text []byte) string {
	doc, err := extjson.Unmarshal(text)
	if err != nil {
		return ""
	}
	return CleanRelease(stringAt(doc, "ServerVersion"))
}

// CleanRelease is a server version as written by a dump tool, or "" where it is
// a word such as "unknown".
func CleanRelease(s string) string {
	if len(s) == 0 || len(s) > 64 || s[0] < '0' || s[0] > '9' {
		return ""
	}
	return s
}

func stringAt(doc bson.Raw, key ...string) string {
	s, _ := doc.Lookup(key...).StringValueOK()
	return s
}

// truthy as the server takes options: true, or a number that is not zero.
func truthy(v bson.RawValue) bool {
	if b, ok := v.BooleanOK(); ok {
		return b
	}
	core := bsoncore.Value{Type: bsoncore.Type(v.Type), Data: v.Value}
	n, ok := core.AsInt64OK()
	return ok && n != 0
}
