package live

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func keyFor(t testing.TB, v any) key {
	t.Helper()
	b, err := bson.Marshal(bson.D{{Key: "k", Value: v}})
	if err != nil {
		t.Fatal(err)
	}
	return keyOf(bson.Raw(b).Lookup("k"))
}

// ascendingValues are in the order of the server's comparison, bracket by
// bracket. src/mongo/bson/bsonelement.cpp, compareElements.
var ascendingValues = [][]any{
	{math.Inf(-1), int64(math.MinInt64), int32(-5), -1.5, int32(0), 0.5, int64(1), int64(1 << 60), 1e30, math.Inf(1)},
	{"", "a", "a\x00", "aa", "b", "é"},
	{bson.Binary{Data: []byte{9}}, bson.Binary{Subtype: 4, Data: []byte{1}}, bson.Binary{Data: []byte{0, 0}}, bson.Binary{Data: []byte{0, 1}}},
	{bson.ObjectID{}, bson.ObjectID{11: 1}, bson.ObjectID{0: 1}},
	{bson.NewDateTimeFromTime(time.Unix(-5, 0)), bson.DateTime(0), bson.NewDateTimeFromTime(time.Unix(1e9, 0))},
	{bson.Timestamp{T: 1, I: 9}, bson.Timestamp{T: 2, I: 1}, bson.Timestamp{T: 2, I: 2}, bson.Timestamp{T: math.MaxUint32}},
}

func TestCompare(t *testing.T) {
	for _, values := range ascendingValues {
		var keys []key
		for _, v := range values {
			keys = append(keys, keyFor(t, v))
		}
		if !sameBracket(keys) {
			t.Errorf("%v are in several brackets", values)
		}
		for i, a := range keys {
			for j, b := range keys {
				if got := compare(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
					t.Errorf("%v and %v: %d", values[i], values[j], got)
				}
			}
		}
		if len(keys) > 2 && growing(keys) != 1 {
			t.Errorf("%v: correlation %v", values, growing(keys))
		}
	}
	if sameBracket([]key{keyFor(t, "a"), keyFor(t, 1)}) || sameBracket([]key{keyFor(t, bson.D{})}) || sameBracket(nil) {
		t.Error("a range cannot reach these")
	}
}

func TestGrowing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	made := func(n int, at func(i int) int64) []key {
		keys := make([]key, n)
		for i := range keys {
			keys[i] = keyFor(t, at(i))
		}
		return keys
	}
	for _, tc := range []struct {
		name      string
		keys      []key
		low, high float64
	}{
		{"none", nil, 0, 0},
		{"one", made(1, func(i int) int64 { return 1 }), 0, 0},
		{"in order", made(200, func(i int) int64 { return int64(i) }), 1, 1},
		{"reversed", made(200, func(i int) int64 { return int64(-i) }), -1, -1},
		// Two writers, each up to five documents late.
		{"nearly in order", made(200, func(i int) int64 { return int64(i*100 + rng.IntN(500)) }), growthCorrelation, 0.99999},
		// The standard error of the correlation of 200 random ranks is 0.07: six
		// of them.
		{"random", made(200, func(i int) int64 { return rng.Int64() }), -0.42, 0.42},
		// Half in order: far from enough.
		{"half", made(200, func(i int) int64 {
			if i%2 == 0 {
				return rng.Int64N(200)
			}
			return int64(i)
		}), 0.1, growthCorrelation - 0.05},
	} {
		if got := growing(tc.keys); got < tc.low || got > tc.high {
			t.Errorf("%s: %v, want %v to %v", tc.name, got, tc.low, tc.high)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, values := range ascendingValues {
		lo, hi := keyFor(t, values[0]), keyFor(t, values[len(values)-1])
		for _, share := range []float64{0, 0.25, 0.5, 0.999} {
			k, ok := between(lo, hi, share)
			if !ok {
				continue
			}
			if compare(k, hi) > 0 || compare(k, lo) < 0 && lo.t != bson.TypeObjectID {
				t.Errorf("%v of the way from %v to %v: %v", share, values[0], values[len(values)-1], k.value())
			}
		}
	}
	at := func(sec int64) key { return keyFor(t, bson.NewObjectIDFromTimestamp(time.Unix(sec, 0))) }
	k, ok := between(at(1000), at(2000), 0.5)
	if !ok || !bytes.Equal(k.data, []byte{0, 0, 5, 220, 0, 0, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("half way: % x", k.data)
	}
	for _, pair := range [][2]any{{"a", "b"}, {1, "b"}, {bson.D{}, bson.D{}}, {math.Inf(-1), math.Inf(1)}} {
		if _, ok := between(keyFor(t, pair[0]), keyFor(t, pair[1]), 0.5); ok {
			t.Errorf("something between %v and %v", pair[0], pair[1])
		}
	}
}

// FuzzStrip: what stripRecordID makes of any document with a $recordId appended
// is the document; of any other bytes it makes nothing worse.
func FuzzStrip(f *testing.F) {
	for _, d := range []bson.D{{}, {{Key: "a", Value: 1}}, {{Key: "$recordId", Value: int64(7)}}, {{Key: "$recordId", Value: int64(7)}, {Key: "b", Value: 1}}} {
		f.Add([]byte(marshal(d)), int64(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, id int64) {
		kept := bytes.Clone(b)
		stripRecordID(bytes.Clone(b)) // any bytes: no panic
		if bson.Raw(b).Validate() != nil || len(b) != int(order(b[:4])) {
			return
		}
		if _, err := bson.Raw(b).LookupErr(recordIDField); err == nil {
			return // a user's field of that name, which the server overwrites
		}
		tail := marshal(bson.D{{Key: recordIDField, Value: id}})
		with := append(bytes.Clone(b[:len(b)-1]), tail[4:]...)
		n := len(with)
		with[0], with[1], with[2], with[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
		if peekRecordID(with) != id {
			t.Fatalf("% x: RecordId %d, want %d", b, peekRecordID(with), id)
		}
		got, gotID := stripRecordID(with)
		if !bytes.Equal(got, kept) || gotID != id {
			t.Fatalf("% x: got % x, RecordId %d", kept, got, gotID)
		}
	})
}

// FuzzKeys: comparing, ranking and interpolating odd values does not panic.
func FuzzKeys(f *testing.F) {
	f.Add(byte(bson.TypeObjectID), []byte{1}, []byte{2, 3}, 0.5)
	f.Add(byte(bson.TypeDouble), []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, make([]byte, 8), 0.5)
	f.Add(byte(bson.TypeBinary), []byte{}, []byte{5, 0, 0, 0, 0}, 1.0)
	f.Fuzz(func(t *testing.T, kind byte, a, b []byte, share float64) {
		x, y := key{bson.Type(kind), a}, key{bson.Type(kind), b}
		if compare(x, x) != 0 { // NaN, too, is equal to itself here
			t.Errorf("% x differs from itself", a)
		}
		if compare(x, y) != -compare(y, x) {
			t.Errorf("% x and % x", a, b)
		}
		growing([]key{x, y})
		between(x, y, share)
	})
}
