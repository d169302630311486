package keystring

import (
	"math"
	"math/big"
	"math/bits"
)

// exactPower holds the powers of ten that a double holds exactly.
var exactPower = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// truncate is the magnitude as a double, rounded towards zero.
func (d decimal) truncate() (f float64, exact bool) {
	e := d.exp - decimalBias
	if d.hi == 0 && d.lo < twoTo53 && e <= 0 && e >= -22 {
		c, p := float64(d.lo), exactPower[-e]
		q := c / p
		switch rest := math.FMA(-q, p, c); {
		case rest == 0:
			return q, true
		case rest < 0: // the quotient was rounded up
			return math.Nextafter(q, 0), false
		default:
			return q, false
		}
	}
	digits := d.digits()
	switch {
	case digits+e > 310:
		return math.MaxFloat64, false
	case digits+e < -325:
		return 0, false
	}
	return truncateRat(d.rat())
}

// digits is an upper bound of the number of digits, at most one too high.
func (d decimal) digits() int {
	n := bits.Len64(d.lo)
	if d.hi != 0 {
		n = 64 + bits.Len64(d.hi)
	}
	return n*30103/100000 + 1
}

func (d decimal) coefficient() *big.Int {
	c := new(big.Int).SetUint64(d.hi)
	return c.Lsh(c, 64).Or(c, new(big.Int).SetUint64(d.lo))
}

// rat is the magnitude.
func (d decimal) rat() *big.Rat {
	r := new(big.Rat).SetInt(d.coefficient())
	return r.Mul(r, powerOfTen(d.exp-decimalBias))
}

func powerOfTen(e int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

func rat(f float64) *big.Rat { return new(big.Rat).SetFloat64(math.Abs(f)) }

// truncateRat rounds a positive number towards zero to a double.
func truncateRat(r *big.Rat) (f float64, exact bool) {
	shift := 55 - (r.Num().BitLen() - r.Denom().BitLen())
	num, den := new(big.Int).Set(r.Num()), new(big.Int).Set(r.Denom())
	if shift >= 0 {
		num.Lsh(num, uint(shift))
	} else {
		den.Lsh(den, uint(-shift))
	}
	rest := new(big.Int)
	q, rest := num.QuoRem(num, den, rest) // 55 or 56 bits; r = q * 2^-shift
	lowest := max(q.BitLen()-shift-53, -1074)
	drop := uint(lowest + shift)
	exact = rest.Sign() == 0 && q.TrailingZeroBits() >= drop
	q.Rsh(q, drop)
	f = math.Ldexp(float64(q.Uint64()), lowest)
	if math.IsInf(f, 0) {
		return math.MaxFloat64, false
	}
	return f, exact && f != 0
}

// A decimal34 is a coefficient of at most 34 digits, as many as the smallest
// exponent allows, times 10^exp.
type decimal34 struct {
	coefficient *big.Int
	exp         int
}

func (d decimal34) rat() *big.Rat {
	r := new(big.Rat).SetInt(d.coefficient)
	return r.Mul(r, powerOfTen(d.exp))
}

// normalized is the magnitude with as many digits as fit.
func (d decimal) normalized() decimal34 {
	c, e := d.coefficient(), d.exp-decimalBias
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimalDigits-1), nil)
	for ; c.Cmp(limit) < 0 && e > -decimalBias; e-- {
		c.Mul(c, big.NewInt(10))
	}
	return decimal34{c, e}
}

// bits is the number in the form BSON stores it.
func (d decimal34) bits() (hi, lo uint64) {
	lo = new(big.Int).And(d.coefficient, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	hi = new(big.Int).Rsh(d.coefficient, 64).Uint64()
	return hi | uint64(d.exp+decimalBias)<<49, lo
}

func roundUp34(r *big.Rat) decimal34 { return scaled34(r, true) }

// scaled34 rounds a positive number to 34 digits, up or down.
func scaled34(r *big.Rat, up bool) decimal34 { return scaled(r, decimalDigits, up) }

// roundUp15 rounds a positive number up to 15 digits.
func roundUp15(r *big.Rat) *big.Rat { return scaled(r, 15, true).rat() }

func scaled(r *big.Rat, digits int, up bool) decimal34 {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	// A bit length tells the decimal exponent to within one.
	e := (r.Num().BitLen()-r.Denom().BitLen())*30103/100000 - digits - 1
	e = max(e, -decimalBias)
	for ; ; e++ {
		q := new(big.Rat).Quo(r, powerOfTen(e))
		c, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
		if up && rest.Sign() != 0 {
			c.Add(c, big.NewInt(1))
		}
		if c.Cmp(limit) < 0 {
			return decimal34{c, e}
		}
	}
}
