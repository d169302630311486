package fields

import (
	"cmp"
	"encoding/binary"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// rewrite appends doc to dst, each of its elements as element appends it. What
// cannot be read is copied.
func rewrite(dst, doc []byte, element func(dst []byte, e elem) []byte) []byte {
	rest, ok := body(doc)
	if !ok {
		return append(dst, doc...)
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0) // the length
	for len(rest) > 0 {
		e, after, ok := next(rest)
		if !ok {
			dst = append(dst, rest...)
			break
		}
		rest = after
		dst = element(dst, e)
	}
	dst = append(dst, 0)
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start))
	return dst
}

// Remove appends doc without the path to dst and returns it. Elements of arrays
// keep their indexes.
func (p Path) Remove(dst, doc []byte) []byte {
	return remove(dst, doc, p.steps, false, 0)
}

func remove(dst, doc []byte, steps []trace, array bool, depth int) []byte {
	if len(steps) == 0 || depth > maxDepth {
		return append(dst, doc...)
	}
	return rewrite(dst, doc, func(dst []byte, e elem) []byte {
		switch {
		case !steps[0].matches(e.Name, array):
			return append(dst, e.raw...)
		case len(steps) == 1:
			return dst
		case e.Nested():
			dst = append(dst, e.raw[:len(e.raw)-len(e.Value)]...)
			return remove(dst, e.Value, steps[1:], e.Type == bson.TypeArray, depth+1)
		}
		return append(dst, e.raw...)
	})
}

// A Shortener knows a short name for every field name counted: letters, the
// shortest for the names that take most bytes, apart for each parent. _id stays,
// and so do keys of maps and array indexes, which are data.
type Shortener struct{ root *node }

// Shortener gives short names to what has been added so far.
func (c *Counter) Shortener() Shortener {
	c.root.assign(true)
	return Shortener{&c.root}
}

// ShortenNames appends doc with short names to dst and returns it.
func (s Shortener) ShortenNames(dst, doc []byte) []byte {
	return shorten(dst, doc, s.root, false, 0)
}

func shorten(dst, doc []byte, at *node, array bool, depth int) []byte {
	if at == nil || depth > maxDepth {
		return append(dst, doc...)
	}
	return rewrite(dst, doc, func(dst []byte, e elem) []byte {
		child, _ := at.find(e.Name, array)
		dst = append(dst, byte(e.Type))
		if child != nil && child.code != "" {
			dst = append(dst, child.code...)
		} else {
			dst = append(dst, e.Name...)
		}
		dst = append(dst, 0)
		if e.Nested() {
			return shorten(dst, e.Value, child, e.Type == bson.TypeArray, depth+1)
		}
		return append(dst, e.Value...)
	})
}

// assign gives codes to the names of a node's children, and below. Names of one
// or two letters are short already; no other gets them.
func (n *node) assign(top bool) {
	byBytes := slices.Clone(n.children)
	slices.SortStableFunc(byBytes, func(a, b *node) int { return cmp.Compare(b.names, a.names) })
	next := 0
	for _, child := range byBytes {
		child.assign(false)
		if child.step != named || len(child.name) <= 2 || top && child.name == "_id" {
			continue
		}
		for n.byName[letters(next)] != nil {
			next++
		}
		child.code = letters(next)
		next++
	}
}

// letters counts a, b, … z, aa, ab, …
func letters(n int) string {
	s := string(rune('a' + n%26))
	if n >= 26 {
		return letters(n/26-1) + s
	}
	return s
}
