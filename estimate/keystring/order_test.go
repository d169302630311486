package keystring

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// compareElems orders values as BSON does, without any key: the oracle of the
// order test. MongoDB: src/mongo/bson/bsonelement.cpp, compareElements.
func compareElems(x, y elem) int {
	if c := cmp.Compare(canonicalType(x.typ), canonicalType(y.typ)); c != 0 {
		return c
	}
	switch canonicalType(x.typ) {
	case 10:
		return compareNumbers(x, y)
	case 15, 60:
		return bytes.Compare(x.text(), y.text())
	case 20:
		return compareFields(x.val, y.val, true)
	case 25:
		return compareFields(x.val, y.val, false)
	case 30:
		if c := cmp.Compare(len(x.val), len(y.val)); c != 0 {
			return c
		}
		return bytes.Compare(x.val[4:], y.val[4:])
	case 35, 40, 50:
		return bytes.Compare(x.val, y.val)
	case 45:
		return cmp.Compare(int64(binary.LittleEndian.Uint64(x.val)), int64(binary.LittleEndian.Uint64(y.val)))
	case 47:
		return cmp.Compare(binary.LittleEndian.Uint64(x.val), binary.LittleEndian.Uint64(y.val))
	case 55:
		if c := cmp.Compare(len(x.val), len(y.val)); c != 0 {
			return c
		}
		return bytes.Compare(x.val[4:], y.val[4:])
	case 65:
		nx, ny := 4+int(binary.LittleEndian.Uint32(x.val[4:])), 4+int(binary.LittleEndian.Uint32(y.val[4:]))
		if c := bytes.Compare(x.val[8:4+nx], y.val[8:4+ny]); c != 0 {
			return c
		}
		return compareFields(x.val[4+nx:], y.val[4+ny:], true)
	}
	return 0
}

func compareFields(x, y []byte, names bool) int {
	rx, ry := newReader(x), newReader(y)
	for {
		nx, ex, okx, _ := rx.next()
		ny, ey, oky, _ := ry.next()
		if !okx || !oky {
			return cmp.Compare(b2i(okx), b2i(oky))
		}
		if c := cmp.Compare(canonicalType(ex.typ), canonicalType(ey.typ)); c != 0 {
			return c
		}
		if c := bytes.Compare(nx, ny); names && c != 0 {
			return c
		}
		if c := compareElems(ex, ey); c != 0 {
			return c
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func compareNumbers(x, y elem) int {
	var a, b exactNumber
	a.r, a.special = exact(x)
	b.r, b.special = exact(y)
	return a.compare(b)
}

type exactNumber struct {
	r       *big.Rat
	special int
}

// compare: NaN first and equal to itself, then by exact value.
func (x exactNumber) compare(y exactNumber) int {
	if x.special != 0 || y.special != 0 {
		return cmp.Compare(x.special, y.special)
	}
	return x.r.Cmp(y.r)
}

// exact is the value; special is -2 for NaN, -1 and 1 for infinities.
func exact(e elem) (r *big.Rat, special int) {
	if e.typ == tDecimal {
		dec := readDecimal(e.val)
		switch {
		case dec.nan:
			return nil, -2
		case dec.inf && dec.neg:
			return nil, -1
		case dec.inf:
			return nil, 1
		}
		r = dec.rat()
		if dec.neg {
			r.Neg(r)
		}
		return r, 0
	}
	if e.typ == tInt64 {
		return new(big.Rat).SetInt64(int64(binary.LittleEndian.Uint64(e.val))), 0
	}
	f, _ := number(e)
	switch {
	case f != f:
		return nil, -2
	case math.IsInf(f, 0):
		return nil, int(math.Copysign(1, f))
	}
	return new(big.Rat).SetFloat64(f), 0
}

type randomValues struct{ *rand.Rand }

var interesting = []float64{0, 1, -1, 0.5, 1.5, 127, 128, 255.5, 256, 32767, 1 << 31, 1 << 53, 1<<53 + 2,
	1 << 55, 1 << 62, 0x1p63, -0x1p63, 0x1p64, 0x1p-255, 0x1p-256, math.MaxFloat64, math.SmallestNonzeroFloat64,
	0x1p-1022, math.Inf(1), math.Inf(-1), math.NaN(), 0.1, 1e15, 1e16, 123456789.125}

func (r randomValues) float() float64 {
	f := interesting[r.IntN(len(interesting))]
	switch r.IntN(5) {
	case 0:
		f = -f
	case 1:
		f = math.Nextafter(f, math.Inf(1-2*r.IntN(2)))
	case 2:
		f = math.Float64frombits(r.Uint64())
	}
	return f
}

func (r randomValues) decimal() bson.Decimal128 {
	var s string
	switch r.IntN(4) {
	case 0:
		s = fmt.Sprintf("%.*g", 1+r.IntN(17), r.float())
	case 1:
		s = fmt.Sprintf("%s%d%016d%015dE%d", []string{"", "-"}[r.IntN(2)], r.IntN(9)+1, r.Int64N(1e16), r.Int64N(1e15), r.IntN(80)-60)
	case 2:
		s = fmt.Sprintf("%dE%d", r.Int64N(1e15)-5e14, r.IntN(800)-400)
	default:
		s = fmt.Sprintf("%d.%0*d", r.Int64N(2e4)-1e4, 1+r.IntN(20), r.IntN(100))
	}
	v, err := bson.ParseDecimal128(s)
	if err != nil { // NaN and Inf are spelled otherwise, or out of range
		v, _ = bson.ParseDecimal128("NaN")
	}
	return v
}

func (r randomValues) text() string {
	b := make([]byte, r.IntN(4))
	for i := range b {
		b[i] = "\x00\x01ab\xff"[r.IntN(5)]
	}
	return string(b)
}

func (r randomValues) name() string { return string("ab\x01\xff"[r.IntN(4)]) }

func (r randomValues) value(depth int) any {
	kinds := 20
	if depth == 0 {
		kinds = 17
	}
	switch r.IntN(kinds) {
	case 0:
		return r.float()
	case 1:
		return int32(r.Uint32()) >> r.IntN(32)
	case 2:
		return int64(r.Uint64()) >> r.IntN(64)
	case 3:
		return r.decimal()
	case 4:
		return r.text()
	case 5:
		return bson.Symbol(r.text())
	case 6:
		return r.IntN(2) == 0
	case 7:
		return bson.DateTime(int64(r.Uint64()) >> r.IntN(64))
	case 8:
		return bson.Timestamp{T: uint32(r.IntN(3)), I: r.Uint32()}
	case 9:
		return bson.Binary{Subtype: byte(r.IntN(2)), Data: bytes.Repeat([]byte{byte(r.IntN(3))}, []int{0, 1, 2, 254, 255, 256}[r.IntN(6)])}
	case 10:
		return bson.ObjectID{byte(r.IntN(3)), byte(r.Uint32())}
	case 11:
		return []any{nil, bson.Undefined{}, bson.MinKey{}, bson.MaxKey{}}[r.IntN(4)]
	case 12:
		return bson.Regex{Pattern: r.name(), Options: []string{"", "i", "m"}[r.IntN(3)]}
	case 13:
		return bson.JavaScript(r.text())
	case 14:
		return bson.DBPointer{DB: r.name(), Pointer: bson.ObjectID{byte(r.IntN(3))}}
	case 15:
		return float64(r.IntN(1000)) / 8
	case 16:
		return int64(1)<<r.IntN(63) + int64(r.IntN(3)) - 1
	case 17:
		return bson.CodeWithScope{Code: bson.JavaScript(r.text()), Scope: r.object(depth - 1)}
	case 18:
		return r.object(depth - 1)
	}
	v := make(bson.A, r.IntN(3))
	for i := range v {
		v[i] = r.value(depth - 1)
	}
	return v
}

func (r randomValues) object(depth int) bson.D {
	v := make(bson.D, r.IntN(3))
	for i := range v {
		v[i] = bson.E{Key: r.name(), Value: r.value(depth)}
	}
	return v
}

// TestOrder: memcmp of keys is the order of BSON values, one component or two,
// up or down.
func TestOrder(t *testing.T) {
	r := randomValues{rand.New(rand.NewPCG(1, 2))}
	n := 500
	if testing.Short() {
		n = 200
	}
	elems := make([]elem, n)
	keys := make([][]byte, n)
	for i := range elems {
		e, err := lookup(marshal(t, d{kv("v", r.value(2))}), "v")
		if err != nil {
			t.Fatal(err)
		}
		elems[i] = e
		if keys[i], err = encode(nil, e); err != nil {
			t.Fatal(err)
		}
	}
	for i := range elems {
		for j := i; j < n; j++ {
			want := compareElems(elems[i], elems[j])
			if got := bytes.Compare(keys[i], keys[j]); got != want {
				t.Fatalf("type %x %x and type %x %x compare %d, keys %x and %x %d",
					elems[i].typ, elems[i].val, elems[j].typ, elems[j].val, want, keys[i], keys[j], got)
			}
		}
	}
	compound := func(i, j int) []byte {
		var b builder
		if b.component(elems[i], true) != nil || b.component(elems[j], false) != nil {
			t.Fatal("cannot encode")
		}
		b.end()
		return b.buf
	}
	for range 100 * n {
		i, j, k, l := r.IntN(n), r.IntN(n), r.IntN(n), r.IntN(n)
		if r.IntN(2) == 0 {
			k = i
		}
		want := compareElems(elems[k], elems[i])
		if want == 0 {
			want = compareElems(elems[j], elems[l])
		}
		if got := bytes.Compare(compound(i, j), compound(k, l)); got != want {
			t.Fatalf("(%x, %x) and (%x, %x) compare %d, keys %d", elems[i].val, elems[j].val, elems[k].val, elems[l].val, want, got)
		}
	}
}
