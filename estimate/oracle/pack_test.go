package oracle

import (
	"bytes"
	"encoding/hex"
	"math"
	"testing"
)

func TestUnpack(t *testing.T) {
	for _, tc := range []struct {
		packed string
		want   uint64
	}{
		// Every step of the table in src/include/intpack_inline.h.
		{"80", 0}, {"bf", 63},
		{"c000", 64}, {"c001", 65}, {"dfff", 8255},
		{"e100", 8256}, {"e1ff", 8511}, {"e20100", 8512},
		{"e3010000", 73792}, {"e4ffffffff", math.MaxUint32 + 8256},
		{"e8ffffffffffffdfbf", math.MaxUint64},
	} {
		p, err := hex.DecodeString(tc.packed)
		if err != nil {
			t.Fatal(err)
		}
		v, rest, err := unpack(append(p, 0xaa))
		if err != nil || v != tc.want || !bytes.Equal(rest, []byte{0xaa}) {
			t.Errorf("%s: %d %x %v, want %d", tc.packed, v, rest, err, tc.want)
		}
		if _, _, err := unpack(p[:len(p)-1]); err == nil {
			t.Errorf("%s cut short: no error", tc.packed)
		}
	}
	for _, p := range [][]byte{{0x00}, {0x40}, {0x20, 1}, {0xf0}, {0xe9, 1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		if v, _, err := unpack(p); err == nil {
			t.Errorf("%x: %d, want an error", p, v)
		}
	}
}

func TestNextCell(t *testing.T) {
	long := bytes.Repeat([]byte{'x'}, 100)
	for _, tc := range []struct {
		name       string
		bytes      []byte
		fastDelete bool
		want       cell
	}{
		{"short key", []byte{2<<2 | shortKey, 'a', 'b'}, false, cell{kind: cellKey, header: 1, data: []byte("ab")}},
		{"empty key", []byte{shortKey}, false, cell{kind: cellKey, header: 1}},
		{"short key with prefix", []byte{1<<2 | shortKeyPrefix, 9, 'c'}, false, cell{kind: cellKeyPrefix, prefix: 9, header: 2, data: []byte("c")}},
		{"short value", []byte{3<<2 | shortValue, 'd', 'e', 'f'}, false, cell{kind: cellValue, header: 1, data: []byte("def")}},
		{"long value, length less 64", append([]byte{cellValue, 0x80 + 36}, long...), false, cell{kind: cellValue, header: 2, data: long}},
		{"long key with prefix", append([]byte{cellKeyPrefix, 7, 0x80 + 36}, long...), false, cell{kind: cellKeyPrefix, prefix: 7, header: 3, data: long}},
		{"windowed value: start timestamp and transaction, run length, whole length",
			[]byte{cellValue | hasFlags | has64, 0x28, 0x81, 0x82, 0x80, 0x82, 'g', 'h'}, false,
			cell{kind: cellValue, windowed: true, header: 6, data: []byte("gh")}},
		{"prepared window has no field of its own", []byte{cellValue | hasFlags, 0x29, 0x81, 0x82, 0x81, 'i'}, false,
			cell{kind: cellValue, windowed: true, header: 5, data: []byte("i")}},
		{"leaf address", []byte{cellAddrLeafNo, 0x83, 0x80, 0x81, 0x85}, false, cell{kind: cellAddrLeafNo, header: 2, data: []byte{0x80, 0x81, 0x85}}},
		{"deleted address", []byte{cellAddrDeleted, 0x81, 0x81, 0x81, 0x81, 'j'}, true, cell{kind: cellAddrDeleted, header: 5, data: []byte("j")}},
		{"deleted value", []byte{cellDeleted}, false, cell{kind: cellDeleted, header: 1}},
		{"copied value", []byte{cellValueCopy, 0x85}, false, cell{kind: cellValueCopy, header: 2}},
	} {
		got, rest, err := nextCell(append(bytes.Clone(tc.bytes), 'z'), tc.fastDelete)
		if err != nil || got.kind != tc.want.kind || got.prefix != tc.want.prefix || got.windowed != tc.want.windowed ||
			got.header != tc.want.header || !bytes.Equal(got.data, tc.want.data) || string(rest) != "z" {
			t.Errorf("%s: %+v, %q left, %v; want %+v", tc.name, got, rest, err, tc.want)
		}
		if _, _, err := nextCell(tc.bytes[:len(tc.bytes)-1], tc.fastDelete); err == nil {
			t.Errorf("%s, cut short: no error", tc.name)
		}
	}
}

func FuzzNextCell(f *testing.F) {
	f.Add([]byte{2<<2 | shortKey, 'a', 'b'}, false)
	f.Add([]byte{cellValue | hasFlags | has64, 0x28, 0x81, 0x82, 0x80, 0x82, 'g', 'h'}, false)
	f.Add([]byte{cellAddrDeleted, 0x81, 0x81, 0x81, 0x81, 'j'}, true)
	f.Fuzz(func(t *testing.T, p []byte, fastDelete bool) {
		c, rest, err := nextCell(p, fastDelete)
		if err == nil && c.header+len(c.data)+len(rest) != len(p) {
			t.Errorf("%d bytes of header, %d of data and %d left of %d", c.header, len(c.data), len(rest), len(p))
		}
	})
}
