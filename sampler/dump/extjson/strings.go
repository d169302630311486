package extjson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a string in either kind of quotes, with JavaScript's escapes.
func (p *parser) quoted() (string, error) {
	end := p.in[p.at]
	p.at++
	var s strings.Builder
	for p.at < len(p.in) {
		c := p.in[p.at]
		p.at++
		switch {
		case c == end:
			return s.String(), nil
		case c == '\\':
			if err := p.escape(&s); err != nil {
				return "", err
			}
		default:
			s.WriteByte(c)
		}
	}
	return "", p.fail("string without an end")
}

var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '0': 0}

func (p *parser) escape(s *strings.Builder) error {
	c := p.peek()
	p.at++
	switch {
	case c == 'u':
		r, err := p.hex(4)
		if err != nil {
			return err
		}
		if utf16.IsSurrogate(rune(r)) && strings.HasPrefix(string(p.in[p.at:min(p.at+2, len(p.in))]), `\u`) {
			p.at += 2
			low, err := p.hex(4)
			if err != nil {
				return err
			}
			r = int(utf16.DecodeRune(rune(r), rune(low)))
		}
		s.WriteRune(rune(r))
	case c == 'x':
		r, err := p.hex(2)
		if err != nil {
			return err
		}
		s.WriteRune(rune(r))
	default:
		if e, ok := escapes[c]; ok {
			c = e
		}
		s.WriteByte(c)
	}
	return nil
}

func (p *parser) hex(n int) (int, error) {
	if p.at+n > len(p.in) {
		return 0, p.fail("escape cut short")
	}
	v, err := strconv.ParseUint(string(p.in[p.at:p.at+n]), 16, 32)
	if err != nil {
		return 0, p.fail("escape that is no number")
	}
	p.at += n
	return int(v), nil
}

// quote spells s as a JSON string. Bytes that are no UTF-8 become the
// replacement character, as the driver would make them.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20:
			b.WriteString(`\u00`)
			b.WriteByte("01"[r>>4])
			b.WriteByte("0123456789abcdef"[r&15])
		default:
			b.WriteString(string(utf8.AppendRune(nil, r)))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// regex reads /pattern/flags. A slash inside a class or after a backslash does
// not end the pattern.
func (p *parser) regex() (value, error) {
	p.at++
	start, class := p.at, false
	for p.at < len(p.in) && (p.in[p.at] != '/' || class) {
		switch p.in[p.at] {
		case '\\':
			p.at++
		case '[':
			class = true
		case ']':
			class = false
		}
		p.at++
	}
	if p.at >= len(p.in) {
		return value{}, p.fail("regular expression without an end")
	}
	pattern := string(p.in[start:p.at])
	p.at++
	return value{json: regular(pattern, p.name())}, nil
}
