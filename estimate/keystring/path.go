package keystring

import "strings"

// A path is a dotted field name, split.
type path []string

func splitPath(s string) path { return strings.Split(s, ".") }

// along follows the path from component at: it gives the value there, or the
// first array on the way, and the component after it. next is len(p) when the
// whole path was followed or nothing was found.
// MongoDB: extractElementAtPathOrArrayAlongPath (bson/dotted_path_support.cpp).
func (p path) along(doc []byte, at int) (e elem, next int, err error) {
	for {
		e, err = lookup(doc, p[at])
		at++
		if err != nil || e.typ == tMissing {
			return missing, len(p), err
		}
		if e.typ == tArray || at == len(p) {
			return e, at, nil
		}
		if e.typ != tObject {
			return missing, len(p), nil
		}
		doc = e.val
	}
}

// each calls visit with every value the path leads to, going into arrays on the
// way; expand also opens an array at its end.
// MongoDB: extractAllElementsAlongPath (bson/dotted_path_support.cpp).
func (p path) each(doc []byte, expand bool, visit func(elem) error) error {
	e, err := lookup(doc, p[0])
	if err != nil || e.typ == tMissing {
		return err
	}
	if len(p) == 1 {
		if e.typ == tArray && expand {
			return eachItem(e.val, visit)
		}
		return visit(e)
	}
	switch {
	case e.typ == tObject, e.typ == tArray && isDigits(p[1]):
		return p[1:].each(e.val, expand, visit)
	case e.typ == tArray:
		return eachItem(e.val, func(item elem) error {
			if item.typ != tObject && item.typ != tArray {
				return nil
			}
			return p[1:].each(item.val, expand, visit)
		})
	}
	return nil
}

func eachItem(doc []byte, visit func(elem) error) error {
	for r := newReader(doc); ; {
		_, e, ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		if err := visit(e); err != nil {
			return err
		}
	}
}
