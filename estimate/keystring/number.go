package keystring

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Number types. The byte tells sign and size, so that they sort.
// MongoDB: key_string.cpp, namespace CType.
const (
	numNaN           = 30
	numNegativeLarge = 31 // -2^63 and below, with -Inf
	numNegative8     = 32 // ... numNegative1 = 39: integer part of 8 ... 1 bytes
	numNegative1     = 39
	numNegativeSmall = 40 // between -1 and 0
	numZero          = 41
	numPositiveSmall = 42 // between 0 and 1
	numPositive1     = 43 // ... numPositive8 = 50
	numPositive8     = 50
	numPositiveLarge = 51 // 2^63 and above, with +Inf
)

// A dcm says how a decimal relates to the double stored for it. Its bits are
// the lowest of the stored double. MongoDB: DecimalContinuationMarker.
type dcm uint64

const (
	dcmEqual    dcm = 0 // the same number
	dcmLess     dcm = 1 // a continuation follows; below the double rounded up to 15 digits
	dcmEqual15  dcm = 2 // equal to the double rounded up to 15 digits
	dcmGreater  dcm = 3 // a continuation follows; above it
	twoTo63         = 1 << 63
	twoTo53         = 1 << 53
	tinyShift       = 256 // exponent added to the smallest doubles
	doubleTwoTo     = 0x1p63
)

// tiniest2BitDouble is where small doubles lose one of their two dcm bits.
const tiniest2BitDouble = 0x1p-255

func (b *builder) int64(v int64) {
	switch v {
	case 0:
		b.buf = append(b.buf, numZero)
	case math.MinInt64:
		b.largeDouble(float64(v), dcmEqual)
	default:
		neg := v < 0
		if neg {
			v = -v
		}
		b.integer(uint64(v)<<1, neg)
	}
}

// integer appends an integer part. shifted is twice the magnitude, plus one
// where a fraction follows.
func (b *builder) integer(shifted uint64, neg bool) {
	n := (bits.Len64(shifted) + 7) / 8
	var w [8]byte
	binary.BigEndian.PutUint64(w[:], shifted)
	at := len(b.buf)
	if neg {
		b.buf = append(b.buf, byte(numNegative1-(n-1)))
	} else {
		b.buf = append(b.buf, byte(numPositive1+(n-1)))
	}
	b.buf = append(b.buf, w[8-n:]...)
	if neg {
		invert(b.buf[at+1:])
	}
}

// bigEndian appends a type byte and eight bytes, inverted for negative numbers.
func (b *builder) bigEndian(typ byte, v uint64, neg bool) {
	if neg {
		v = ^v
	}
	b.buf = append(b.buf, typ)
	b.buf = binary.BigEndian.AppendUint64(b.buf, v)
}

// word appends eight bytes, inverted for negative numbers.
func (b *builder) word(v uint64, neg bool) {
	if neg {
		v = ^v
	}
	b.buf = binary.BigEndian.AppendUint64(b.buf, v)
}

func (b *builder) double(v float64) {
	if v == 0 && math.Signbit(v) {
		if b.v0 {
			b.bits.put(bitsDecimal, 2)
		} else {
			b.bits.put(bitsNegativeZero, 5)
		}
	} else {
		b.bits.put(bitsDouble, 2)
	}
	b.doubleValue(v, dcmEqual)
}

// doubleValue appends a double without type bits.
// MongoDB: BuilderBase::_appendDoubleWithoutTypeBits.
func (b *builder) doubleValue(v float64, d dcm) {
	mag := math.Abs(v)
	switch {
	case v != v:
		b.buf = append(b.buf, numNaN)
	case v == 0:
		b.buf = append(b.buf, numZero)
	case mag < 1:
		b.smallDouble(v, d)
	case mag >= doubleTwoTo:
		b.largeDouble(v, d)
	case float64(uint64(mag)) == mag && d == dcmEqual:
		b.integer(uint64(mag)<<1, v < 0)
	case b.v0:
		b.fractionV0(v)
	default:
		b.fraction(v, d)
	}
}

// fraction appends a double with a fraction: always 8 bytes, of which the first
// ones are those the integer part alone would have.
func (b *builder) fraction(v float64, d dcm) {
	neg, mag := v < 0, math.Abs(v)
	whole := uint64(mag)
	n := bits.LeadingZeros64(whole<<1) / 8 // bytes of fraction
	typ := byte(numPositive8 - n)
	if neg {
		typ = byte(numNegative8 + n)
	}
	// Doubling the whole part and adding one marks the fraction; two low bits
	// stay free for the marker, as a double has 53 bits.
	w := uint64(math.Ldexp(mag, 8*n))
	w += (whole + 1) << (8 * n)
	b.bigEndian(typ, w|uint64(d), neg)
}

// fractionV0 is the form of index version 1: the whole part with a mark, then
// the bytes of the mantissa that hold the fraction.
func (b *builder) fractionV0(v float64) {
	neg, whole := v < 0, uint64(math.Abs(v))
	b.integer(whole<<1|1, neg)
	fractionBits := 53 - bits.Len64(whole)
	m := math.Float64bits(v) & (1<<fractionBits - 1)
	at := len(b.buf)
	for i := (fractionBits + 7) / 8; i > 0; i-- {
		b.buf = append(b.buf, byte(m>>(8*(i-1))))
	}
	if neg {
		invert(b.buf[at:])
	}
}

// smallDouble appends 0 < |v| < 1. MongoDB: BuilderBase::_appendSmallDouble.
func (b *builder) smallDouble(v float64, d dcm) {
	typ := byte(numPositiveSmall)
	if v < 0 {
		typ = numNegativeSmall
	}
	var w uint64
	switch mag := math.Abs(v); {
	case b.v0:
		w = math.Float64bits(v)
	case mag >= tiniest2BitDouble:
		w = math.Float64bits(mag)<<2 | uint64(d)
	default:
		w = tinyWord(mag*0x1p256, d)
	}
	b.bigEndian(typ, w, v < 0)
}

// tinyWord is the word of a double below 2^-255, already scaled up by 2^256.
func tinyWord(scaled float64, d dcm) uint64 {
	w := math.Float64bits(scaled) << 1
	if d != dcmEqual {
		w |= 1
	}
	return w + 1<<62
}

// largeDouble appends |v| >= 2^63. MongoDB: BuilderBase::_appendLargeDouble.
func (b *builder) largeDouble(v float64, d dcm) {
	typ := byte(numPositiveLarge)
	if v < 0 {
		typ = numNegativeLarge
	}
	w := math.Float64bits(v)
	switch {
	case b.v0:
	case math.IsInf(v, 0):
		w = math.MaxUint64
	default:
		w = w << 1 &^ (1 << 63)
		if d != dcmEqual {
			w |= 1
		}
	}
	b.bigEndian(typ, w, v < 0)
}
