package keystring

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// The values of this file are facts from MongoDB's own tests: what its key
// generators make of a document (src/mongo/db/index/expected_output/
// key_generator_golden_test/*.txt, src/mongo/db/hasher.cpp).

// encodeValues makes a key of values, for comparison.
func encodeValues(t *testing.T, values ...any) string {
	t.Helper()
	var b builder
	for _, v := range values {
		e, err := lookup(marshal(t, d{kv("", v)}), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := b.component(e, false); err != nil {
			t.Fatal(err)
		}
	}
	return string(b.buf)
}

func checkKeys(t *testing.T, ix Index, doc d, want ...[]any) {
	t.Helper()
	g := New(ix, Options{})
	var got, expect []string
	err := g.Entries(marshal(t, doc), 1, func(k, _ []byte) {
		if !(len(k) > 12 && k[len(k)-1] == 0x07|0xF8) { // not a note under a reserved RecordId
			got = append(got, string(k[:len(k)-3]))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		expect = append(expect, encodeValues(t, w...))
	}
	slices.Sort(expect)
	if !slices.Equal(got, expect) {
		t.Errorf("%v of %v:\n got %x\nwant %x", ix.Pattern(), doc, got, expect)
	}
}

func TestHashGolden(t *testing.T) {
	for _, v := range []struct {
		value any
		want  int64
	}{
		{42, -944302157085130861},
		{5, 4470791281878691347},
		{5.0, 4470791281878691347},
		{d{kv("b", "string")}, -8313607634880231286},
		{nil, 2338878944348059895},
		{"test", -3120687751959783844},
		{d{kv("b", "abc"), kv("c", "def")}, -9172419457489471550},
		{math.Copysign(0, -1), 4854801880128277513},
		{0, 4854801880128277513},
		{bson.MinKey{}, 7961148599568647290},
		{bson.Undefined{}, 40158834000849533},
		{"value", 6628978540110585136},
	} {
		e, err := lookup(marshal(t, d{kv("a", v.value)}), "a")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := hash(e, 0); err != nil || got != v.want {
			t.Errorf("hash of %v: %d, want %d (%v)", v.value, got, v.want, err)
		}
	}
	checkKeys(t, parseKey(t, "{a: 'hashed'}"), d{kv("b", 1)}, []any{int64(2338878944348059895)})
	checkKeys(t, parseKey(t, "{'a.b': hashed}"), d{kv("a", 1)}, []any{int64(2338878944348059895)})
	checkKeys(t, parseKey(t, "{a: 'hashed', b: 1}"), d{kv("a", "test"), kv("b", 5)}, []any{int64(-3120687751959783844), 5})
	checkKeys(t, spec(t, d{kv("a", "hashed")}, kv("sparse", true)), d{kv("b", 1)})
}

// TestHashedEntry: nearly always 9 bytes and type bits 02 (long).
func TestHashedEntry(t *testing.T) {
	got := entriesOf(t, New(parseKey(t, "{a: 'hashed'}"), Options{}), d{kv("a", 5)}, 1)
	want := binary.BigEndian.AppendUint64([]byte{numPositive8}, 4470791281878691347<<1)
	if len(got) != 1 || got[0] != hex.EncodeToString(append(want, 0x04, 0, 8))+"|02" {
		t.Errorf("got %v, want %x|02", got, want)
	}
}

func TestGeo2DGolden(t *testing.T) {
	for _, v := range []struct {
		doc  d
		want string
	}{
		{d{kv("a", a{0, 0})}, "wAAAAAAAAAA="},
		{d{kv("a", d{kv("x", 5), kv("y", 10)})}, "wB+B+B+B8AA="},
		{d{kv("a", a{-73.97, 40.77})}, "Ydp9eV2lQAA="},
		{d{kv("a", a{179.5, 89.5})}, "7//MMP/MMAA="},
		{d{kv("a", a{-179.99, -89.99})}, "EAAAA/MMAAA="},
		{d{kv("a", a{1.123456789, 2.987654321})}, "wASh9dQk8AA="},
	} {
		raw, err := base64.StdEncoding.DecodeString(v.want)
		if err != nil {
			t.Fatal(err)
		}
		checkKeys(t, parseKey(t, "{a: '2d'}"), v.doc, []any{bson.Binary{Subtype: 0x80, Data: raw}})
	}
	cell, _ := base64.StdEncoding.DecodeString("wB+B+B+B8AA=")
	key := bson.Binary{Subtype: 0x80, Data: cell}
	checkKeys(t, parseKey(t, "{a: '2d', b: 1}"), d{kv("a", a{5, 10}), kv("b", nil)}, []any{key, nil})
	checkKeys(t, parseKey(t, "{a: '2d', b: 1}"), d{kv("a", a{5, 10})}, []any{key, nil})
	checkKeys(t, parseKey(t, "{'a.p': '2d', b: 1}"), d{kv("a", d{kv("p", a{5, 10})}), kv("b", "hello")}, []any{key, "hello"})
	checkKeys(t, parseKey(t, "{a: '2d'}"), d{kv("b", a{1, 2})})
}

// TestGeo2DLength: 8 bytes of binary are 11 in a key.
func TestGeo2DLength(t *testing.T) {
	got := keysOf(t, New(parseKey(t, "{a: '2d'}"), Options{}), d{kv("a", a{0, 0})})
	if len(got) != 1 || got[0] != "5a0880c000000000000000" {
		t.Errorf("got %v", got)
	}
}

func TestSphereGolden(t *testing.T) {
	point := func(lng, lat float64) d { return d{kv("type", "Point"), kv("coordinates", a{lng, lat})} }
	one := parseKey(t, "{a: '2dsphere'}")
	origin, far := int64(1152921504606846977), int64(-5691773093605457193)
	checkKeys(t, one, d{kv("a", point(40, -73))}, []any{far})
	checkKeys(t, one, d{kv("a", a{40, -73})}, []any{far})
	checkKeys(t, one, d{kv("a", d{kv("x", 40), kv("y", -73)})}, []any{far})
	checkKeys(t, one, d{kv("a", d{kv("type", "MultiPoint"), kv("coordinates", a{a{0, 0}, a{1, 0}, a{1, 1}})})},
		[]any{int64(1152921504875282432)}, []any{int64(1153105535097110528)}, []any{int64(1153277837910736896)})
	for _, nothing := range []any{nil, a{}, d{}, bson.Undefined{}} {
		checkKeys(t, one, d{kv("a", nothing)})
	}
	checkKeys(t, one, d{kv("b", 1)})
	checkKeys(t, one, d{kv("a", d{kv("x", 40), kv("y", -70), kv("type", "Point"), kv("coordinates", a{-70, 40})})},
		[]any{int64(-5685310680706645935)})
	checkKeys(t, parseKey(t, "{a: '2dsphere', b: 1}"), d{kv("a", point(0, 0)), kv("b", 42)}, []any{origin, 42})
	checkKeys(t, parseKey(t, "{a: '2dsphere', b: 1}"), d{kv("a", point(0, 0)), kv("b", a{1, 2})}, []any{origin, 1}, []any{origin, 2})
	checkKeys(t, parseKey(t, "{a: '2dsphere', b: 1}"), d{kv("a", point(0, 0))}, []any{origin, nil})
	checkKeys(t, parseKey(t, "{c: 1, a: '2dsphere'}"), d{kv("c", a{}), kv("a", point(0, 0))}, []any{bson.Undefined{}, origin})
	checkKeys(t, parseKey(t, "{a: '2dsphere', b: '2dsphere'}"), d{kv("a", point(0, 0)), kv("b", point(1, 1))},
		[]any{origin, int64(1153277837650709461)})
	checkKeys(t, parseKey(t, "{'a.b.geo': '2dsphere'}"),
		d{kv("a", d{kv("b", a{d{kv("geo", point(0, 0))}, d{kv("geo", point(3, 3))}})})},
		[]any{origin}, []any{int64(1157514470122841853)})
	two := spec(t, d{kv("a", "2dsphere")}, kv("2dsphereIndexVersion", 2))
	checkKeys(t, two, d{kv("a", point(40, -73))}, []any{"5f20200112011003"})
}

// TestSphereEntry: a cell id takes 9 bytes and type bits.
func TestSphereEntry(t *testing.T) {
	got := entriesOf(t, New(parseKey(t, "{a: '2dsphere'}"), Options{}), d{kv("a", a{0, 0})}, 1)
	// 1000000000000001 << 1.
	if len(got) != 1 || got[0] != "322000000000000002"+"040008|02" {
		t.Errorf("got %v", got)
	}
}

// TestSphereCover: a polygon takes several cells, about 20 at most.
func TestSphereCover(t *testing.T) {
	ring := a{a{0, 0}, a{3, 0}, a{3, 2}, a{0, 2.5}, a{0, 0}}
	hole := a{a{1, 1}, a{2, 1}, a{2, 1.5}, a{1, 1}}
	for _, v := range []any{
		d{kv("type", "Polygon"), kv("coordinates", a{ring, hole})},
		d{kv("type", "LineString"), kv("coordinates", a{a{0, 0}, a{3, 4}, a{5, 5}})},
		d{kv("type", "MultiPolygon"), kv("coordinates", a{a{ring}})},
		d{kv("type", "GeometryCollection"), kv("geometries", a{d{kv("type", "Point"), kv("coordinates", a{1, 1})},
			d{kv("type", "Polygon"), kv("coordinates", a{ring})}})},
	} {
		n := len(entriesOf(t, New(parseKey(t, "{a: '2dsphere'}"), Options{}), d{kv("a", v)}, 1))
		if n < 2 || n > 30 {
			t.Errorf("%v: %d cells", v, n)
		}
	}
}

func TestWildcardGolden(t *testing.T) {
	all := parseKey(t, "{'$**': 1}")
	undef := bson.Undefined{}
	checkKeys(t, all, d{kv("a", 1), kv("b", "hello"), kv("c", true)}, []any{"a", 1}, []any{"b", "hello"}, []any{"c", true})
	checkKeys(t, all, d{kv("a", d{kv("b", 1), kv("c", 2)})}, []any{"a.b", 1}, []any{"a.c", 2})
	checkKeys(t, all, d{kv("a", a{1, 2, 3})}, []any{"a", 1}, []any{"a", 2}, []any{"a", 3})
	checkKeys(t, all, d{})
	checkKeys(t, all, d{kv("a", nil)}, []any{"a", nil})
	checkKeys(t, all, d{kv("a", d{})}, []any{"a", d{}})
	checkKeys(t, all, d{kv("a", a{})}, []any{"a", undef})
	checkKeys(t, all, d{kv("a", a{d{kv("b", 1)}, d{kv("b", 2)}})}, []any{"a.b", 1}, []any{"a.b", 2})
	checkKeys(t, all, d{kv("_id", 1), kv("a", 2)}, []any{"a", 2})
	checkKeys(t, all, d{kv("a", a{a{1, 2}, a{3, 4}})}, []any{"a", a{1, 2}}, []any{"a", a{3, 4}})
	checkKeys(t, parseKey(t, "{'a.$**': 1}"), d{kv("a", d{kv("x", 1), kv("y", 2)}), kv("b", 3)}, []any{"a.x", 1}, []any{"a.y", 2})
	checkKeys(t, parseKey(t, "{'a.b.$**': 1}"), d{kv("a", d{kv("b", d{kv("x", 1)}), kv("c", 3)}), kv("d", 4)}, []any{"a.b.x", 1})
	proj := func(p d) Index { return spec(t, d{kv("$**", 1)}, kv("wildcardProjection", p)) }
	doc := d{kv("_id", 9), kv("a", 1), kv("b", 2), kv("c", 3)}
	checkKeys(t, proj(d{kv("a", 1), kv("b", 1)}), doc, []any{"a", 1}, []any{"b", 2})
	checkKeys(t, proj(d{kv("a", 0), kv("b", 0)}), doc, []any{"c", 3})
	checkKeys(t, proj(d{kv("_id", 1), kv("a", 1)}), doc, []any{"_id", 9}, []any{"a", 1})
	checkKeys(t, proj(d{kv("a.b", 1)}), d{kv("a", a{d{kv("b", 1), kv("c", 2)}, 7}), kv("x", 1)}, []any{"a.b", 1})
	// Compound: the fields beside the wildcard stand in every key; without any
	// wildcard field, minKey twice.
	both := spec(t, d{kv("t", 1), kv("$**", 1), kv("z", 1)}, kv("wildcardProjection", d{kv("t", 0), kv("z", 0)}))
	checkKeys(t, both, d{kv("t", 1), kv("x", 2), kv("z", 3)}, []any{1, "x", 2, 3})
	checkKeys(t, both, d{kv("t", 1)}, []any{1, bson.MinKey{}, bson.MinKey{}, nil})
	checkKeys(t, both, d{})
}

// TestWildcardNotes: one key {1, path} for each path that holds an array, under
// the reserved RecordId 2^63-1-2^20 = 7fffffffffefffff: n = 7, first 3 bits of
// 5 kept, then >> 5 = 03ffffffffff7fff, low 5 bits 1f.
func TestWildcardNotes(t *testing.T) {
	g := New(parseKey(t, "{'$**': 1}"), Options{})
	doc := d{kv("a", a{7})}
	note := "2b023c610004" + "e3" + "ffffffffff7fff" + "ff" + "|"
	leaf := "3c61002b0e04" + "0008" + "|"
	if got := entriesOf(t, g, doc, 1); !slices.Equal(got, []string{note, leaf}) {
		t.Errorf("got %v, want %v", got, []string{note, leaf})
	}
	if got := entriesOf(t, g, doc, 1); !slices.Equal(got, []string{leaf}) {
		t.Errorf("second document: got %v", got)
	}
}
