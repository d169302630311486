package oracle

import "errors"

var errTruncated = errors.New("truncated")

// Packed integers (WiredTiger, src/include/intpack_inline.h): the first byte
// tells the length, and packed values sort as the integers do.
const (
	positive1 = 0x80 // 10xxxxxx: 0..63
	positive2 = 0xc0 // 110xxxxx and a byte: the next 8,192 values
	positiveN = 0xe0 // 1110llll and l bytes: the rest
	base2     = 1 << 6
	baseN     = base2 + 1<<13
)

// unpack returns the packed unsigned integer at the head of p and what follows.
func unpack(p []byte) (v uint64, rest []byte, err error) {
	if len(p) == 0 {
		return 0, nil, errTruncated
	}
	switch b := p[0]; {
	case b&0xc0 == positive1:
		return uint64(b & 0x3f), p[1:], nil
	case b&0xe0 == positive2:
		if len(p) < 2 {
			return 0, nil, errTruncated
		}
		return base2 + (uint64(b&0x1f)<<8 | uint64(p[1])), p[2:], nil
	case b&0xf0 == positiveN:
		n := int(b & 0x0f)
		if n > 8 {
			return 0, nil, errors.New("packed integer of more than 8 bytes")
		}
		if len(p) < 1+n {
			return 0, nil, errTruncated
		}
		for _, x := range p[1 : 1+n] {
			v = v<<8 | uint64(x)
		}
		return v + baseN, p[1+n:], nil
	}
	return 0, nil, errors.New("not a packed unsigned integer")
}

// unpackAll returns n packed integers.
func unpackAll(p []byte, n int) (v []uint64, rest []byte, err error) {
	v = make([]uint64, n)
	for i := range v {
		if v[i], p, err = unpack(p); err != nil {
			return nil, nil, err
		}
	}
	return v, p, nil
}
