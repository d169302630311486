package keystring

import (
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// The expected bytes of this file were worked out by hand from the format; the
// comment beside each says how.

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := bson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parseKey(t testing.TB, s string) Index {
	t.Helper()
	ix, err := ParseKey(s)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// entriesOf gives the entries of a document as "key|value" in hex.
func entriesOf(t testing.TB, g *Generator, doc any, id int64) []string {
	t.Helper()
	var all []string
	err := g.Entries(marshal(t, doc), id, func(k, v []byte) {
		all = append(all, hex.EncodeToString(k)+"|"+hex.EncodeToString(v))
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func unspaced(s string) string { return strings.ReplaceAll(s, " ", "") }

func decimalOf(t testing.TB, s string) bson.Decimal128 {
	t.Helper()
	d, err := bson.ParseDecimal128(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var oid = bson.ObjectID{0x65, 0x53, 0xf1, 0, 1, 2, 3, 4, 5, 6, 7, 8}

const oidHex = "6553f1000102030405060708"

// TestComponents encodes {a: value} under {a: 1}, RecordId 1, so that each key
// ends in 04 (end) and 0008 (RecordId 1, see TestRecordID).
func TestComponents(t *testing.T) {
	type D = bson.D
	vectors := []struct {
		name  string
		value any
		key   string
		bits  string
	}{
		// One byte: the type alone.
		{"minKey", bson.MinKey{}, "0a", ""},
		{"maxKey", bson.MaxKey{}, "f0", ""},
		{"null", nil, "14", ""},
		{"undefined", bson.Undefined{}, "0f", ""},
		{"false", false, "6e", ""},
		{"true", true, "6f", ""},
		{"NaN", math.NaN(), "1e", "01"},                  // double: bits 1,0
		{"int zero", int32(0), "29", ""},                 // bits 0,0: nothing stored
		{"long zero", int64(0), "29", "02"},              // bits 0,1: second from the low end
		{"double zero", 0.0, "29", "01"},                 // bits 1,0
		{"minus zero", math.Copysign(0, -1), "29", "03"}, // bits 1,1,0,0,0

		// Integers: type 2b + (bytes-1), twice the magnitude; negative: type
		// 27 - (bytes-1), inverted.
		{"1", int32(1), "2b 02", ""},
		{"-1", int32(-1), "27 fd", ""},
		{"127", int32(127), "2b fe", ""},
		{"128", int32(128), "2c 0100", ""},
		{"-128", int32(-128), "26 feff", ""},
		{"32767", int32(32767), "2c fffe", ""},
		{"32768", int32(32768), "2d 010000", ""},
		{"8388607", int32(8388607), "2d fffffe", ""},
		{"8388608", int32(8388608), "2e 01000000", ""},
		{"2^31-1", int32(math.MaxInt32), "2e fffffffe", ""},
		{"-2^31", int32(math.MinInt32), "23 feffffffff", ""},
		{"long 1", int64(1), "2b 02", "02"},
		{"2^31", int64(1) << 31, "2f 0100000000", "02"},
		{"2^39", int64(1) << 39, "30 010000000000", "02"},
		{"2^47", int64(1) << 47, "31 01000000000000", "02"},
		{"2^55", int64(1) << 55, "32 0100000000000000", "02"},
		{"2^63-1", int64(math.MaxInt64), "32 fffffffffffffffe", "02"},
		{"-2^63+1", int64(math.MinInt64 + 1), "20 0000000000000001", "02"},
		// -2^63 is a large double: c3e0000000000000 << 1 without the top bit
		// is 07c0000000000000, inverted.
		{"-2^63", int64(math.MinInt64), "1f f83fffffffffffff", "02"},
		{"double 42", 42.0, "2b 54", "01"},
		{"double -42", -42.0, "27 ab", "01"},

		// Doubles with a fraction. 1.5: one byte for the whole part, so type
		// 2b and 7 bytes of fraction: 1.5 * 2^56 = 0180.., plus (1+1) << 56.
		{"1.5", 1.5, "2b 0380000000000000", "01"},
		{"-1.5", -1.5, "27 fc7fffffffffffff", "01"},
		// 300.25: whole part 2 bytes (258 << 1 needs 10 bits): type 2c, 6 bytes of
		// fraction: 300.25 * 2^48 = 012c4000.., plus 301 << 48 = 012d..
		{"300.25", 300.25, "2c 0259400000000000", "01"},
		// 0.5 is 3fe0000000000000, << 2.
		{"0.5", 0.5, "2a ff80000000000000", "01"},
		{"-0.5", -0.5, "28 007fffffffffffff", "01"},
		// 2^-256 scaled by 2^256 is 1.0, 3ff0.., << 1 = 7fe0.., + 4000..
		{"2^-256", 0x1p-256, "2a bfe0000000000000", "01"},
		// The smallest double, 2^-1074, scaled is 2^-818: exponent 1023-818 =
		// 205 = 0cd, bits 0cd0.., << 1 = 19a0.., + 4000..
		{"2^-1074", math.SmallestNonzeroFloat64, "2a 59a0000000000000", "01"},
		// 2^63 is 43e0.., << 1 without the top bit.
		{"2^63", 0x1p63, "33 07c0000000000000", "01"},
		{"+Inf", math.Inf(1), "33 ffffffffffffffff", "01"},
		{"-Inf", math.Inf(-1), "1f 0000000000000000", "01"},

		// Strings and their kin end in NUL; a NUL inside is 00 ff.
		{"string", "abc", "3c 616263 00", ""},
		{"empty string", "", "3c 00", ""},
		{"string with NUL", "a\x00b", "3c 61 00ff 62 00", ""},
		{"symbol", bson.Symbol("abc"), "3c 616263 00", "01"},
		{"code", bson.JavaScript("f()"), "a0 662829 00", ""},
		// Code, then the scope {x: 1} as the inside of an object.
		{"code with scope", bson.CodeWithScope{Code: "f", Scope: D{{Key: "x", Value: int32(1)}}},
			"aa 66 00 1e 78 00 2b 02 00", ""},

		{"ObjectId", oid, "64" + oidHex, ""},
		{"date 0", bson.DateTime(0), "78 8000000000000000", ""}, // top bit flipped
		{"date -1", bson.DateTime(-1), "78 7fffffffffffffff", ""},
		{"timestamp", bson.Timestamp{T: 1, I: 2}, "82 00000001 00000002", ""},
		{"binary", bson.Binary{Subtype: 4, Data: []byte{1, 2, 3}}, "5a 03 04 010203", ""},
		{"binary 254", bson.Binary{Data: make([]byte, 254)}, "5a fe 00" + strings.Repeat("00", 254), ""},
		{"binary 255", bson.Binary{Data: make([]byte, 255)}, "5a ff 000000ff 00" + strings.Repeat("00", 255), ""},
		{"regex", bson.Regex{Pattern: "^a", Options: "i"}, "8c 5e61 00 69 00", ""},
		{"DBRef", bson.DBPointer{DB: "a.b", Pointer: oid}, "96 00000003 612e62" + oidHex, ""},

		// Objects: per field generic type, name, NUL, value; then NUL.
		{"object", D{{Key: "x", Value: int32(1)}}, "46 1e 78 00 2b 02 00", ""},
		{"empty object", D{}, "46 00", ""},
		{"object in object", D{{Key: "x", Value: D{{Key: "y", Value: "z"}}}},
			"46 46 78 00 46 3c 79 00 3c 7a 00 00 00", ""},
		// Arrays as values: in an object, or in an array.
		{"array in object", D{{Key: "x", Value: bson.A{int32(1), "a"}}}, "46 50 78 00 50 2b 02 3c 61 00 00 00", ""},
		{"array in array", bson.A{bson.A{int32(1), "a"}}, "50 2b 02 3c 61 00 00", ""},
		{"empty array", bson.A{}, "0f", ""},
	}
	g := New(parseKey(t, "{a: 1}"), Options{})
	down := New(parseKey(t, "{a: -1}"), Options{})
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			key := unspaced(v.key)
			doc := D{{Key: "a", Value: v.value}}
			got := entriesOf(t, g, doc, 1)
			if len(got) != 1 || got[0] != key+"040008|"+v.bits {
				t.Errorf("got %v, want %s|%s", got, key+"040008", v.bits)
			}
			b, _ := hex.DecodeString(key)
			invert(b)
			got = entriesOf(t, down, doc, 1)
			if len(got) != 1 || got[0] != hex.EncodeToString(b)+"040008|"+v.bits {
				t.Errorf("descending: got %v, want %x", got, b)
			}
		})
	}
}

// TestDecimals: 2 type bits 1,1 and the 6 lowest bits of the biased exponent
// (6176 + exponent), highest first, filling the byte from its low end.
func TestDecimals(t *testing.T) {
	vectors := []struct{ value, key, bits string }{
		// Exponent 0: 6176 % 64 = 32, bits 100000: 1,1,1,0,0,0,0,0 = 07.
		{"1", "2b 02", "07"},
		{"-1", "27 fd", "07"},
		// Exponent -1: 31, bits 011111: 1,1,0,1,1,1,1,1 = fb, over 7f: a length
		// byte comes first. The value is the double 1.5.
		{"1.5", "2b 0380000000000000", "81 fb"},
		{"10E+1", "2b c8", "81 87"}, // exponent 1: 33, bits 100001: 1,1,1,0,0,0,0,1
		// The double 0.1 towards zero is 3fb9999999999999, << 2, marker 2 (equal
		// when rounded up to 15 digits).
		{"0.1", "2a fee6666666666666", "81 fb"},
		{"-0.1", "28 0119999999999999", "81 fb"},
		// 34 digits: marker 3, then what is missing. The double to 34 digits,
		// rounded up, is 0.09999999999999999167332731531132595; short by
		// 832667268468867415e-35. Exponent -34: 62, bits 111110.
		{"0.1000000000000000000000000000000001", "2a fee6666666666667 0b8e3a78112e8157", "7f"},
		// 2^53 + 1: no double, but a whole number.
		{"9007199254740993", "31 40000000000002", "07"},
		// 2^53 + 0.5: 7 bytes with the fraction mark, the marker, then 0.5 in
		// units of the 34th digit, 5e17.
		{"9007199254740992.5", "31 40000000000001 03 06f05b59d3b20000", "81 fb"},
		// 1e400: beyond doubles. Normalized: 1e33 * 10^367; biased exponent
		// 6543 = 198f; 198f << 49 = 331e.., with the top bit b31e..; 1e33 =
		// 314dc6448d93 38c15b0a00000000. Exponent 400: 48, bits 110000.
		{"1E+400", "33 b31e314dc6448d93 38c15b0a00000000", "0f"},
		{"Infinity", "33 ffffffffffffffff", "03"},
		{"-Infinity", "1f 0000000000000000", "03"},
		{"NaN", "1e", "03"},
		// Zero number 6176 = 1820: five bits 11010 + 1 = 11011, twelve bits 820:
		// 1,1,0,1,1,1,0,0 0,0,0,1,0,0,0,0 0 = 3b 08 00.
		{"0", "29", "83 3b 08 00"},
	}
	g := New(parseKey(t, "{a: 1}"), Options{})
	for _, v := range vectors {
		t.Run(v.value, func(t *testing.T) {
			want := unspaced(v.key) + "040008|" + unspaced(v.bits)
			got := entriesOf(t, g, bson.D{{Key: "a", Value: decimalOf(t, v.value)}}, 1)
			if len(got) != 1 || got[0] != want {
				t.Errorf("got %v, want %s", got, want)
			}
		})
	}
}

func TestMissingField(t *testing.T) {
	got := entriesOf(t, New(parseKey(t, "{a: 1}"), Options{}), bson.D{{Key: "b", Value: 1}}, 1)
	if len(got) != 1 || got[0] != "14040008|" {
		t.Errorf("got %v", got)
	}
}

// TestLongTypeBits: 64 doubles in one object are 128 bits: length byte and 16
// bytes; 512 are 1,024 bits: 0x80, four bytes of length and 128.
func TestLongTypeBits(t *testing.T) {
	for _, v := range []struct {
		n      int
		prefix string
		size   int
	}{{64, "90", 17}, {508, "ff", 128}, {512, "8080000000", 133}} {
		var o bson.D
		for range v.n {
			o = append(o, bson.E{Key: "x", Value: 1.0})
		}
		got := entriesOf(t, New(parseKey(t, "{a: 1}"), Options{}), bson.D{{Key: "a", Value: o}}, 1)
		_, bits, _ := strings.Cut(got[0], "|")
		if !strings.HasPrefix(bits, v.prefix+"5555") || len(bits) != 2*v.size {
			t.Errorf("%d doubles: %d bytes starting %.20s, want %d starting %s", v.n, len(bits)/2, bits, v.size, v.prefix)
		}
	}
}

func TestDateOfTime(t *testing.T) {
	// 2009-02-13T23:31:30Z is 1,234,567,890,000 ms = 011f71fb0450.
	got := entriesOf(t, New(parseKey(t, "{a: 1}"), Options{}), bson.D{{Key: "a", Value: time.Unix(1234567890, 0)}}, 1)
	if got[0] != "788000011f71fb0450040008|" {
		t.Errorf("got %v", got)
	}
}

// TestTaggedArrays: the tags of queryable encryption are binary values of 32 bytes
// in an array, 35 bytes of a key each.
func TestTaggedArrays(t *testing.T) {
	tag := func(b byte) bson.Binary { return bson.Binary{Data: []byte(strings.Repeat(string(rune(b)), 32))} }
	doc := bson.D{{Key: "__safeContent__", Value: bson.A{tag(1), tag(2)}}}
	got := entriesOf(t, New(parseKey(t, "{__safeContent__: 1}"), Options{}), doc, 1)
	want := []string{
		"5a2000" + strings.Repeat("01", 32) + "040008|",
		"5a2000" + strings.Repeat("02", 32) + "040008|",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestUUID: subtype 4, 16 bytes.
func TestUUID(t *testing.T) {
	doc := bson.D{{Key: "a", Value: bson.Binary{Subtype: 4, Data: make([]byte, 16)}}}
	got := entriesOf(t, New(parseKey(t, "{a: 1}"), Options{}), doc, 1)
	if want := "5a1004" + strings.Repeat("00", 16) + "040008|"; len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestShortTypeBits: one byte up to 7f is all there is, else the number of bytes
// comes first. A double is 1,0 from the low end.
func TestShortTypeBits(t *testing.T) {
	for _, v := range []struct {
		n    int
		want string
	}{{3, "15"}, {4, "55"}, {5, "825501"}} {
		var o bson.D
		for range v.n {
			o = append(o, bson.E{Key: "x", Value: 1.0})
		}
		got := entriesOf(t, New(parseKey(t, "{a: 1}"), Options{}), bson.D{{Key: "a", Value: o}}, 1)
		if _, bits, _ := strings.Cut(got[0], "|"); bits != v.want {
			t.Errorf("%d doubles: %s, want %s", v.n, bits, v.want)
		}
	}
}
