package keystring

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// fuzzIndexes has one index of every kind.
func fuzzIndexes(t testing.TB) []*Generator {
	all := []*Generator{
		New(spec(t, d{kv("a", 1)}, kv("partialFilterExpression", d{kv("a.b", d{kv("$gte", 1)})})), Options{}),
		New(spec(t, d{kv("a", 1)}, kv("collation", d{kv("locale", "fr")})), Options{}),
		New(spec(t, d{kv("$**", 1)}, kv("wildcardProjection", d{kv("a.b", 0)})), Options{}),
		New(spec(t, d{kv("v", 1), kv("$**", -1)}), Options{}),
		New(spec(t, d{kv("_fts", "text"), kv("_ftsx", 1)}, kv("weights", d{kv("$**", 1)})), Options{}),
		New(spec(t, d{kv("a", 1)}), Options{Clustered: true}),
	}
	for _, key := range []string{"{_id: 1}", "{a: 1}", "{'a.b': -1, 'a.c': 1}", "{'a.0.b': 1}", "{a: 'hashed'}",
		"{a: 'text'}", "{a: '2d', b: 1}", "{a: '2dsphere', b: 1}", "{'a.$**': 1}"} {
		all = append(all, New(parseKey(t, key), Options{}))
	}
	return all
}

// FuzzEntries: whatever the document, no panic; entries come in order; errors
// say that it is not BSON.
func FuzzEntries(f *testing.F) {
	f.Add(marshal(f, d{kv("_id", 1), kv("a", a{d{kv("b", "x"), kv("c", 1.5)}, a{1}})}))
	f.Add(marshal(f, d{kv("a", d{kv("type", "Polygon"), kv("coordinates", a{a{a{0, 0}, a{1, 0}, a{1, 1}, a{0, 0}}})})}))
	f.Add(marshal(f, d{kv("a", bson.CodeWithScope{Code: "f", Scope: d{kv("x", 1)}}), kv("b", bson.Regex{Pattern: "x"})}))
	f.Add(marshal(f, d{kv("a", decimalOf(f, "1E-400")), kv("b", decimalOf(f, "1E6000"))}))
	f.Add([]byte{5, 0, 0, 0, 0})
	f.Add([]byte{})
	all := fuzzIndexes(f)
	f.Fuzz(func(t *testing.T, doc []byte) {
		doc = framed(doc)
		for _, g := range all {
			var last []byte
			err := g.Entries(doc, 1, func(k, _ []byte) {
				if g.ix.Kind != Wildcard && bytes.Compare(last, k) >= 0 {
					t.Errorf("%s: key %x after %x", g.ix.Name, k, last)
				}
				last = append(last[:0], k...)
			})
			if err != nil && !errors.Is(err, ErrMalformed) {
				t.Errorf("%s: %v", g.ix.Name, err)
			}
		}
	})
}

// framed gives half of all inputs a good frame, to get past the first check.
func framed(doc []byte) []byte {
	if len(doc) < 5 || doc[0]&1 != 0 {
		return doc
	}
	doc = bytes.Clone(doc)
	binary.LittleEndian.PutUint32(doc, uint32(len(doc)))
	doc[len(doc)-1] = 0
	return doc
}

// FuzzSpec: whatever the specification, an index or an error about it.
func FuzzSpec(f *testing.F) {
	f.Add([]byte(marshal(f, d{kv("v", 2), kv("key", d{kv("a", 1)}), kv("partialFilterExpression", d{kv("$or", a{d{kv("a", 1)}})})})))
	f.Add([]byte(marshal(f, d{kv("key", d{kv("$**", 1)}), kv("wildcardProjection", d{kv("a", d{kv("b", 1)})})})))
	doc := marshal(f, d{kv("_id", 1), kv("a", a{1, "x"})})
	f.Fuzz(func(t *testing.T, b []byte) {
		ix, err := Parse(framed(b))
		if err != nil {
			if !errors.Is(err, ErrSpec) {
				t.Errorf("%v", err)
			}
			return
		}
		if err := New(ix, Options{}).Entries(doc, 1, func(_, _ []byte) {}); err != nil {
			t.Errorf("%v", err)
		}
	})
}

func FuzzParseKey(f *testing.F) {
	f.Add("{a: 1, 'b.c': -1}")
	f.Fuzz(func(t *testing.T, s string) {
		if ix, err := ParseKey(s); err != nil && !errors.Is(err, ErrSpec) || err == nil && len(ix.Fields) == 0 {
			t.Errorf("%v %v", ix, err)
		}
	})
}
