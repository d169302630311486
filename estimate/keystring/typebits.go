package keystring

import "encoding/binary"

// Type bits of numbers. MongoDB: src/mongo/db/storage/key_string/key_string.h,
// TypeBits.
const (
	bitsInt     = 0b00
	bitsLong    = 0b01
	bitsDouble  = 0b10
	bitsDecimal = 0b11
	// Zeros that are not a plain int, long or double: five bits, of which the
	// decimal ones start the 15-bit number of a decimal zero.
	bitsNegativeZero = 0b11000
	bitsDecimalZero  = 0b11010
)

// typeBits collects what a key leaves out. Bits fill bytes from the lowest.
type typeBits struct {
	data []byte
	n    int
	any  bool
}

func (t *typeBits) reset() { t.data, t.n, t.any = t.data[:0], 0, false }

// put appends the low width bits of v, highest first.
func (t *typeBits) put(v uint32, width int) {
	for i := width - 1; i >= 0; i-- {
		if t.n%8 == 0 {
			t.data = append(t.data, 0)
		}
		if v>>i&1 != 0 {
			t.data[t.n/8] |= 1 << (t.n % 8)
			t.any = true
		}
		t.n++
	}
}

// decimalZero records which of the 24,576 decimal zeros it was.
func (t *typeBits) decimalZero(which uint32) {
	t.put(bitsDecimalZero+which>>12, 5)
	t.put(which&0xFFF, 12)
}

// appendTo appends the stored form: nothing when no bit is set; one byte that
// has its high bit clear; or a length (one byte to 127, else five) and the bytes.
// MongoDB: TypeBits::getBuffer.
func (t *typeBits) appendTo(dst []byte) []byte {
	switch n := len(t.data); {
	case !t.any:
		return dst
	case n == 1 && t.data[0] < 0x80:
		return append(dst, t.data[0])
	case n <= 127:
		dst = append(dst, 0x80|byte(n))
	default:
		dst = append(dst, 0x80)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return append(dst, t.data...)
}

// A bitsMark is a place to go back to.
type bitsMark struct {
	n   int
	any bool
}

func (t *typeBits) mark() bitsMark { return bitsMark{t.n, t.any} }

func (t *typeBits) back(m bitsMark) {
	t.n, t.any = m.n, m.any
	t.data = t.data[:(m.n+7)/8]
	if used := m.n % 8; used != 0 {
		t.data[len(t.data)-1] &= 1<<used - 1
	}
}
