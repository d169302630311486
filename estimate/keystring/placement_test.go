package keystring

import (
	"encoding/hex"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// TestRecordID: (n << 5 | top 5 bits), n bytes, (low 5 bits << 3 | n).
func TestRecordID(t *testing.T) {
	for _, v := range []struct {
		id   int64
		want string
	}{
		{0, "0000"},
		{1, "0008"},                   // 1 << 3
		{1023, "1ff8"},                // 31, 31 << 3
		{1024, "20 20 01"},            // n=1; 1024 >> 5 = 32; 0 << 3 | 1
		{262143, "3f ff f9"},          // all ones
		{262144, "40 2000 02"},        // n=2; 262144 >> 5 = 8192
		{1<<26 - 1, "5f ffff fa"},     //
		{1 << 26, "60 200000 03"},     // n=3; 2^21
		{1<<34 - 1, "7f ffffff fb"},   //
		{1 << 34, "80 20000000 04"},   // n=4; 2^29
		{1<<42 - 1, "9f ffffffff fc"}, //
		{1 << 42, "a0 2000000000 05"},
		{1 << 50, "c0 200000000000 06"},
		{1 << 58, "e0 20000000000000 07"},
		// The largest: 2^63-1 >> 61 = 3.
		{1<<63 - 1, "e3 ffffffffffffff ff"},
		{-5, "0000"}, // never stored
	} {
		if got := hex.EncodeToString(AppendRecordID(nil, v.id)); got != unspaced(v.want) {
			t.Errorf("RecordId %d: got %s, want %s", v.id, got, v.want)
		}
	}
}

// TestRecordIDBytes: the bytes, then their number; 7 bits a byte, low first.
func TestRecordIDBytes(t *testing.T) {
	for _, v := range []struct {
		n    int
		want string
	}{{1, "01"}, {127, "7f"}, {128, "0081"}, {300, "2c82"}, {16384, "008081"}} {
		got := appendRecordIDBytes(nil, make([]byte, v.n))
		if suffix := hex.EncodeToString(got[v.n:]); suffix != v.want {
			t.Errorf("%d bytes: length %s, want %s", v.n, suffix, v.want)
		}
	}
}

// TestPlacement: what goes into the WiredTiger key and what into the value.
func TestPlacement(t *testing.T) {
	unique, err := Parse(marshal(t, bson.D{{Key: "v", Value: 2}, {Key: "key", Value: bson.D{{Key: "a", Value: 1}}},
		{Key: "name", Value: "a_1"}, {Key: "unique", Value: true}}))
	if err != nil {
		t.Fatal(err)
	}
	id, plain := parseKey(t, "{_id: 1}"), parseKey(t, "{a: 1}")
	doc := bson.D{{Key: "_id", Value: int64(5)}, {Key: "a", Value: "x"}}
	// _id 5 as long: 2b 0a, type bits 02. "x": 3c 78 00. RecordId 1: 00 08.
	// Clustered: RecordId is 2b 0a and its length 02.
	for _, v := range []struct {
		name string
		ix   Index
		opts Options
		want string
	}{
		{"_id", id, Options{}, "2b0a 04 | 0008 02"},
		{"plain", plain, Options{}, "3c7800 04 0008 |"},
		{"unique", unique, Options{}, "3c7800 04 0008 |"},
		{"unique before 4.2", unique, Options{UniqueBefore42: true}, "3c7800 04 | 0008"},
		{"plain, option for unique", plain, Options{UniqueBefore42: true}, "3c7800 04 0008 |"},
		{"clustered collection", plain, Options{Clustered: true}, "3c7800 04 2b0a 02 |"},
	} {
		got := entriesOf(t, New(v.ix, v.opts), doc, 1)
		if len(got) != 1 || got[0] != unspaced(v.want) {
			t.Errorf("%s: got %v, want %s", v.name, got, v.want)
		}
	}
}

func TestClusteredIndexHasNoFile(t *testing.T) {
	ix, err := Parse(marshal(t, bson.D{{Key: "v", Value: 2}, {Key: "key", Value: bson.D{{Key: "_id", Value: 1}}},
		{Key: "name", Value: "_id_"}, {Key: "clustered", Value: true}, {Key: "unique", Value: true}}))
	if err != nil {
		t.Fatal(err)
	}
	g := New(ix, Options{Clustered: true})
	if g.HasFile() || ix.Kind != Clustered {
		t.Errorf("kind %s, file %v", ix.Kind, g.HasFile())
	}
	if got := entriesOf(t, g, bson.D{{Key: "_id", Value: 1}}, 1); len(got) != 0 {
		t.Errorf("entries %v", got)
	}
}

// TestCompound: components follow each other, each inverted on its own.
func TestCompound(t *testing.T) {
	g := New(parseKey(t, "{a: 1, b: -1, c: 1}"), Options{})
	// 1, then 2 (2b 04) inverted, then "z".
	got := entriesOf(t, g, bson.D{{Key: "a", Value: int32(1)}, {Key: "b", Value: int32(2)}, {Key: "c", Value: "z"}}, 1)
	if want := "2b02 d4fb 3c7a00 04 0008 |"; len(got) != 1 || got[0] != unspaced(want) {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestVersion1 is KeyString version 0: fractions are written differently.
func TestVersion1(t *testing.T) {
	ix, err := Parse(marshal(t, bson.D{{Key: "v", Value: 1.0}, {Key: "key", Value: bson.D{{Key: "a", Value: 1.0}}},
		{Key: "name", Value: "a_1"}, {Key: "ns", Value: "d.c"}}))
	if err != nil {
		t.Fatal(err)
	}
	g := New(ix, Options{})
	for _, v := range []struct {
		value any
		want  string
	}{
		// 1.5: whole part with the mark, 1<<1|1; the mantissa 8000000000000 has
		// 52 bits of fraction: 7 bytes.
		{1.5, "2b 03 08000000000000 040008|01"},
		{-1.5, "27 fc f7ffffffffffff 040008|01"},
		{0.5, "2a 3fe0000000000000 040008|01"},  // the bits as they are
		{-0.5, "28 401fffffffffffff 040008|01"}, // bfe0.. with its sign, inverted
		{0x1p63, "33 43e0000000000000 040008|01"},
		{int32(7), "2b 0e 040008|"},
	} {
		got := entriesOf(t, g, bson.D{{Key: "a", Value: v.value}}, 1)
		if len(got) != 1 || got[0] != unspaced(v.want) {
			t.Errorf("%v: got %v, want %s", v.value, got, v.want)
		}
	}
	entriesOf(t, g, bson.D{{Key: "a", Value: decimalOf(t, "1.5")}}, 1)
	if n := g.Skipped()[string(errDecimalV0)]; n != 1 {
		t.Errorf("a decimal in version 1: skipped %d times", n)
	}
}

// TestCollationModel checks order and the length model; the bytes are not ICU's.
func TestCollationModel(t *testing.T) {
	ix, err := Parse(marshal(t, bson.D{{Key: "v", Value: 2}, {Key: "key", Value: bson.D{{Key: "a", Value: 1}}},
		{Key: "name", Value: "a_1"}, {Key: "collation", Value: bson.D{{Key: "locale", Value: "en"}, {Key: "strength", Value: 3}}}}))
	if err != nil {
		t.Fatal(err)
	}
	g := New(ix, Options{})
	if !g.Approximate() {
		t.Error("a collated index is not marked approximate")
	}
	var last string
	for _, s := range []string{"", "apple", "Apple", "äpple", "applf", "banana"} {
		key := entriesOf(t, g, bson.D{{Key: "a", Value: s}}, 1)[0]
		if key <= last {
			t.Errorf("%q does not sort after the one before", s)
		}
		last = key
	}
	// 5 primaries, two levels of 2 bytes, NUL, type, end, RecordId 2.
	if key := entriesOf(t, g, bson.D{{Key: "a", Value: "apple"}}, 1)[0]; len(key) != 2*(1+5+4+1+1+2)+1 {
		t.Errorf("apple: %s", key)
	}
	entriesOf(t, g, bson.D{{Key: "a", Value: bson.Symbol("x")}}, 1)
	if g.Skipped()[string(errSymbolCollated)] != 1 {
		t.Error("a symbol was not refused")
	}
	if !strings.Contains(string(errSymbolCollated), "collation") {
		t.Error("the reason does not say why")
	}
}
