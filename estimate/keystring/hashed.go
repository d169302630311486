package keystring

import (
	"crypto/md5"
	"encoding/binary"
	"math"
	"math/big"
)

const hashedArray notIndexable = "an array under a hashed key"

// hashedEntry makes the one key of a hashed index; the fields beside the hashed
// one are taken as they are, and none may lead through an array.
// MongoDB: src/mongo/db/index/expression_keys_private.cpp, getHashKeys.
func (g *Generator) hashedEntry(doc []byte) error {
	g.b.reset()
	found := false
	for i, p := range g.paths {
		e, _, err := p.along(doc, 0)
		if err != nil {
			return err
		}
		if e.typ == tArray {
			return hashedArray
		}
		found = found || e.typ != tMissing
		if e.typ == tMissing {
			e = null
		}
		if g.ix.Fields[i].Plugin == string(Hashed) {
			h, err := hash(e, g.ix.hashSeed)
			if err != nil {
				return err
			}
			e = elem{tInt64, binary.LittleEndian.AppendUint64(nil, uint64(h))}
		}
		if err := g.b.component(e, g.desc[i]); err != nil {
			return err
		}
	}
	if g.ix.Sparse && !found {
		return nil
	}
	g.done()
	return nil
}

// hash is the first 8 bytes of the MD5 of a seed and the value, in which all
// numbers are int64 and each nested value has its type and name before it.
// MongoDB: src/mongo/db/hasher.cpp, BSONElementHasher::hash64.
func hash(e elem, seed int32) (int64, error) {
	var buf [96]byte
	data := binary.LittleEndian.AppendUint32(buf[:0], uint32(seed))
	data, err := hashInput(data, e, nil, 0)
	sum := md5.Sum(data)
	return int64(binary.LittleEndian.Uint64(sum[:])), err
}

// hashInput appends what is hashed of a value; name, with its NUL, is nil at
// the top.
func hashInput(dst []byte, e elem, name []byte, depth int) ([]byte, error) {
	if depth > maxDepth {
		return dst, ErrMalformed
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(canonicalType(e.typ)))
	dst = append(dst, name...)
	doc := e.val
	switch e.typ {
	case tDouble, tInt32, tInt64, tDecimal:
		return binary.LittleEndian.AppendUint64(dst, uint64(wholeNumber(e))), nil
	case tCodeScope:
		n := int(binary.LittleEndian.Uint32(doc[4:]))
		dst = append(dst, doc[8:8+n]...)
		doc = doc[8+n:]
	case tObject, tArray:
	default:
		return append(dst, e.val...), nil
	}
	for r := newReader(doc); ; {
		k, v, ok, err := r.next()
		if err != nil {
			return dst, err
		}
		if !ok {
			// The end counts as an element of type 0 without a name.
			return binary.LittleEndian.AppendUint32(dst, 0), nil
		}
		if dst, err = hashInput(dst, v, append(k[:len(k):len(k)], 0), depth+1); err != nil {
			return dst, err
		}
	}
}

// canonicalType groups types that compare with each other.
// MongoDB: src/mongo/bson/bsontypes.h, canonicalizeBSONType.
func canonicalType(t byte) int32 {
	switch t {
	case tMinKey:
		return -1
	case tMaxKey:
		return 127
	case tMissing, tUndefined:
		return 0
	case tNull:
		return 5
	case tDouble, tInt32, tInt64, tDecimal:
		return 10
	case tString, tSymbol:
		return 15
	case tObject:
		return 20
	case tArray:
		return 25
	case tBinary:
		return 30
	case tObjectID:
		return 35
	case tBool:
		return 40
	case tDate:
		return 45
	case tTimestamp:
		return 47
	case tRegex:
		return 50
	case tDBPointer:
		return 55
	case tCode:
		return 60
	}
	return 65 // code with scope
}

// wholeNumber truncates a number to int64, NaN to 0, and keeps it in range.
// MongoDB: src/mongo/bson/bsonelement.h, safeNumberLongForHash.
func wholeNumber(e elem) int64 {
	switch e.typ {
	case tInt64:
		return int64(binary.LittleEndian.Uint64(e.val))
	case tDecimal:
		return wholeDecimal(readDecimal(e.val))
	}
	switch f, _ := number(e); {
	case f != f:
		return 0
	case f >= doubleTwoTo:
		return math.MaxInt64
	case f < -doubleTwoTo:
		return math.MinInt64
	default:
		return int64(f)
	}
}

func wholeDecimal(d decimal) int64 {
	limit := int64(math.MaxInt64)
	if d.neg {
		limit = math.MinInt64
	}
	e := d.exp - decimalBias
	switch {
	case d.nan, !d.inf && d.hi == 0 && d.lo == 0, d.digits()+e < -1:
		return 0
	case d.inf, d.digits()+e > 21:
		return limit
	}
	r := d.rat()
	whole := new(big.Int).Quo(r.Num(), r.Denom())
	if d.neg {
		whole.Neg(whole)
	}
	if !whole.IsInt64() {
		return limit
	}
	return whole.Int64()
}
