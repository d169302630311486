package fields

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Path is one field path and the bytes it holds.
type Path struct {
	// Name is what the reader knows it by: items[].price, counters.*.
	Name string
	// Type is the type of its values, the most frequent first: "string|null".
	Type string
	// Documents that have it.
	Documents int64
	// Raw bytes of BSON: type, name and value of every element, all that is
	// nested in them included.
	Raw int64
	// NameBytes are those of Raw that spell the path's own name.
	NameBytes int64

	steps []trace
}

// trace is one step of a path from the document to the field.
type trace struct {
	step step
	name string // where step is named
}

// matches tells whether the step leads to a name of a document or array.
func (t trace) matches(name []byte, array bool) bool {
	switch t.step {
	case anyItem:
		return array
	case anyKey:
		return !array
	case dataKey:
		return !array && looksLikeData(name)
	}
	return !array && string(name) == t.name
}

// display joins steps. Names come from documents: what is not printable in
// them is escaped.
func display(steps []trace) string {
	var b strings.Builder
	for _, s := range steps {
		if s.step == anyItem {
			b.WriteString("[]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		switch {
		case s.step != named:
			b.WriteByte('*')
		case s.name == "":
			b.WriteString(`""`)
		default:
			b.WriteString(readable(s.name))
		}
	}
	return b.String()
}

func readable(name string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(name, "\ufffd") {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

// maxTypes is how many types are named.
const maxTypes = 3

func (n *node) types() string {
	var kinds []int
	for k, count := range n.kinds {
		if count > 0 {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b int) int { return cmp.Compare(n.kinds[b], n.kinds[a]) })
	var names []string
	for _, k := range kinds[:min(len(kinds), maxTypes)] {
		names = append(names, aliases[bson.Type(k)])
	}
	if len(kinds) > maxTypes {
		names = append(names, "…")
	}
	return strings.Join(names, "|")
}

// maxName is the longest name that is taken for one.
const maxName = 64

// looksLikeData tells names that people do not give to fields: numbers, long
// hexadecimal codes (ObjectIds, UUIDs, hashes), addresses, anything very long.
func looksLikeData(name []byte) bool {
	if len(name) > maxName {
		return true
	}
	var digits, hex, dashes int
	for _, c := range name {
		switch {
		case c == '@' || c == '/':
			return true
		case c >= '0' && c <= '9':
			digits++
			hex++
		case c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
			hex++
		case c == '-' || c == ':':
			dashes++
		}
	}
	if digits == 0 {
		return false
	}
	return digits+dashes == len(name) || hex >= 16 && hex+dashes == len(name)
}
