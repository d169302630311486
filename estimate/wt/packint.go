package wt

import "math/bits"

// Limits and markers of packed integers. WiredTiger:
// src/include/intpack_inline.h, POS_1BYTE_MAX, POS_2BYTE_MAX, *_MARKER.
const (
	pos1ByteMax = 1<<6 - 1
	pos2ByteMax = 1<<13 + pos1ByteMax
	neg1ByteMin = -(1 << 6)
	neg2ByteMin = -(1 << 13) + neg1ByteMin

	negMultiMarker = 0x10
	neg2ByteMarker = 0x20
	neg1ByteMarker = 0x40
	pos1ByteMarker = 0x80
	pos2ByteMarker = 0xc0
	posMultiMarker = 0xe0
)

// VpackLen is the number of bytes AppendVpack writes for x, 1 to 9.
func VpackLen(x uint64) int {
	switch {
	case x <= pos1ByteMax:
		return 1
	case x <= pos2ByteMax:
		return 2
	case x == pos2ByteMax+1:
		return 2 // a zero byte keeps the ladder monotone at this one value
	}
	return 1 + (bits.Len64(x-pos2ByteMax-1)+7)/8
}

// AppendVpack appends x as a packed unsigned integer.
// WiredTiger: src/include/intpack_inline.h, __wt_vpack_uint.
func AppendVpack(dst []byte, x uint64) []byte {
	switch {
	case x <= pos1ByteMax:
		return append(dst, pos1ByteMarker|byte(x))
	case x <= pos2ByteMax:
		x -= pos1ByteMax + 1
		return append(dst, pos2ByteMarker|byte(x>>8), byte(x))
	case x == pos2ByteMax+1:
		return append(dst, posMultiMarker|1, 0)
	}
	x -= pos2ByteMax + 1
	n := (bits.Len64(x) + 7) / 8
	dst = append(dst, posMultiMarker|byte(n))
	for n--; n >= 0; n-- {
		dst = append(dst, byte(x>>(8*n)))
	}
	return dst
}

// AppendPackedInt64 appends x in key format q, which keeps numeric order under
// byte comparison. WiredTiger: src/include/intpack_inline.h, __wt_vpack_int.
func AppendPackedInt64(dst []byte, x int64) []byte {
	switch {
	case x >= 0:
		return AppendVpack(dst, uint64(x))
	case x >= neg1ByteMin:
		return append(dst, neg1ByteMarker|byte(x-neg1ByteMin)&0x3f)
	case x >= neg2ByteMin:
		x -= neg2ByteMin
		return append(dst, neg2ByteMarker|byte(x>>8)&0x1f, byte(x))
	}
	// The leading 0xff bytes are counted in the marker and left out.
	// WiredTiger: __wt_vpack_negint.
	n := max(1, (bits.Len64(^uint64(x))+7)/8)
	dst = append(dst, negMultiMarker|byte(8-n))
	for n--; n >= 0; n-- {
		dst = append(dst, byte(x>>(8*n)))
	}
	return dst
}

// vunpack reads what AppendVpack wrote and the number of bytes it took.
func vunpack(b []byte) (x uint64, n int) {
	switch marker := b[0]; {
	case marker&0xc0 == pos1ByteMarker:
		return uint64(marker & 0x3f), 1
	case marker&0xe0 == pos2ByteMarker:
		return (uint64(marker&0x1f)<<8 | uint64(b[1])) + pos1ByteMax + 1, 2
	default:
		n = int(marker & 0xf)
		for _, v := range b[1 : 1+n] {
			x = x<<8 | uint64(v)
		}
		return x + pos2ByteMax + 1, 1 + n
	}
}
