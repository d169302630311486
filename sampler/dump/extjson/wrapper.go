package extjson

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// wrapped: the object that starts here has a first key with a dollar sign.
func (f *fast) wrapped() bool {
	for i := f.at + 1; i < len(f.in); i++ {
		switch f.in[i] {
		case ' ', '\t', '\n', '\r':
		case '"':
			return i+1 < len(f.in) && f.in[i+1] == '$'
		default:
			return false
		}
	}
	return false
}

// wrapper appends the value that a $-object stands for.
func (f *fast) wrapper(dst []byte, at int) ([]byte, bool) {
	f.at++
	key, ok := f.plain()
	if !ok || !f.take(':') {
		return dst, false
	}
	switch string(key) {
	case "$oid":
		dst, ok = f.objectID(dst, at)
	case "$date":
		dst, ok = f.date(dst, at)
	case "$binary":
		dst, ok = f.binary(dst, at)
	case "$timestamp":
		dst, ok = f.timestamp(dst, at)
	case "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal":
		dst, ok = f.typedNumber(dst, at, string(key))
	default:
		ok = false
	}
	return dst, ok && f.take('}')
}

// plain is the content of a string without escapes; it lies in the input.
func (f *fast) plain() ([]byte, bool) {
	if !f.take('"') {
		return nil, false
	}
	start := f.at
	for ; f.at < len(f.in); f.at++ {
		switch c := f.in[f.at]; {
		case c == '"':
			f.at++
			return f.in[start : f.at-1], true
		case c == '\\' || c < 0x20 || c >= 0x80:
			return nil, false
		}
	}
	return nil, false
}

// key takes a given key of a wrapper's inner object.
func (f *fast) key(name string) bool {
	got, ok := f.plain()
	return ok && string(got) == name && f.take(':')
}

func (f *fast) objectID(dst []byte, at int) ([]byte, bool) {
	s, ok := f.plain()
	if !ok || len(s) != 24 {
		return dst, false
	}
	dst[at] = 0x07
	dst, err := hex.AppendDecode(dst, s)
	return dst, err == nil
}

func (f *fast) typedNumber(dst []byte, at int, key string) ([]byte, bool) {
	s, ok := f.plain()
	if !ok {
		return dst, false
	}
	switch key {
	case "$numberInt":
		i, err := strconv.ParseInt(string(s), 10, 32)
		dst[at] = 0x10
		return binary.LittleEndian.AppendUint32(dst, uint32(i)), err == nil
	case "$numberLong":
		i, err := strconv.ParseInt(string(s), 10, 64)
		dst[at] = 0x12
		return binary.LittleEndian.AppendUint64(dst, uint64(i)), err == nil
	case "$numberDouble":
		x, err := strconv.ParseFloat(string(s), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return dst, false
		}
		dst[at] = 0x01
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x)), true
	}
	d, err := bson.ParseDecimal128(string(s))
	high, low := d.GetBytes()
	dst[at] = 0x13
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, low), high), err == nil
}

// date takes milliseconds, {"$numberLong":"…"}, or a time of RFC 3339.
func (f *fast) date(dst []byte, at int) ([]byte, bool) {
	var ms int64
	if f.next() == '{' {
		f.at++
		if !f.key("$numberLong") {
			return dst, false
		}
		s, ok := f.plain()
		i, err := strconv.ParseInt(string(s), 10, 64)
		if !ok || err != nil || !f.take('}') {
			return dst, false
		}
		ms = i
	} else {
		s, ok := f.plain()
		if !ok {
			return dst, false
		}
		t, err := time.Parse(time.RFC3339Nano, string(s))
		if err != nil {
			return dst, false
		}
		ms = t.UnixMilli()
	}
	dst[at] = 0x09
	return binary.LittleEndian.AppendUint64(dst, uint64(ms)), true
}

// binary takes {"base64":"…","subType":"xx"}. Subtype 2 has a length of its own
// inside and is left to the driver.
func (f *fast) binary(dst []byte, at int) ([]byte, bool) {
	if !f.take('{') || !f.key("base64") {
		return dst, false
	}
	data, ok := f.plain()
	if !ok || !f.take(',') || !f.key("subType") {
		return dst, false
	}
	sub, ok := f.plain()
	subtype, err := strconv.ParseUint(string(sub), 16, 8)
	if !ok || err != nil || len(sub) != 2 || subtype == 2 || !f.take('}') {
		return dst, false
	}
	dst[at] = 0x05
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0, byte(subtype))
	dst, err = base64.StdEncoding.AppendDecode(dst, data)
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-5))
	return dst, err == nil
}

// timestamp takes {"t":N,"i":N}.
func (f *fast) timestamp(dst []byte, at int) ([]byte, bool) {
	if !f.take('{') || !f.key("t") {
		return dst, false
	}
	t, ok := f.uint32()
	if !ok || !f.take(',') || !f.key("i") {
		return dst, false
	}
	i, ok := f.uint32()
	dst[at] = 0x11
	dst = binary.LittleEndian.AppendUint32(dst, i)
	return binary.LittleEndian.AppendUint32(dst, t), ok && f.take('}')
}

func (f *fast) uint32() (uint32, bool) {
	f.next()
	start := f.at
	for f.at < len(f.in) && f.in[f.at] >= '0' && f.in[f.at] <= '9' {
		f.at++
	}
	digits := f.in[start:f.at]
	if len(digits) > 1 && digits[0] == '0' { // no JSON; the driver takes it for octal
		return 0, false
	}
	n, err := strconv.ParseUint(string(digits), 10, 32)
	return uint32(n), err == nil
}
