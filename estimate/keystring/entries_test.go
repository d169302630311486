package keystring

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

type d = bson.D
type a = bson.A

func kv(k string, v any) bson.E { return bson.E{Key: k, Value: v} }

// keysOf gives the keys without end and RecordId 1 (0008).
func keysOf(t testing.TB, g *Generator, doc any) []string {
	t.Helper()
	var all []string
	for _, e := range entriesOf(t, g, doc, 1) {
		k, _, _ := strings.Cut(e, "|")
		k, ok := strings.CutSuffix(k, "040008")
		if !ok {
			k = "(other RecordId) " + k
		}
		all = append(all, k)
	}
	return all
}

// TestMultikey has the rows of the table of entries per document that concern
// arrays. Small ints are 2b and twice the number; strings 3c .. 00; null 14.
func TestMultikey(t *testing.T) {
	for _, v := range []struct {
		name, key string
		doc       d
		want      string
	}{
		{"scalar", "{a: 1}", d{kv("a", 1)}, "2b02"},
		{"missing", "{a: 1}", d{kv("b", 1)}, "14"},
		{"missing part", "{a: 1, b: 1}", d{kv("a", 1)}, "2b0214"},
		{"distinct", "{a: 1}", d{kv("a", a{2, 1, 2, int64(1)})}, "2b02 2b04"},
		{"empty array", "{a: 1}", d{kv("a", a{})}, "0f"},
		{"empty array, path goes on", "{'a.b': 1}", d{kv("a", a{})}, "14"},
		{"compound", "{x: 1, a: 1}", d{kv("x", "s"), kv("a", a{1, 2})}, "3c73002b02 3c73002b04"},
		{"subdocuments", "{'a.b': 1}", d{kv("a", a{d{kv("b", 1)}, d{kv("b", 2)}, d{}})}, "14 2b02 2b04"},
		{"scalars on the way", "{'a.b': 1}", d{kv("a", a{7, d{kv("b", 2)}})}, "14 2b04"},
		{"array in subdocument", "{'a.b': 1}", d{kv("a", a{d{kv("b", a{1, 2})}, d{kv("b", a{2, 3})}})}, "2b02 2b04 2b06"},
		{"same array twice", "{'a.b': 1, 'a.c': 1}",
			d{kv("a", a{d{kv("b", 1), kv("c", 2)}, d{kv("b", 3)}})}, "2b022b04 2b0614"},
		{"array of arrays", "{a: 1}", d{kv("a", a{a{1, 2}, a{3}})}, "502b022b0400 502b0600"},
		{"path into array of arrays", "{'a.b': 1}", d{kv("a", a{a{d{kv("b", 1)}}})}, "14"},
		{"number in path", "{'a.1': 1}", d{kv("a", a{5, 6, 7})}, "2b0c"},
		{"number and rest", "{'a.0.b': 1}", d{kv("a", a{d{kv("b", 1)}, d{kv("b", 2)}})}, "2b02"},
		{"number past the end", "{'a.5': 1}", d{kv("a", a{1, 2})}, "14"},
		{"number as a field", "{'a.0': 1}", d{kv("a", d{kv("0", 3)})}, "2b06"},
		{"array chosen by number", "{'a.0': 1}", d{kv("a", a{a{1, 2}})}, "502b022b0400"}, // stays whole
		{"through a scalar", "{'a.b': 1}", d{kv("a", 1)}, "14"},
		{"descending", "{a: -1}", d{kv("a", a{1, 2})}, "d4fb d4fd"},
		{"array in object stays", "{a: 1}", d{kv("a", d{kv("b", a{1})})}, "46 50 62 00 50 2b02 00 00"},
	} {
		t.Run(v.name, func(t *testing.T) {
			g := New(parseKey(t, v.key), Options{})
			got := keysOf(t, g, v.doc)
			want := strings.Fields(v.want)
			if v.name == "array in object stays" {
				want = []string{unspaced(v.want)}
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for _, v := range []struct {
		key  string
		doc  d
		want notIndexable
	}{
		{"{a: 1, b: 1}", d{kv("a", a{1}), kv("b", a{2})}, parallelArrays},
		{"{'a.0': 1}", d{kv("a", a{d{kv("0", 1)}})}, ambiguousName},
		{"{a: 'hashed'}", d{kv("a", a{1})}, hashedArray},
		{"{'a.b': 'hashed'}", d{kv("a", a{d{kv("b", 1)}})}, hashedArray},
		{"{a: '2d'}", d{kv("a", a{500, 0})}, notLocation},
		{"{a: '2dsphere'}", d{kv("a", d{kv("type", "Blob")})}, notGeometry},
		{"{a: '2dsphere'}", d{kv("a", a{500, 0})}, notGeometry},
		{"{a: 'text', b: 1}", d{kv("a", "word"), kv("b", a{1})}, textArray},
	} {
		g := New(parseKey(t, v.key), Options{})
		if got := entriesOf(t, g, v.doc, 1); len(got) != 0 || g.Skipped()[string(v.want)] != 1 {
			t.Errorf("%s %v: got %v, skipped %v", v.key, v.doc, got, g.Skipped())
		}
	}
}

func spec(t testing.TB, key d, more ...bson.E) Index {
	t.Helper()
	ix, err := Parse(marshal(t, append(d{kv("v", 2), kv("key", key), kv("name", "n")}, more...)))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

func TestSparse(t *testing.T) {
	one := New(spec(t, d{kv("a", 1)}, kv("sparse", true)), Options{})
	two := New(spec(t, d{kv("a", 1), kv("b", 1)}, kv("sparse", 1.0)), Options{})
	for _, v := range []struct {
		g    *Generator
		doc  d
		want []string
	}{
		{one, d{kv("x", 1)}, nil},
		{one, d{kv("a", nil)}, []string{"14"}},
		{one, d{kv("a", a{})}, []string{"0f"}},
		{two, d{kv("x", 1)}, nil},
		{two, d{kv("b", 1)}, []string{"142b02"}},
		{two, d{kv("a", 1)}, []string{"2b0214"}},
	} {
		if got := keysOf(t, v.g, v.doc); !slices.Equal(got, v.want) {
			t.Errorf("%v: got %v, want %v", v.doc, got, v.want)
		}
	}
}

func TestPartial(t *testing.T) {
	for _, v := range []struct {
		filter, doc d
		want        bool
	}{
		{d{kv("a", 5)}, d{kv("a", 5.0)}, true},
		{d{kv("a", 5)}, d{kv("a", "5")}, false},
		{d{kv("a", 5)}, d{kv("a", a{4, 5})}, true},
		{d{kv("a", nil)}, d{}, true},
		{d{kv("a", d{kv("x", 1)})}, d{kv("a", d{kv("x", 1)})}, true},
		{d{kv("a", d{kv("$gt", 5)})}, d{kv("a", 5)}, false},
		{d{kv("a", d{kv("$gt", 5)})}, d{kv("a", 6)}, true},
		{d{kv("a", d{kv("$gt", 5)})}, d{kv("a", "x")}, false}, // types do not mix
		{d{kv("a", d{kv("$gt", 5)})}, d{}, false},
		{d{kv("a", d{kv("$gte", 5), kv("$lt", 7)})}, d{kv("a", 5)}, true},
		{d{kv("a", d{kv("$gte", 5), kv("$lt", 7)})}, d{kv("a", 7)}, false},
		{d{kv("a", d{kv("$lte", "m")})}, d{kv("a", "m")}, true},
		{d{kv("a", d{kv("$exists", true)})}, d{kv("a", nil)}, true},
		{d{kv("a", d{kv("$exists", true)})}, d{}, false},
		{d{kv("a", d{kv("$exists", false)})}, d{}, true},
		{d{kv("a.b", d{kv("$exists", true)})}, d{kv("a", a{d{}, d{kv("b", 1)}})}, true},
		{d{kv("a", d{kv("$type", "string")})}, d{kv("a", "s")}, true},
		{d{kv("a", d{kv("$type", 2)})}, d{kv("a", 1)}, false},
		{d{kv("a", d{kv("$type", "number")})}, d{kv("a", int64(1))}, true},
		{d{kv("a", d{kv("$type", a{"null", "array"})})}, d{kv("a", a{1})}, true},
		{d{kv("a", d{kv("$in", a{1, "x"})})}, d{kv("a", "x")}, true},
		{d{kv("a", d{kv("$in", a{1, "x"})})}, d{kv("a", "y")}, false},
		{d{kv("$and", a{d{kv("a", 1)}, d{kv("b", 2)}})}, d{kv("a", 1), kv("b", 2)}, true},
		{d{kv("$and", a{d{kv("a", 1)}, d{kv("b", 2)}})}, d{kv("a", 1)}, false},
		{d{kv("$or", a{d{kv("a", 1)}, d{kv("b", 2)}})}, d{kv("b", 2)}, true},
		{d{kv("$or", a{d{kv("a", 1)}, d{kv("b", 2)}})}, d{}, false},
		{d{kv("a", 1), kv("b", 1)}, d{kv("a", 1)}, false},
		{d{kv("a.b", 1)}, d{kv("a", a{d{kv("b", 1)}})}, true},
	} {
		g := New(spec(t, d{kv("k", 1)}, kv("partialFilterExpression", v.filter)), Options{})
		if got := len(entriesOf(t, g, v.doc, 1)) == 1; got != v.want {
			t.Errorf("%v on %v: %v", v.filter, v.doc, got)
		}
		if g.Approximate() {
			t.Errorf("%v is marked approximate", v.filter)
		}
	}
	ix := spec(t, d{kv("k", 1)}, kv("partialFilterExpression", d{kv("a", d{kv("$mod", a{2, 0})})}))
	if g := New(ix, Options{}); !g.Approximate() || !slices.Equal(ix.Ignored, []string{"$mod"}) {
		t.Errorf("an operator that is not evaluated: %v", ix.Ignored)
	}
}

// TestTTL: an expiring index has the entries of a plain one.
func TestTTL(t *testing.T) {
	ix := spec(t, d{kv("a", 1)}, kv("expireAfterSeconds", 3600.0))
	if got := keysOf(t, New(ix, Options{}), d{kv("a", bson.DateTime(0))}); !slices.Equal(got, []string{"788000000000000000"}) {
		t.Errorf("got %v", got)
	}
	if ix.ExpireAfterSeconds != 3600 || ix.Kind != Plain {
		t.Errorf("%+v", ix)
	}
}

// TestText: words of two fields with their weights; RecordId 1.
func TestText(t *testing.T) {
	ix := spec(t, d{kv("p", 1), kv("_fts", "text"), kv("_ftsx", 1), kv("s", -1)},
		kv("weights", d{kv("body", 1), kv("title", 10)}), kv("textIndexVersion", 3))
	g := New(ix, Options{})
	if !g.Approximate() {
		t.Error("not marked approximate")
	}
	got := keysOf(t, g, d{kv("p", 1), kv("title", "Cat"), kv("body", "the cat sat"), kv("s", 2)})
	// "the" is a stop word. cat: title 10 * 1 * 1 * 1.1 (all of it; "Cat" is equal
	// but for case) + body 1 * 0.75 = 11.75; sat: 0.75. 11.75 is 2b + 4 bits...:
	// whole 11 takes 1 byte: 11.75 * 2^56 = 0bc0.., + 12 << 56 = 17c0..; 0.75 is
	// 3fe8.. << 2 = ffa0... s: 2 inverted is d4fb.
	want := []string{
		"2b02" + "3c" + hex.EncodeToString([]byte("cat")) + "00" + "2b17c0000000000000" + "d4fb",
		"2b02" + "3c" + hex.EncodeToString([]byte("sat")) + "00" + "2affa0000000000000" + "d4fb",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	long := strings.Repeat("x", 300)
	got = keysOf(t, g, d{kv("title", long)})
	// null, type, 224 and 32 bytes, NUL, 11 (10 * 1.1) in 2 bytes, null.
	if len(got) != 1 || len(got[0]) != 2*(1+1+224+32+1+2+1) {
		t.Errorf("a long term: %v", got)
	}
}

// TestParts: components end where they should, and put together make the entry.
func TestParts(t *testing.T) {
	g := New(parseKey(t, "{a: 1, b: -1}"), Options{})
	n := 0
	err := g.Parts(marshal(t, d{kv("a", a{"xy", 5}), kv("b", nil)}), 7, func(e Entry) {
		// 5 is 2b 0a, then null inverted; "xy" is 3c 78 79 00.
		want := [][]int{{2, 3}, {4, 5}}[n]
		if !slices.Equal(e.Ends, want) || len(e.Key) != want[1]+1 || e.Key[want[1]] != keyEnd {
			t.Errorf("entry %d: ends %v in %x, want %v", n, e.Ends, e.Key, want)
		}
		key, value := g.Place(nil, nil, e)
		if len(key) != len(e.Key)+2 || len(value) != 0 {
			t.Errorf("entry %d: key %x, value %x", n, key, value)
		}
		n++
	})
	if err != nil || n != 2 {
		t.Errorf("%d entries, %v", n, err)
	}
	if !g.RecordInKey() || New(parseKey(t, "{_id: 1}"), Options{}).RecordInKey() {
		t.Error("where the RecordId stands")
	}
}
