package keystring

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// ParseKey reads a key pattern as people type it:
//
//	{userId: 1, "address.city": -1, place: '2dsphere'}
//
// Names need no quotes, dotted ones either; values are 1, -1 or a kind.
func ParseKey(s string) (Index, error) {
	p := keyParser{rest: strings.TrimSpace(s)}
	doc := []byte{0, 0, 0, 0}
	if !p.take('{') {
		return Index{}, specError("a key pattern looks like {field: 1}")
	}
	seen := map[string]bool{}
	for !p.take('}') {
		name, err := p.name()
		if err != nil {
			return Index{}, err
		}
		if seen[name] {
			return Index{}, specError("field %q is named twice", name)
		}
		seen[name] = true
		if doc, err = p.value(doc, name); err != nil {
			return Index{}, err
		}
		if !p.take(',') && !strings.HasPrefix(p.rest, "}") {
			return Index{}, specError("expected a comma or } after field %q", name)
		}
	}
	if p.rest != "" {
		return Index{}, specError("text after the key pattern")
	}
	doc = append(doc, 0)
	binary.LittleEndian.PutUint32(doc, uint32(len(doc)))
	return parsePattern(doc)
}

// parsePattern gives the index a server would make of a key pattern alone.
func parsePattern(key bson.Raw) (Index, error) {
	spec, err := bson.Marshal(bson.D{{Key: "v", Value: 2}, {Key: "key", Value: key}})
	if err != nil {
		return Index{}, specError("key pattern: %v", err)
	}
	ix, err := Parse(spec)
	ix.Name = ix.defaultName()
	return ix, err
}

// defaultName is what a server calls an index without a name: fields and
// directions joined by underscores.
func (ix *Index) defaultName() string {
	if ix.Kind == ID {
		return "_id_"
	}
	var parts []string
	for _, f := range ix.Fields {
		direction := f.Plugin
		switch {
		case direction != "":
		case f.Descending:
			direction = "-1"
		default:
			direction = "1"
		}
		parts = append(parts, f.Path, direction)
	}
	return strings.Join(parts, "_")
}

type keyParser struct{ rest string }

// take skips space, and c if it comes next.
func (p *keyParser) take(c byte) bool {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = strings.TrimLeft(p.rest[1:], " \t\r\n")
	return true
}

// name reads a field name and the colon.
func (p *keyParser) name() (string, error) {
	name, quoted, err := p.quoted()
	if err != nil {
		return "", err
	}
	if !quoted {
		i := strings.IndexAny(p.rest, ":,{}\"' \t\r\n")
		if i <= 0 {
			return "", specError("expected a field name")
		}
		name, p.rest = p.rest[:i], p.rest[i:]
	}
	if name == "" || strings.IndexByte(name, 0) >= 0 {
		return "", specError("empty field name in the key pattern")
	}
	if !p.take(':') {
		return "", specError("expected a colon after field %q", name)
	}
	return name, nil
}

// quoted reads a string in either kind of quotes, if there is one.
func (p *keyParser) quoted() (s string, ok bool, err error) {
	if p.rest == "" || p.rest[0] != '"' && p.rest[0] != '\'' {
		return "", false, nil
	}
	quote := p.rest[0]
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == quote:
			p.rest = p.rest[i+1:]
			return b.String(), true, nil
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false, specError("a quote is not closed")
}

// value reads 1, -1 or a kind, and appends it as a BSON element.
func (p *keyParser) value(doc []byte, name string) ([]byte, error) {
	s, quoted, err := p.quoted()
	if err != nil {
		return nil, err
	}
	if quoted {
		doc = append(append(append(doc, tString), name...), 0)
		return append(doc, stringElem([]byte(s)).val...), nil
	}
	i := strings.IndexAny(p.rest, ",}")
	if i < 0 {
		return nil, specError("the key pattern is not closed")
	}
	word := strings.TrimSpace(p.rest[:i])
	p.rest = p.rest[i:]
	v, err := strconv.ParseFloat(word, 64)
	switch {
	case err != nil && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz2") == "" && word != "":
		doc = append(append(append(doc, tString), name...), 0)
		return append(doc, stringElem([]byte(word)).val...), nil
	case err != nil || v == 0 || math.IsNaN(v) || math.IsInf(v, 0):
		return nil, specError("field %q: expected 1, -1 or a kind such as \"hashed\"", name)
	case v < 0:
		v = -1
	default:
		v = 1
	}
	doc = append(append(append(doc, tInt32), name...), 0)
	return binary.LittleEndian.AppendUint32(doc, uint32(int32(v))), nil
}

// Pattern is the key pattern as a document, for reports: 1, -1 or a kind.
func (ix Index) Pattern() bson.D {
	d := make(bson.D, 0, len(ix.Fields))
	for _, f := range ix.Fields {
		var v any = 1
		switch {
		case f.Plugin != "":
			v = f.Plugin
		case f.Descending:
			v = -1
		}
		d = append(d, bson.E{Key: f.Path, Value: v})
	}
	return d
}
