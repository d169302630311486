package keystring

import "math/bits"

// reservedRecordID is the RecordId of a wildcard index's notes about which paths
// hold arrays: the first of the 2^20 reserved ones. MongoDB:
// src/mongo/db/record_id_helpers.cpp, reservedIdFor.
const reservedRecordID = 1<<63 - 1 - 1<<20

// AppendRecordID appends a RecordId in the form that can be read from its end:
// the number of bytes between the first and the last stands in the high 3 bits
// of the first and the low 3 bits of the last; the other bits hold the number.
//
//	below 1,024: 2 bytes, 262,144: 3, 2^26: 4, 2^34: 5, 2^42: 6, 2^50: 7, ...
//
// MongoDB: key_string.cpp, BuilderBase::_appendRecordIdLong.
func AppendRecordID(dst []byte, id int64) []byte {
	v := uint64(max(id, 0))
	extra := max(0, bits.Len64(v)-10+7) / 8
	dst = append(dst, byte(extra<<5)|byte(v>>(5+8*extra)))
	for i := extra - 1; i >= 0; i-- {
		dst = append(dst, byte(v>>(5+8*i)))
	}
	return append(dst, byte(v<<3)|byte(extra))
}

// appendRecordIDBytes appends the RecordId of a clustered collection: the bytes
// and then their number, low 7 bits first; every byte of the number but the
// first has its high bit set. MongoDB: BuilderBase::_appendRecordIdStr.
func appendRecordIDBytes(dst, id []byte) []byte {
	dst = append(dst, id...)
	n := len(id)
	dst = append(dst, byte(n&0x7F))
	for n >>= 7; n > 0; n >>= 7 {
		dst = append(dst, byte(n&0x7F)|0x80)
	}
	return dst
}

// LastRecordID reads the RecordId that an int64 one has appended to b, of which
// it is the end; ok is false where b does not end with one.
func LastRecordID(b []byte) (id int64, ok bool) {
	if len(b) < 2 {
		return 0, false
	}
	last := b[len(b)-1]
	n := int(last&7) + 2 // bytes in all: the count stands in both end bytes
	if len(b) < n || b[len(b)-n]>>5 != last&7 {
		return 0, false
	}
	id = int64(b[len(b)-n] & 0x1f)
	for _, c := range b[len(b)-n+1 : len(b)-1] {
		id = id<<8 | int64(c)
	}
	return id<<5 | int64(last>>3), true
}

// FirstRecordID reads the RecordId that an int64 one has appended to nothing:
// the value of an _id index, type bits after it or not.
func FirstRecordID(b []byte) (id int64, ok bool) {
	if len(b) < 2 {
		return 0, false
	}
	n := int(b[0]>>5) + 2
	if len(b) < n {
		return 0, false
	}
	return LastRecordID(b[:n])
}
