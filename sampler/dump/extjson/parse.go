package extjson

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// deepest nesting accepted; a server stores 180 levels.
// mongo: src/mongo/bson/bson_depth.h.
const deepest = 200

// kind of a parsed value, as far as wrappers care.
type kind byte

const (
	other kind = iota
	text
	number
)

// value is a parsed value: its canonical JSON, and what it was written as.
type value struct {
	json string
	kind kind
	raw  string // the string's content, or the number as written
}

type member struct {
	key string
	value
}

// parser reads what JavaScript would take for an object literal.
type parser struct {
	in    []byte
	at    int
	depth int
}

// Canonical rewrites one object to extended JSON that the driver reads. Quotes
// may be single or missing around keys; trailing commas and comments pass.
func Canonical(in []byte) ([]byte, error) {
	p := &parser{in: bytes.TrimPrefix(in, []byte("\ufeff"))}
	if p.space(); p.peek() != '{' {
		return nil, p.fail("expected an object")
	}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	return []byte(v.json), nil
}

func (p *parser) fail(why string) error { return fmt.Errorf("%s at byte %d", why, p.at) }

func (p *parser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

// space passes over white space and comments.
func (p *parser) space() {
	for p.at < len(p.in) {
		rest := p.in[p.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			p.until(rest, "\n")
		case bytes.HasPrefix(rest, []byte("/*")):
			p.until(rest, "*/")
		default:
			return
		}
	}
}

func (p *parser) until(rest []byte, end string) {
	if i := bytes.Index(rest[2:], []byte(end)); i >= 0 {
		p.at += 2 + i + len(end)
	} else {
		p.at = len(p.in)
	}
}

// accept passes over c where it is next, white space aside.
func (p *parser) accept(c byte) bool {
	if p.space(); p.peek() == c && p.at < len(p.in) {
		p.at++
		return true
	}
	return false
}

func (p *parser) value() (value, error) {
	if p.depth++; p.depth > deepest {
		return value{}, p.fail("nested too deep")
	}
	defer func() { p.depth-- }()
	p.space()
	switch c := p.peek(); {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '"' || c == '\'':
		s, err := p.quoted()
		return value{quote(s), text, s}, err
	case c == '/':
		return p.regex()
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		return p.number()
	case nameByte(c):
		return p.word()
	}
	return value{}, p.fail("expected a value")
}

func (p *parser) object() (value, error) {
	p.at++
	var members []member
	for !p.accept('}') {
		if len(members) > 0 && !p.accept(',') {
			return value{}, p.fail("expected a comma")
		}
		if len(members) > 0 && p.accept('}') {
			break
		}
		key, err := p.key()
		if err != nil {
			return value{}, err
		}
		if !p.accept(':') {
			return value{}, p.fail("expected a colon")
		}
		v, err := p.value()
		if err != nil {
			return value{}, err
		}
		members = append(members, member{key, v})
	}
	return unwrap(members), nil
}

func (p *parser) key() (string, error) {
	p.space()
	if c := p.peek(); c == '"' || c == '\'' {
		return p.quoted()
	}
	if name := p.name(); name != "" {
		return name, nil
	}
	return "", p.fail("expected a key")
}

func (p *parser) array() (value, error) {
	p.at++
	items, err := p.list(']')
	if err != nil {
		return value{}, err
	}
	all := make([]string, len(items))
	for i, v := range items {
		all[i] = v.json
	}
	return value{json: "[" + strings.Join(all, ",") + "]"}, nil
}

// list reads values up to the closing byte.
func (p *parser) list(end byte) ([]value, error) {
	var items []value
	for !p.accept(end) {
		if len(items) > 0 && !p.accept(',') {
			return nil, p.fail("expected a comma")
		}
		if len(items) > 0 && p.accept(end) {
			break
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	return items, nil
}

func nameByte(c byte) bool {
	return c == '$' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

func (p *parser) name() string {
	start := p.at
	for p.at < len(p.in) && nameByte(p.in[p.at]) {
		p.at++
	}
	return string(p.in[start:p.at])
}

func (p *parser) number() (value, error) {
	start := p.at
	for p.at < len(p.in) && strings.IndexByte("+-.eExXaAbBcCdDfF", p.in[p.at]) >= 0 || p.peek() >= '0' && p.peek() <= '9' {
		p.at++
	}
	s := strings.TrimPrefix(string(p.in[start:p.at]), "+")
	if s == "-" || s == "" {
		if p.name() == "Infinity" {
			return value{double(s + "Infinity"), number, s + "Infinity"}, nil
		}
		return value{}, p.fail("expected a number")
	}
	if i, err := strconv.ParseInt(s, 0, 64); err == nil {
		return value{strconv.FormatInt(i, 10), number, strconv.FormatInt(i, 10)}, nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil || f != 0 {
		return value{double(format(f)), number, s}, nil
	}
	return value{}, p.fail("expected a number")
}

// format spells a double as extended JSON does.
func format(f float64) string {
	s := strconv.FormatFloat(f, 'G', -1, 64)
	return strings.Replace(s, "Inf", "Infinity", 1)
}

func double(s string) string {
	return `{"$numberDouble":` + quote(strings.TrimPrefix(s, "+")) + `}`
}
