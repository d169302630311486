package extjson

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"
)

// The driver's parser makes some 10 MB/s of JSON into BSON; an export of
// gigabytes wants more. fast does the spellings that exporters write, and gives
// up on everything else, so what it answers is what the driver would.
type fast struct {
	in    []byte
	at    int
	depth int
}

// appendFast appends the BSON of the object that text is; false where the
// slower parsers are to decide.
func appendFast(dst, text []byte) ([]byte, bool) {
	f := fast{in: text}
	if f.next() != '{' {
		return dst, false
	}
	out, ok := f.document(dst)
	if !ok || f.next() != 0 || f.at < len(f.in) {
		return dst, false
	}
	return out, true
}

// next passes over white space and gives the byte there; 0 at the end.
func (f *fast) next() byte {
	for f.at < len(f.in) {
		switch c := f.in[f.at]; c {
		case ' ', '\t', '\n', '\r':
			f.at++
		default:
			return c
		}
	}
	return 0
}

// take passes over c where it is next.
func (f *fast) take(c byte) bool {
	if f.next() != c || f.at == len(f.in) {
		return false
	}
	f.at++
	return true
}

// document appends the object that starts here.
func (f *fast) document(dst []byte) ([]byte, bool) {
	start := len(dst)
	f.at++
	if f.depth++; f.depth > deepest/2 {
		return dst, false
	}
	dst = append(dst, 0, 0, 0, 0)
	for first := true; !f.take('}'); first = false {
		if !first && !f.take(',') || f.next() != '"' {
			return dst, false
		}
		at := len(dst)
		dst = append(dst, 0)
		var ok bool
		if dst, ok = f.text(dst); !ok {
			return dst, false
		}
		name := dst[at+1:]
		if len(name) > 0 && name[0] == '$' || hasZero(name) || !f.take(':') {
			return dst, false
		}
		dst = append(dst, 0)
		if dst, ok = f.element(dst, at); !ok {
			return dst, false
		}
	}
	f.depth--
	return closeDocument(dst, start), true
}

func closeDocument(dst []byte, start int) []byte {
	dst = append(dst, 0)
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start))
	return dst
}

func hasZero(p []byte) bool {
	for _, c := range p {
		if c == 0 {
			return true
		}
	}
	return false
}

// array appends the array that starts here as a document of its indexes.
func (f *fast) array(dst []byte) ([]byte, bool) {
	start := len(dst)
	f.at++
	if f.depth++; f.depth > deepest/2 {
		return dst, false
	}
	dst = append(dst, 0, 0, 0, 0)
	for i := int64(0); !f.take(']'); i++ {
		if i > 0 && !f.take(',') {
			return dst, false
		}
		at := len(dst)
		dst = append(strconv.AppendInt(append(dst, 0), i, 10), 0)
		var ok bool
		if dst, ok = f.element(dst, at); !ok {
			return dst, false
		}
	}
	f.depth--
	return closeDocument(dst, start), true
}

// element appends the value that is next; its type goes to offset at of dst.
func (f *fast) element(dst []byte, at int) ([]byte, bool) {
	switch c := f.next(); {
	case c == '"':
		dst[at] = 0x02
		start := len(dst)
		dst, ok := f.text(append(dst, 0, 0, 0, 0))
		dst = append(dst, 0)
		binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
		return dst, ok
	case c == '{':
		if f.wrapped() {
			return f.wrapper(dst, at)
		}
		dst[at] = 0x03
		return f.document(dst)
	case c == '[':
		dst[at] = 0x04
		return f.array(dst)
	case c == '-' || c >= '0' && c <= '9':
		return f.number(dst, at)
	case f.word("true"):
		dst[at] = 0x08
		return append(dst, 1), true
	case f.word("false"):
		dst[at] = 0x08
		return append(dst, 0), true
	case f.word("null"):
		dst[at] = 0x0a
		return dst, true
	}
	return dst, false
}

func (f *fast) word(w string) bool {
	if len(f.in)-f.at < len(w) || string(f.in[f.at:f.at+len(w)]) != w {
		return false
	}
	f.at += len(w)
	return true
}

// number appends an int32, an int64 where that is too small, or a double where
// there is a fraction or an exponent.
func (f *fast) number(dst []byte, at int) ([]byte, bool) {
	start, whole := f.at, true
	for ; f.at < len(f.in); f.at++ {
		c := f.in[f.at]
		if c == '.' || c == 'e' || c == 'E' || c == '+' {
			whole = false
		} else if c != '-' && (c < '0' || c > '9') {
			break
		}
	}
	s := f.in[start:f.at]
	digits := s
	if s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || digits[0] == '0' && len(digits) > 1 && digits[1] != '.' || digits[0] == '.' || string(s) == "-0" {
		return dst, false // no JSON, or not worth a thought
	}
	if whole {
		i, err := strconv.ParseInt(string(s), 10, 64)
		if err != nil {
			return dst, false
		}
		return appendInt(dst, at, i), true
	}
	x, err := strconv.ParseFloat(string(s), 64)
	if err != nil || s[len(s)-1] == '.' {
		return dst, false
	}
	dst[at] = 0x01
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x)), true
}

func appendInt(dst []byte, at int, i int64) []byte {
	if i >= math.MinInt32 && i <= math.MaxInt32 {
		dst[at] = 0x10
		return binary.LittleEndian.AppendUint32(dst, uint32(i))
	}
	dst[at] = 0x12
	return binary.LittleEndian.AppendUint64(dst, uint64(i))
}

// text appends the string that starts here, without its quotes.
func (f *fast) text(dst []byte) ([]byte, bool) {
	f.at++
	start, ascii := f.at, true
	for f.at < len(f.in) {
		c := f.in[f.at]
		switch {
		case c == '"':
			p := f.in[start:f.at]
			f.at++
			return append(dst, p...), ascii || utf8.Valid(p)
		case c == '\\':
			p := f.in[start:f.at]
			if dst = append(dst, p...); !ascii && !utf8.Valid(p) {
				return dst, false
			}
			var ok bool
			if dst, ok = f.escaped(dst); !ok {
				return dst, false
			}
			start, ascii = f.at, true
			continue
		case c < 0x20:
			return dst, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
		f.at++
	}
	return dst, false
}

// escaped appends what a backslash and the bytes after it stand for.
func (f *fast) escaped(dst []byte) ([]byte, bool) {
	if f.at+1 >= len(f.in) {
		return dst, false
	}
	c := f.in[f.at+1]
	f.at += 2
	switch c {
	case '"', '\\', '/':
		return append(dst, c), true
	case 'b', 'f', 'n', 'r', 't':
		return append(dst, escapes[c]), true
	case 'u':
		r, ok := f.hex4()
		if !ok || r >= 0xdc00 && r < 0xe000 {
			return dst, false
		}
		if r >= 0xd800 && r < 0xdc00 {
			if !f.word(`\u`) {
				return dst, false
			}
			low, ok := f.hex4()
			if !ok || low < 0xdc00 || low >= 0xe000 {
				return dst, false
			}
			r = 0x10000 + (r-0xd800)<<10 + low - 0xdc00
		}
		return utf8.AppendRune(dst, r), true
	}
	return dst, false
}

func (f *fast) hex4() (rune, bool) {
	if f.at+4 > len(f.in) {
		return 0, false
	}
	r := rune(0)
	for _, c := range f.in[f.at : f.at+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	f.at += 4
	return r, true
}
