package keystring

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// TestNumberOrder puts decimals, doubles and integers next to each other where
// the forms change, and compares all pairs with exact arithmetic.
func TestNumberOrder(t *testing.T) {
	r := randomValues{rand.New(rand.NewPCG(3, 4))}
	var elems []elem
	add := func(v any) {
		e, err := lookup(marshal(t, d{kv("v", v)}), "v")
		if err != nil {
			t.Fatal(err)
		}
		elems = append(elems, e)
	}
	for _, f := range interesting {
		for _, g := range []float64{math.Nextafter(f, -1), f, math.Nextafter(f, math.Inf(1))} {
			add(g)
			for _, format := range []string{"%.14e", "%.15e", "%.16e", "%.33e"} {
				if v, err := bson.ParseDecimal128(fmt.Sprintf(format, g)); err == nil {
					add(v)
					add(nudge(v, 1))
					add(nudge(v, -1))
				}
			}
		}
		if math.Abs(f) < 0x1p63 {
			add(int64(f))
			add(int64(f) + 1)
		}
	}
	for _, s := range []string{"1E-6176", "9E-6176", "1E-400", "3E-324", "4.9E-324", "5E-324", "2.2250738585072014E-308",
		"2.2250738585072013E-308", "1.7976931348623158E308", "1E6144", "9.999999999999999999999999999999999E6144"} {
		add(decimalOf(t, s))
		add(decimalOf(t, "-"+s))
	}
	for range 200 {
		add(r.decimal())
		add(r.float())
	}
	keys, values := make([][]byte, len(elems)), make([]exactNumber, len(elems))
	for i, e := range elems {
		values[i].r, values[i].special = exact(e)
		k, err := encode(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		if len(k) > 17 {
			t.Errorf("%x takes %d bytes", e.val, len(k))
		}
		keys[i] = k
	}
	for i := range elems {
		for j := i; j < len(elems); j++ {
			if got, want := bytes.Compare(keys[i], keys[j]), values[i].compare(values[j]); got != want {
				t.Fatalf("type %x %x and type %x %x compare %d, keys %x and %x %d",
					elems[i].typ, elems[i].val, elems[j].typ, elems[j].val, want, keys[i], keys[j], got)
			}
		}
	}
}

// nudge changes the last digit of a decimal.
func nudge(v bson.Decimal128, by int64) bson.Decimal128 {
	hi, lo := v.GetBytes()
	if hi>>58&0x1F >= 0x1E || uint64(int64(lo)+by) > lo != (by > 0) {
		return v
	}
	return bson.NewDecimal128(hi, uint64(int64(lo)+by))
}

// TestTruncate compares the short way of turning a decimal into a double with
// the long one.
func TestTruncate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		dec := decimal{exp: decimalBias - r.IntN(23), lo: r.Uint64N(1<<53) >> r.IntN(53)}
		if dec.lo == 0 {
			continue
		}
		f, exactly := dec.truncate()
		g, exactlyToo := truncateRat(dec.rat())
		if f != g || exactly != exactlyToo {
			t.Fatalf("%dE%d: %v %v, want %v %v", dec.lo, dec.exp-decimalBias, f, exactly, g, exactlyToo)
		}
	}
}

func TestReadDecimal(t *testing.T) {
	for _, s := range []string{"0", "-0", "1", "-1.25", "1E6111", "9.999999999999999999999999999999999E-6143", "NaN", "Infinity"} {
		v := decimalOf(t, s)
		hi, lo := v.GetBytes()
		raw := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, lo), hi)
		dec := readDecimal(raw)
		want, exp, err := v.BigInt()
		switch {
		case s == "NaN":
			if !dec.nan {
				t.Errorf("%s: %+v", s, dec)
			}
		case s == "Infinity":
			if !dec.inf {
				t.Errorf("%s: %+v", s, dec)
			}
		case err != nil:
			t.Fatal(err)
		case dec.coefficient().CmpAbs(want) != 0 || dec.exp-decimalBias != exp:
			t.Errorf("%s: %vE%d, want %vE%d", s, dec.coefficient(), dec.exp-decimalBias, want, exp)
		}
	}
	// A coefficient of 10^34 is one too many and counts as zero.
	over := []byte{0, 0, 0, 0, 0x64, 0x8e, 0x8d, 0x37, 0xc0, 0x87, 0xad, 0xbe, 0x09, 0xed, 0x41, 0x30}
	if dec := readDecimal(over); dec.hi != 0 || dec.lo != 0 {
		t.Errorf("10^34: %+v", dec)
	}
}
