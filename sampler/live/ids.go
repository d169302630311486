package live

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// key is one value of the field a collection is read by: _id, or the oplog's ts.
type key struct {
	t    bson.Type
	data []byte
}

func keyOf(v bson.RawValue) key { return key{v.Type, slices.Clone(v.Value)} }

func (k key) value() bson.RawValue { return bson.RawValue{Type: k.t, Value: k.data} }

// bracket groups the types that the server's comparisons with $gte do not leave.
// MongoDB: src/mongo/bson/bsontypes.h, canonicalizeBSONType. 0: not handled here.
func (k key) bracket() int {
	switch k.t {
	case bson.TypeInt32, bson.TypeInt64, bson.TypeDouble:
		return 10
	case bson.TypeString, bson.TypeSymbol:
		return 15
	case bson.TypeBinary:
		return 30
	case bson.TypeObjectID:
		return 35
	case bson.TypeDateTime:
		return 45
	case bson.TypeTimestamp:
		return 47
	}
	return 0
}

// compare orders two keys of one bracket as the server does with the simple
// collation.
func compare(a, b key) int {
	if x, y := a.bracket(), b.bracket(); x != y {
		return cmp.Compare(x, y)
	}
	switch a.bracket() {
	case 10:
		return compareNumbers(a.value(), b.value())
	case 45:
		return cmp.Compare(int64(order(a.data)), int64(order(b.data)))
	case 47:
		return cmp.Compare(order(a.data), order(b.data))
	case 30: // length, subtype, bytes: the length leads, little-endian
		if c := cmp.Compare(uint32(order(a.data)), uint32(order(b.data))); c != 0 {
			return c
		}
		return bytes.Compare(tail(a.data, 4), tail(b.data, 4))
	case 15:
		return bytes.Compare(tail(a.data, 4), tail(b.data, 4))
	}
	return bytes.Compare(a.data, b.data)
}

func compareNumbers(a, b bson.RawValue) int {
	x, okx := exact(a)
	y, oky := exact(b)
	if okx && oky {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(float(a), float(b))
}

func exact(v bson.RawValue) (int64, bool) {
	if v.Type == bson.TypeDouble {
		return 0, false
	}
	return number(v)
}

func float(v bson.RawValue) float64 {
	if f, ok := v.DoubleOK(); ok {
		return f
	}
	i, _ := number(v)
	return float64(i)
}

// order reads up to eight bytes, little-endian.
func order(b []byte) uint64 {
	var buf [8]byte
	copy(buf[:], b)
	return binary.LittleEndian.Uint64(buf[:])
}

func tail(b []byte, from int) []byte { return b[min(from, len(b)):] }

// sameBracket: a range on one of the keys can reach the others.
func sameBracket(keys []key) bool {
	for _, k := range keys {
		if k.bracket() == 0 || k.bracket() != keys[0].bracket() {
			return false
		}
	}
	return len(keys) > 0
}

// growing is the rank correlation (Spearman's) of keys with their order in the
// slice: 1 where every key is above the one before. 0 for fewer than two keys
// or keys that cannot be compared. Keys must differ, as _id does.
func growing(keys []key) float64 {
	n := len(keys)
	if n < 2 || !sameBracket(keys) {
		return 0
	}
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return compare(keys[i], keys[j]) })
	sum := 0.0
	for rank, i := range at {
		d := float64(rank - i)
		sum += d * d
	}
	return 1 - 6*sum/(float64(n)*(float64(n)*float64(n)-1))
}

// between gives the key a share of the way from lo to hi, for the kinds of key
// that grow with time or with a count. ok is false for others.
func between(lo, hi key, share float64) (key, bool) {
	if lo.bracket() != hi.bracket() {
		return key{}, false
	}
	mix := func(a, b float64) float64 { return a + (b-a)*share }
	switch lo.bracket() {
	case 35:
		if len(lo.data) != 12 || len(hi.data) != 12 {
			return key{}, false
		}
		a, b := binary.BigEndian.Uint32(lo.data), binary.BigEndian.Uint32(hi.data)
		id := bson.NewObjectIDFromTimestamp(time.Unix(int64(mix(float64(a), float64(b))), 0))
		clear(id[4:])
		return key{bson.TypeObjectID, id[:]}, true
	case 45: // signed milliseconds
		v := int64(mix(float64(int64(order(lo.data))), float64(int64(order(hi.data)))))
		return key{lo.t, binary.LittleEndian.AppendUint64(nil, uint64(v))}, true
	case 47:
		v := uint64(mix(float64(order(lo.data)), float64(order(hi.data))))
		return key{lo.t, binary.LittleEndian.AppendUint64(nil, v)}, true
	case 10:
		f := mix(float(lo.value()), float(hi.value()))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return key{}, false
		}
		return key{bson.TypeDouble, binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))}, true
	}
	return key{}, false
}
