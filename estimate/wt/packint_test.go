package wt

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Packed forms on both sides of every step of the ladder that WiredTiger's
// src/include/intpack_inline.h draws. They were computed with the engine's own
// second implementation, lang/python/wiredtiger/intpacking.py (pack_int).
var packed = []struct {
	x    uint64
	want string
}{
	{0, "80"}, {1, "81"}, {63, "bf"},
	{64, "c000"}, {65, "c001"}, {319, "c0ff"}, {320, "c100"}, {8254, "dffe"}, {8255, "dfff"},
	{8256, "e100"}, // the one value with a byte that says nothing
	{8257, "e101"}, {8256 + 1<<8 - 1, "e1ff"},
	{8256 + 1<<8, "e20100"}, {8256 + 1<<16 - 1, "e2ffff"},
	{8256 + 1<<16, "e3010000"}, {8256 + 1<<24 - 1, "e3ffffff"},
	{8256 + 1<<24, "e401000000"}, {8256 + 1<<32 - 1, "e4ffffffff"},
	{8256 + 1<<32, "e50100000000"}, {8256 + 1<<40 - 1, "e5ffffffffff"},
	{8256 + 1<<40, "e6010000000000"}, {8256 + 1<<48 - 1, "e6ffffffffffff"},
	{8256 + 1<<48, "e701000000000000"}, {8256 + 1<<56 - 1, "e7ffffffffffffff"},
	{8256 + 1<<56, "e80100000000000000"},
	{math.MaxInt64, "e87fffffffffffdfbf"}, {1 << 63, "e87fffffffffffdfc0"},
	{math.MaxUint64 - 1, "e8ffffffffffffdfbe"}, {math.MaxUint64, "e8ffffffffffffdfbf"},
}

func TestVpack(t *testing.T) {
	for _, tt := range packed {
		got := AppendVpack([]byte("before"), tt.x)[len("before"):]
		if hex.EncodeToString(got) != tt.want {
			t.Errorf("AppendVpack(%d) = %x, want %s", tt.x, got, tt.want)
		}
		if n := VpackLen(tt.x); n != len(got) {
			t.Errorf("VpackLen(%d) = %d, want %d", tt.x, n, len(got))
		}
		if x, n := vunpack(append(got, 0xff)); x != tt.x || n != len(got) {
			t.Errorf("vunpack(%x) = %d, %d; want %d, %d", got, x, n, tt.x, len(got))
		}
	}
}

func TestPackedInt64(t *testing.T) {
	for _, tt := range packed {
		if tt.x > math.MaxInt64 {
			continue
		}
		if got := AppendPackedInt64(nil, int64(tt.x)); hex.EncodeToString(got) != tt.want {
			t.Errorf("AppendPackedInt64(%d) = %x, want %s", tt.x, got, tt.want)
		}
	}
	for _, tt := range []struct {
		x    int64
		want string
	}{
		{-1, "7f"}, {-2, "7e"}, {-63, "41"}, {-64, "40"},
		{-65, "3fff"}, {-66, "3ffe"}, {-8256, "2000"},
		{-8257, "16dfbf"}, {-1 << 16, "160000"},
		{-1<<16 - 1, "15feffff"}, {-1 << 24, "15000000"},
		{-1<<24 - 1, "14feffffff"}, {-1 << 32, "1400000000"},
		{-1<<32 - 1, "13feffffffff"}, {-1 << 56, "1100000000000000"},
		{-1<<56 - 1, "10feffffffffffffff"}, {math.MinInt64, "108000000000000000"},
	} {
		if got := AppendPackedInt64(nil, tt.x); hex.EncodeToString(got) != tt.want {
			t.Errorf("AppendPackedInt64(%d) = %x, want %s", tt.x, got, tt.want)
		}
	}
}

// Byte order equals numeric order, or an appending load would not append.
func TestPackedInt64Order(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var xs []int64
	for shift := range 64 {
		step := int64(1) << shift
		xs = append(xs, step, -step, step-1, step+1, -step-1, -step+1, step+8256, step-8256, 8256-step)
		for range 50 {
			xs = append(xs, int64(rng.Uint64())>>shift)
		}
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for i, x := range xs[1:] {
		a, b := AppendPackedInt64(nil, xs[i]), AppendPackedInt64(nil, x)
		if bytes.Compare(a, b) >= 0 {
			t.Fatalf("%d is %x, %d is %x: order is lost", xs[i], a, x, b)
		}
	}
}

func FuzzVpack(f *testing.F) {
	for _, tt := range packed {
		f.Add(tt.x)
	}
	f.Fuzz(func(t *testing.T, x uint64) {
		b := AppendVpack(nil, x)
		if got, n := vunpack(b); got != x || n != len(b) || VpackLen(x) != n {
			t.Fatalf("%d is packed to %x, read back as %d of %d bytes, VpackLen %d", x, b, got, n, VpackLen(x))
		}
		if x < math.MaxUint64 && bytes.Compare(b, AppendVpack(nil, x+1)) >= 0 {
			t.Fatalf("%d does not sort before %d", x, x+1)
		}
	})
}
