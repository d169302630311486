package generate

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// rng draws integers. It asks PCG for raw words only: the words of a PCG are
// fixed by its definition, what rand.Rand makes of them is not.
type rng struct{ pcg rand.PCG }

// stream tells our sequences from others made with the same seed.
const stream = 0x77747369_7a652d31 // "wtsize-1"

func (r *rng) seed(seed uint64) { r.pcg.Seed(seed, stream) }

func (r *rng) word() uint64 { return r.pcg.Uint64() }

// below draws from [0, n). The bias of at most n/2^64 does not matter here.
func (r *rng) below(n int) int {
	hi, _ := bits.Mul64(r.pcg.Uint64(), uint64(n))
	return int(hi)
}

// between draws from [low, high].
func (r *rng) between(low, high int) int { return low + r.below(high-low+1) }

// one draws one of the words.
func (r *rng) one(words []string) string { return words[r.below(len(words))] }

// bytes appends n random bytes.
func (r *rng) bytes(b []byte, n int) []byte {
	for ; n >= 8; n -= 8 {
		b = binary.LittleEndian.AppendUint64(b, r.pcg.Uint64())
	}
	for w := r.pcg.Uint64(); n > 0; n-- {
		b = append(b, byte(w))
		w >>= 8
	}
	return b
}

// exp2Table holds 2^(i/16) × 65,536, rounded.
var exp2Table = [17]int64{
	65536, 68438, 71468, 74632, 77936, 81386, 84990, 88752, 92682,
	96785, 101070, 105545, 110218, 115098, 120194, 125515, 131072,
}

// exp2 is 2^(x/65,536) × 65,536 for x in [-16 × 65,536, 30 × 65,536], to about
// 0.03 %, in integers so that no platform rounds it otherwise.
func exp2(x int64) int64 {
	whole, frac := x>>16, x&0xffff
	low, high := exp2Table[frac>>12], exp2Table[frac>>12+1]
	v := low + (high-low)*(frac&0xfff)>>12
	if whole < 0 {
		return v >> -whole
	}
	return v << whole
}

// lognormal draws around a median; sigma is the standard deviation of the
// logarithm to base 2, × 65,536. The normal value is a sum of twelve uniform
// ones, so it stays within six deviations.
func (r *rng) lognormal(median int, sigma int64) int {
	var sum int64
	for range 3 {
		for w, i := r.word(), 0; i < 4; i++ {
			sum += int64(w & 0xffff)
			w >>= 16
		}
	}
	z := sum - 6*65536
	return int(int64(median) * exp2(z*sigma>>16) >> 16)
}

// mix spreads a number over 64 bits (the finaliser of SplitMix64, Steele, Lea
// and Flood 2014), for values that depend on a number and not on what was
// drawn before.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
