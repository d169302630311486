package keystring

import (
	"encoding/binary"
	"math"
	"math/big"
)

// IEEE 754 decimal128 in binary integer form, as BSON stores it. MongoDB:
// src/mongo/platform/decimal128.h, Decimal128.
const (
	decimalBias   = 6176
	decimalDigits = 34
	// decimalMaxExponent is the largest biased exponent.
	decimalMaxExponent = 12287
	storedExponentMask = 1<<6 - 1 // exponent bits that go into the type bits
	oneE15             = 1_000_000_000_000_000
)

// A decimal is coefficient (hi, lo) times 10^(exp-decimalBias).
type decimal struct {
	neg    bool
	exp    int
	hi, lo uint64
	inf    bool
	nan    bool
}

func readDecimal(b []byte) decimal {
	lo, hi := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	d := decimal{neg: hi>>63 != 0, exp: int(hi >> 49 & 0x3FFF), hi: hi & (1<<49 - 1), lo: lo}
	switch {
	case hi>>58&0x1F == 0x1F:
		d.nan = true
	case hi>>58&0x1F == 0x1E:
		d.inf = true
	case hi>>61&3 == 3: // a coefficient beyond 34 digits: counts as zero
		d.exp, d.hi, d.lo = int(hi>>47&0x3FFF), 0, 0
	case d.hi > maxCoefficientHi || d.hi == maxCoefficientHi && d.lo > maxCoefficientLo:
		d.hi, d.lo = 0, 0
	}
	return d
}

// 10^34 - 1.
const (
	maxCoefficientHi = 0x1ED09BEAD87C0
	maxCoefficientLo = 0x378D8E63FFFFFFFF
)

// decimal appends a decimal: a double where one is equal, else the double next
// to it towards zero and, where 15 digits do not tell it apart, a continuation:
// what is missing, in units of the double's 34th digit.
// MongoDB: BuilderBase::_appendNumberDecimal.
func (b *builder) decimal(v []byte) {
	d := readDecimal(v)
	switch {
	case d.nan:
		b.buf = append(b.buf, numNaN)
		b.bits.put(bitsDecimal, 2)
		return
	case d.inf:
		b.bits.put(bitsDecimal, 2)
		b.bigEndian(signed(d.neg, numNegativeLarge, numPositiveLarge), math.MaxUint64, d.neg)
		return
	case d.hi == 0 && d.lo == 0:
		which := uint32(d.exp)
		if d.neg {
			which += decimalMaxExponent + 1
		}
		b.bits.decimalZero(which)
		b.buf = append(b.buf, numZero)
		return
	}
	b.bits.put(bitsDecimal, 2)
	b.bits.put(uint32(d.exp)&storedExponentMask, 6)
	b.decimalValue(d)
}

func signed(neg bool, ifNegative, otherwise byte) byte {
	if neg {
		return ifNegative
	}
	return otherwise
}

func (b *builder) decimalValue(d decimal) {
	bin, exact := d.truncate()
	toward := bin
	if d.neg {
		toward = -bin
	}
	switch {
	case exact:
		b.doubleValue(toward, dcmEqual)
	case bin < 0x1p-1022:
		b.tinyDecimal(d, bin)
	case bin == math.MaxFloat64:
		b.hugeDecimal(d)
	case bin >= doubleTwoTo:
		b.largeDouble(toward, dcmGreater)
		b.continuation(d, roundUp34(rat(bin)))
	case bin < tiniest2BitDouble:
		b.smallDouble(toward, dcmGreater)
		b.continuation(d, roundUp34(rat(bin)))
	case bin >= twoTo53:
		b.wideDecimal(d)
	case d.hi == 0 && d.lo < oneE15:
		b.doubleValue(toward, dcmEqual15)
	default:
		b.longDecimal(d, bin, toward)
	}
}

// longDecimal appends a decimal of more than 15 digits, perhaps trailing zeros.
func (b *builder) longDecimal(d decimal, bin, toward float64) {
	switch d.rat().Cmp(roundUp15(rat(bin))) {
	case 0:
		b.doubleValue(toward, dcmEqual15)
		return
	case -1:
		b.doubleValue(toward, dcmLess)
	default:
		b.doubleValue(toward, dcmGreater)
	}
	b.continuation(d, roundUp34(rat(bin)))
}

// wideDecimal appends a decimal from 2^53 to 2^63, whose whole part a double
// does not hold.
func (b *builder) wideDecimal(d decimal) {
	r := d.rat()
	whole := new(big.Int).Quo(r.Num(), r.Denom())
	n := whole.Uint64()
	if r.IsInt() {
		b.integer(n<<1, d.neg)
		return
	}
	b.integer(n<<1|1, d.neg)
	if n < 1<<55 { // 7 bytes so far: one of fraction, which is only the marker
		m := byte(dcmGreater)
		if d.neg {
			m = ^m
		}
		b.buf = append(b.buf, m)
	}
	b.continuation(d, scaled34(new(big.Rat).SetInt(whole), false))
}

// continuation appends what d exceeds the stored number by.
func (b *builder) continuation(d decimal, stored decimal34) {
	diff := new(big.Rat).Sub(d.rat(), stored.rat())
	diff.Quo(diff, powerOfTen(stored.exp))
	b.word(new(big.Int).Quo(diff.Num(), diff.Denom()).Uint64(), d.neg)
}

// tinyDecimal appends a decimal below the normal doubles.
// MongoDB: BuilderBase::_appendTinyDecimalWithoutTypeBits.
func (b *builder) tinyDecimal(d decimal, bin float64) {
	typ := signed(d.neg, numNegativeSmall, numPositiveSmall)
	if bin == 0 { // smaller than every double: the decimal itself
		hi, lo := d.normalized().bits()
		b.bigEndian(typ, hi, d.neg)
		b.word(lo, d.neg)
		return
	}
	up := scaled34(new(big.Rat).Mul(d.rat(), scaled34(rat(0x1p256), false).rat()), false)
	scaledBin, _ := truncateRat(up.rat())
	scaledBin = max(scaledBin, bin*0x1p256)
	b.bigEndian(typ, tinyWord(scaledBin, dcmGreater), d.neg)
	down := scaled34(rat(scaledBin), false).rat()
	down.Mul(down, scaled34(rat(0x1p-256), false).rat())
	b.continuation(d, scaled34(down, false))
}

// hugeDecimal appends a decimal beyond the doubles.
// MongoDB: BuilderBase::_appendHugeDecimalWithoutTypeBits.
func (b *builder) hugeDecimal(d decimal) {
	hi, lo := d.normalized().bits()
	b.bigEndian(signed(d.neg, numNegativeLarge, numPositiveLarge), hi|1<<63, d.neg)
	b.word(lo, d.neg)
}
