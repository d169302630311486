package fakemongod

import (
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Record is a stored document.
type Record struct {
	ID  int64 // RecordId; 0 in a clustered collection, where _id is the key
	Doc bson.Raw
}

// Collection is a collection in natural order.
type Collection struct {
	Name      string
	Type      string // "" for collection; "view", "timeseries"
	Options   bson.D
	Clustered bool
	Records   []Record
	Indexes   []bson.D
	// Compressor is in the creationString; "" means snappy.
	Compressor string
	Orphans    int64
	// FastCount and FastSize stand in for the counters when not 0.
	FastCount, FastSize int64
	// Shards divides $collStats into as many documents; 0 means one.
	Shards int

	index []Record // by _id
}

// Add appends documents with consecutive RecordIds.
func (c *Collection) Add(docs ...bson.Raw) {
	next := int64(1)
	if n := len(c.Records); n > 0 {
		next = c.Records[n-1].ID + 1
	}
	for i, d := range docs {
		c.Records = append(c.Records, Record{next + int64(i), d})
	}
}

// Remove deletes the records for which drop says so.
func (c *Collection) Remove(drop func(i int, r Record) bool) {
	i := -1
	c.Records = slices.DeleteFunc(c.Records, func(r Record) bool { i++; return drop(i, r) })
}

func (c *Collection) size() int64 {
	if c.FastSize != 0 {
		return c.FastSize
	}
	var n int64
	for _, r := range c.Records {
		n += int64(len(r.Doc))
	}
	return n
}

func (c *Collection) count() int64 {
	if c.FastCount != 0 {
		return c.FastCount
	}
	return int64(len(c.Records))
}

// DB is a database: its collections by order of creation.
type DB struct {
	Name        string
	Collections []*Collection
}

func (s *Server) collection(db, coll string) *Collection {
	for _, d := range s.dbs {
		if d.Name != db {
			continue
		}
		for _, c := range d.Collections {
			if c.Name == coll {
				return c
			}
		}
	}
	return nil
}

// documents lists db's collections as listCollections does.
func (s *Server) listCollections(db string) []bson.D {
	var list []bson.D
	for _, d := range s.dbs {
		if d.Name != db {
			continue
		}
		for _, c := range d.Collections {
			kind := c.Type
			if kind == "" {
				kind = "collection"
			}
			options := c.Options
			if options == nil {
				options = bson.D{}
			}
			list = append(list, bson.D{{Key: "name", Value: c.Name}, {Key: "type", Value: kind},
				{Key: "options", Value: options}, {Key: "info", Value: bson.D{{Key: "readOnly", Value: false}}}})
		}
	}
	return list
}
