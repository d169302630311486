package element

import (
	"bytes"
	"encoding/binary"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// TestTypes walks a document of every type, deprecated ones too.
func TestTypes(t *testing.T) {
	all := bson.D{
		{Key: "double", Value: 1.5}, {Key: "string", Value: "x"}, {Key: "doc", Value: bson.D{{Key: "a", Value: 1}}},
		{Key: "array", Value: bson.A{1, "x"}}, {Key: "bin", Value: bson.Binary{Subtype: 2, Data: []byte("x")}},
		{Key: "undefined", Value: bson.Undefined{}}, {Key: "oid", Value: bson.ObjectID{1}}, {Key: "bool", Value: true},
		{Key: "date", Value: bson.DateTime(5)}, {Key: "null", Value: nil}, {Key: "regex", Value: bson.Regex{Pattern: "a", Options: "i"}},
		{Key: "pointer", Value: bson.DBPointer{DB: "a.b"}}, {Key: "js", Value: bson.JavaScript("x")}, {Key: "symbol", Value: bson.Symbol("x")},
		{Key: "scope", Value: bson.CodeWithScope{Code: "x", Scope: bson.D{{Key: "y", Value: 1}}}}, {Key: "int", Value: int32(1)},
		{Key: "ts", Value: bson.Timestamp{T: 1}}, {Key: "long", Value: int64(1)}, {Key: "decimal", Value: bson.NewDecimal128(1, 2)},
		{Key: "min", Value: bson.MinKey{}}, {Key: "max", Value: bson.MaxKey{}}, {Key: "max", Value: bson.MaxKey{}}, {Key: "", Value: "\xff"},
	}
	d, err := bson.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := WalkDeep(d); err != nil {
		t.Error(err)
	}
	for n := 4; n < len(d); n++ {
		if !Plausible(d[:n], len(d)) {
			t.Errorf("the first %d bytes are not plausible", n)
		}
	}
	for i := range d { // no length or type may be changed unnoticed into a panic
		for _, c := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			e := bytes.Clone(d)
			e[i] = c
			if WalkDeep(e) == nil && !Plausible(e[:len(e)/2], len(e)) {
				t.Errorf("byte %d = %d: in order, but its start is not plausible", i, c)
			}
		}
	}
}

// However deep a document is nested, as much is looked into as memory is safe for.
func TestDeepNesting(t *testing.T) {
	d := []byte{5, 0, 0, 0, 0}
	for range 5000 {
		outer := append(append(append(make([]byte, 4), byte(bson.TypeEmbeddedDocument), 'a', 0), d...), 0)
		binary.LittleEndian.PutUint32(outer, uint32(len(outer)))
		d = outer
	}
	if err := WalkDeep(d); err != nil {
		t.Error(err)
	}
}

// FuzzWalk: what is in order starts plausibly, wherever it is cut.
func FuzzWalk(f *testing.F) {
	d, _ := bson.Marshal(bson.D{{Key: "a", Value: "x"}, {Key: "b", Value: bson.A{1, bson.Regex{Pattern: "p"}}}, {Key: "c", Value: bson.CodeWithScope{Code: "f", Scope: bson.D{}}}})
	f.Add(d, 20)
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		if WalkDeep(in) != nil {
			return
		}
		if err := Walk(in); err != nil {
			t.Errorf("in order when looked at closely, not from afar: %v", err)
		}
		cut = min(max(cut, 5), len(in))
		if !Plausible(in[:cut], len(in)) {
			t.Errorf("%x is in order, its first %d bytes are not plausible", in, cut)
		}
	})
}
