package keystring

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// A Kind is how an index makes keys from a document.
type Kind string

// The kinds, spelled as in the JSON result.
const (
	ID        Kind = "_id"
	Plain     Kind = "plain"
	Hashed    Kind = "hashed"
	Text      Kind = "text"
	TwoD      Kind = "2d"
	Sphere    Kind = "2dsphere"
	Wildcard  Kind = "wildcard"
	Clustered Kind = "clustered" // the collection itself: there is no index file
)

// A Field is one part of a key pattern.
type Field struct {
	Path       string
	Descending bool
	Plugin     string // "hashed", "text", "2d", "2dsphere", or ""
}

// An Index is an index specification. It is immutable; New compiles it.
type Index struct {
	Name    string
	Fields  []Field
	Kind    Kind
	Version int // 1 or 2
	Unique  bool
	Sparse  bool
	Hidden  bool
	// Partial: there is a partialFilterExpression.
	Partial bool
	// ExpireAfterSeconds is of a TTL index, -1 otherwise.
	ExpireAfterSeconds int64
	// ConfigString is storageEngine.wiredTiger.configString.
	ConfigString string
	// Ignored lists parts of the specification the model leaves out.
	Ignored []string

	filter     *filter
	collation  *collation
	projection *projection
	text       textOptions
	geo2d      geo2dOptions
	sphere     sphereOptions
	hashSeed   int32
}

// ErrSpec is in every error about an index specification.
var ErrSpec = errors.New("index specification")

func specError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSpec, fmt.Sprintf(format, args...))
}

// Parse reads a listIndexes document, as servers and dumps of every release
// have them: numbers of any type, background, ns and other options ignored.
func Parse(spec bson.Raw) (Index, error) {
	ix := Index{Version: 2, ExpireAfterSeconds: -1}
	doc := []byte(spec)
	if checkDocument(doc) != nil {
		return ix, specError("not a document")
	}
	get := func(name string) elem { e, _ := lookup(doc, name); return e }
	key := get("key")
	if key.typ != tObject {
		return ix, specError("no key pattern")
	}
	ix.Name = stringOf(get("name"))
	if v, ok := number(get("v")); ok && v < 2 {
		ix.Version = 1
	}
	ix.Unique, ix.Sparse, ix.Hidden = truth(get("unique")), truth(get("sparse")), truth(get("hidden"))
	if v, ok := number(get("expireAfterSeconds")); ok {
		ix.ExpireAfterSeconds = int64(v)
	}
	ix.ConfigString = configString(get("storageEngine"))
	if err := ix.readKey(key.val); err != nil {
		return ix, err
	}
	if truth(get("clustered")) {
		ix.Kind = Clustered
	}
	return ix, ix.readOptions(get)
}

// readOptions reads what belongs to one kind, and the options that any may have.
func (ix *Index) readOptions(get func(string) elem) (err error) {
	if e := get("partialFilterExpression"); e.typ == tObject {
		ix.Partial = true
		if ix.filter, ix.Ignored, err = parseFilter(e.val, 0); err != nil {
			return specError("partialFilterExpression: %v", err)
		}
	}
	if e := get("collation"); e.typ == tObject {
		ix.collation = parseCollation(e.val)
	}
	if v, ok := number(get("seed")); ok {
		ix.hashSeed = int32(v)
	}
	switch ix.Kind {
	case Text:
		ix.text = parseText(get, ix.Fields)
	case TwoD:
		ix.geo2d = parse2D(get)
	case Sphere:
		ix.sphere = parseSphere(get)
	case Wildcard:
		if ix.projection, err = parseProjection(get("wildcardProjection"), ix.wildcardRoot()); err != nil {
			return specError("wildcardProjection: %v", err)
		}
	}
	return nil
}

// readKey reads the key pattern and finds the kind.
func (ix *Index) readKey(doc []byte) error {
	for r := newReader(doc); ; {
		name, e, ok, err := r.next()
		if err != nil {
			return specError("key pattern: %v", err)
		}
		if !ok {
			break
		}
		f := Field{Path: string(name)}
		if v, ok := number(e); ok {
			f.Descending = v < 0
		} else if e.typ == tString {
			f.Plugin = string(e.text())
		}
		ix.Fields = append(ix.Fields, f)
	}
	if len(ix.Fields) == 0 {
		return specError("empty key pattern")
	}
	return ix.findKind()
}

func (ix *Index) findKind() error {
	ix.Kind = Plain
	for _, f := range ix.Fields {
		switch f.Plugin {
		case "":
			if isWildcard(f.Path) {
				ix.Kind = Wildcard
			}
		case "hashed", "text", "2d", "2dsphere":
			ix.Kind = Kind(f.Plugin)
		default:
			return specError("kind %q is not supported", f.Plugin)
		}
		if f.Path == "" {
			return specError("empty field name in the key pattern")
		}
	}
	if len(ix.Fields) == 1 && ix.Fields[0].Path == "_id" && ix.Kind == Plain {
		ix.Kind = ID
	}
	return nil
}

func isWildcard(path string) bool { return path == "$**" || strings.HasSuffix(path, ".$**") }

// wildcardRoot is "a.b" of the pattern {"a.b.$**": 1}, "" of {"$**": 1}.
func (ix *Index) wildcardRoot() string {
	for _, f := range ix.Fields {
		if root, ok := strings.CutSuffix(f.Path, ".$**"); ok {
			return root
		}
	}
	return ""
}

func configString(engine elem) string {
	if engine.typ != tObject {
		return ""
	}
	wt, _ := lookup(engine.val, "wiredTiger")
	if wt.typ != tObject {
		return ""
	}
	s, _ := lookup(wt.val, "configString")
	return stringOf(s)
}

func stringOf(e elem) string {
	if e.typ != tString {
		return ""
	}
	return string(e.text())
}

// number is the value of any numeric type but decimal.
func number(e elem) (float64, bool) {
	switch e.typ {
	case tInt32:
		return float64(int32(binary.LittleEndian.Uint32(e.val))), true
	case tInt64:
		return float64(int64(binary.LittleEndian.Uint64(e.val))), true
	case tDouble:
		return math.Float64frombits(binary.LittleEndian.Uint64(e.val)), true
	}
	return 0, false
}

// truth is a server's idea of a flag: old tools wrote 1 and 1.0 for true.
func truth(e elem) bool {
	if e.typ == tBool {
		return e.val[0] != 0
	}
	v, ok := number(e)
	return ok && v != 0
}
