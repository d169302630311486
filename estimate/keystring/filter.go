package keystring

import "bytes"

// A filter is a partialFilterExpression. Documents that do not match have no
// entry. MongoDB allows $eq, $gt, $gte, $lt, $lte, $in, $exists: true, $type,
// $and and $or: src/mongo/db/catalog/index_catalog_impl.cpp,
// _checkValidFilterExpressions. Other operators count as true and are listed.
type filter struct {
	op    filterOp
	parts []*filter // of and, or
	path  path
	key   []byte // operand as an ascending component
	kind  byte   // its generic type
	in    [][]byte
	types map[byte]bool
}

type filterOp int

const (
	opAnd filterOp = iota
	opOr
	opEqual
	opGreater
	opGreaterEqual
	opLess
	opLessEqual
	opIn
	opExists
	opAbsent
	opType
)

var comparisons = map[string]filterOp{"$eq": opEqual, "$gt": opGreater, "$gte": opGreaterEqual,
	"$lt": opLess, "$lte": opLessEqual}

// parseFilter reads a match expression; ignored names what is not evaluated.
func parseFilter(doc []byte, depth int) (f *filter, ignored []string, err error) {
	if depth > maxDepth {
		return nil, nil, ErrMalformed
	}
	f = &filter{op: opAnd}
	for r := newReader(doc); ; {
		name, e, ok, err := r.next()
		if err != nil || !ok {
			return f, ignored, err
		}
		var parts []*filter
		var skip []string
		switch n := string(name); {
		case n == "$and" || n == "$or":
			parts, skip, err = parseBranches(n, e, depth)
		case n != "" && n[0] == '$':
			skip = []string{n}
		default:
			parts, skip, err = parseConditions(splitPath(n), e)
		}
		if err != nil {
			return nil, nil, err
		}
		f.parts = append(f.parts, parts...)
		ignored = append(ignored, skip...)
	}
}

func parseBranches(name string, e elem, depth int) (parts []*filter, ignored []string, err error) {
	if e.typ != tArray {
		return nil, []string{name}, nil
	}
	f := &filter{op: opAnd}
	if name == "$or" {
		f.op = opOr
	}
	err = eachItem(e.val, func(item elem) error {
		if item.typ != tObject {
			return ErrMalformed
		}
		sub, skip, err := parseFilter(item.val, depth+1)
		if err != nil {
			return err
		}
		f.parts, ignored = append(f.parts, sub), append(ignored, skip...)
		return nil
	})
	return []*filter{f}, ignored, err
}

// parseConditions reads what stands after a field: an operand, or an object of
// operators.
func parseConditions(p path, e elem) (parts []*filter, ignored []string, err error) {
	if e.typ != tObject {
		f, err := comparison(opEqual, p, e)
		return []*filter{f}, nil, err
	}
	first := true
	for r := newReader(e.val); ; first = false {
		name, v, ok, err := r.next()
		if err != nil {
			return nil, nil, err
		}
		if first && (!ok || len(name) == 0 || name[0] != '$') {
			f, err := comparison(opEqual, p, e)
			return []*filter{f}, nil, err
		}
		if !ok {
			return parts, ignored, nil
		}
		f, err := operator(string(name), p, v)
		if err != nil {
			return nil, nil, err
		}
		if f == nil {
			ignored = append(ignored, string(name))
			continue
		}
		parts = append(parts, f)
	}
}

// operator reads one operator; nil when it is not evaluated.
func operator(name string, p path, v elem) (*filter, error) {
	if op, ok := comparisons[name]; ok {
		return comparison(op, p, v)
	}
	switch name {
	case "$exists":
		if truth(v) {
			return &filter{op: opExists, path: p}, nil
		}
		return &filter{op: opAbsent, path: p}, nil
	case "$in":
		if v.typ != tArray {
			return nil, nil
		}
		f := &filter{op: opIn, path: p}
		err := eachItem(v.val, func(item elem) error {
			k, err := encode(nil, item)
			f.in = append(f.in, k)
			return err
		})
		return f, err
	case "$type":
		f := &filter{op: opType, path: p, types: map[byte]bool{}}
		if v.typ != tArray {
			return f, f.addType(v)
		}
		return f, eachItem(v.val, f.addType)
	}
	return nil, nil
}

func comparison(op filterOp, p path, v elem) (*filter, error) {
	k, err := encode(nil, v)
	return &filter{op: op, path: p, key: k, kind: genericType(v.typ)}, err
}

// encode is a value as an ascending component: memcmp of two compares them.
func encode(dst []byte, e elem) ([]byte, error) {
	b := builder{buf: dst}
	err := b.component(e, false)
	return b.buf, err
}

var typeNames = map[string]byte{"double": tDouble, "string": tString, "object": tObject, "array": tArray,
	"binData": tBinary, "undefined": tUndefined, "objectId": tObjectID, "bool": tBool, "date": tDate,
	"null": tNull, "regex": tRegex, "dbPointer": tDBPointer, "javascript": tCode, "symbol": tSymbol,
	"javascriptWithScope": tCodeScope, "int": tInt32, "timestamp": tTimestamp, "long": tInt64,
	"decimal": tDecimal, "minKey": tMinKey, "maxKey": tMaxKey}

func (f *filter) addType(v elem) error {
	if n, ok := number(v); ok {
		f.types[byte(int(n))] = true // minKey is -1
		return nil
	}
	switch s := stringOf(v); s {
	case "number":
		for _, t := range []byte{tDouble, tInt32, tInt64, tDecimal} {
			f.types[t] = true
		}
	default:
		f.types[typeNames[s]] = true
	}
	return nil
}

// match reports whether a document passes.
func (f *filter) match(doc []byte) (bool, error) {
	switch f.op {
	case opAnd, opOr:
		for _, p := range f.parts {
			ok, err := p.match(doc)
			if err != nil || ok == (f.op == opOr) {
				return ok, err
			}
		}
		return f.op == opAnd, nil
	}
	found := false
	err := f.path.values(doc, func(e elem) error {
		ok, err := f.accepts(e)
		found = found || ok
		return err
	})
	return found != (f.op == opAbsent), err
}

// values calls visit with everything a condition on the path is tried on: the
// value, the elements of an array as well as the array, a missing value for
// each object without the field.
// MongoDB: src/mongo/db/matcher/path.cpp, BSONElementIterator.
func (p path) values(doc []byte, visit func(elem) error) error {
	e, err := lookup(doc, p[0])
	if err != nil {
		return err
	}
	if len(p) == 1 {
		if e.typ == tArray {
			if err := eachItem(e.val, visit); err != nil {
				return err
			}
		}
		return visit(e)
	}
	switch e.typ {
	case tObject:
		return p[1:].values(e.val, visit)
	case tArray:
		if isDigits(p[1]) {
			if err := p[1:].values(e.val, visit); err != nil {
				return err
			}
		}
		return eachItem(e.val, func(item elem) error {
			if item.typ != tObject {
				return nil
			}
			return p[1:].values(item.val, visit)
		})
	}
	return visit(missing)
}

// accepts tries one value. Comparisons hold within one type only.
func (f *filter) accepts(e elem) (bool, error) {
	switch f.op {
	case opExists, opAbsent:
		return e.typ != tMissing, nil
	case opType:
		return e.typ != tMissing && f.types[e.typ], nil
	}
	var scratch [64]byte
	k, err := encode(scratch[:0], e)
	if err != nil {
		return false, err
	}
	if f.op == opIn {
		for _, in := range f.in {
			if bytes.Equal(k, in) {
				return true, nil
			}
		}
		return false, nil
	}
	kind := genericType(e.typ)
	if kind != f.kind && f.kind != keyMinKey && f.kind != keyMaxKey {
		return false, nil
	}
	if kind == keyNumber && f.op != opEqual && (k[0] == numNaN) != (f.key[0] == numNaN) {
		return false, nil // NaN compares with nothing but itself
	}
	return f.holds(bytes.Compare(k, f.key)), nil
}

func (f *filter) holds(order int) bool {
	switch f.op {
	case opGreater:
		return order > 0
	case opGreaterEqual:
		return order >= 0
	case opLess:
		return order < 0
	case opLessEqual:
		return order <= 0
	}
	return order == 0
}
