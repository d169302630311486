package export

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

func read(in io.Reader) (*streamtest.Taken, error) {
	var r streamtest.Record
	src, err := stream.Sniff(in, "e", nil)
	if err != nil {
		return nil, err
	}
	if src.Kind != stream.JSON {
		return nil, errors.New("taken for " + string(src.Kind))
	}
	err = New(src, sampler.Namespace{Coll: "x"}).Read(context.Background(), sampler.Budget{}, &r)
	return r.Taken["x"], err
}

// everyType has a document for each type and its extremes, as far as extended
// JSON can spell them.
func everyType(t testing.TB) []bson.Raw {
	dec, err := bson.ParseDecimal128("-1.50E+10")
	if err != nil {
		t.Fatal(err)
	}
	var docs []bson.Raw
	for _, v := range []any{
		1.5, 0.0, -1e300, math.Inf(1), math.Inf(-1), 1.0, 123456789012.0, "", "text \"\\/\b\f\n\r\t\x01é😀\u2028", bson.D{}, bson.D{{Key: "a", Value: bson.D{{Key: "b", Value: nil}}}},
		bson.A{}, bson.A{int32(1), bson.A{"x"}, bson.D{}}, bson.Binary{Subtype: 0, Data: []byte("abc")}, bson.Binary{Subtype: 4, Data: make([]byte, 16)},
		bson.Binary{Subtype: 0x80, Data: nil}, bson.Undefined{}, bson.ObjectID{1, 2, 3}, true, false, bson.DateTime(0), bson.DateTime(1577934245678),
		bson.DateTime(-62135596800001), bson.DateTime(math.MaxInt64), nil, bson.Regex{Pattern: "a/b\"", Options: "imx"}, bson.DBPointer{DB: "a.b", Pointer: bson.ObjectID{1}},
		bson.JavaScript("f()"), bson.Symbol("s"), bson.CodeWithScope{Code: "f", Scope: bson.D{{Key: "x", Value: int32(1)}}}, int32(0), int32(math.MinInt32), int32(math.MaxInt32),
		bson.Timestamp{T: math.MaxUint32, I: 7}, int64(1) << 40, int64(math.MinInt64), int64(math.MaxInt64), dec, bson.MinKey{}, bson.MaxKey{},
	} {
		d, err := bson.Marshal(bson.D{{Key: "_id", Value: bson.NewObjectIDFromTimestamp(time.Unix(1_600_000_000, 0))}, {Key: "v", Value: v}, {Key: "", Value: "empty name"}})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return docs
}

func text(t testing.TB, docs []bson.Raw, canonical, array bool) []byte {
	var out bytes.Buffer
	for i, d := range docs {
		line, err := bson.MarshalExtJSON(d, canonical, false)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case array && i == 0:
			out.WriteString("[")
		case array:
			out.WriteString(",\n")
		}
		out.Write(line)
		if !array {
			out.WriteByte('\n')
		}
	}
	if array {
		out.WriteString("]\n")
	}
	return out.Bytes()
}

// TestEveryType: what a BSON document becomes as extended JSON comes back to
// the same bytes, in every spelling that keeps its types.
func TestEveryType(t *testing.T) {
	docs := everyType(t)
	for _, c := range []struct{ canonical, array, mark bool }{{true, false, false}, {true, true, false}, {true, true, true}, {false, false, false}, {false, true, true}} {
		in := text(t, docs, c.canonical, c.array)
		if c.mark {
			in = append([]byte("\xef\xbb\xbf"), in...)
		}
		var got collect
		src, err := stream.Sniff(iotest.HalfReader(bytes.NewReader(in)), "e", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := New(src, sampler.Namespace{Coll: "x"}).Read(context.Background(), sampler.Budget{}, &got); err != nil {
			t.Fatal(err)
		}
		if got.end.Fault != nil || len(got.docs) != len(docs) {
			t.Fatalf("%+v: %d documents, %v", c, len(got.docs), got.end.Fault)
		}
		for i, d := range docs {
			if !bytes.Equal(got.docs[i], d) {
				t.Errorf("%+v: %v became %v", c, d, got.docs[i])
			}
		}
	}
}

type collect struct {
	docs []bson.Raw
	end  sampler.End
}

func (c *collect) Begin(sampler.Collection) (sampler.Sink, error) { return c, nil }
func (c *collect) End(_ sampler.Collection, e sampler.End) error  { c.end = e; return nil }
func (c *collect) Skip(sampler.Namespace, *sampler.Fault)         {}
func (c *collect) Run(sampler.Run) error                          { return nil }
func (c *collect) Document(d []byte) error {
	c.docs = append(c.docs, bytes.Clone(d))
	return nil
}

// TestRealSets: a real collection exported as canonical JSON is the same to the
// byte as its dump.
func TestRealSets(t *testing.T) {
	for _, name := range []string{"smalldumps/orderexample_orders", "smalldumps/northwind_Orders", "vega/movies"} {
		paths, _ := filepath.Glob(filepath.Join(streamtest.Data(t, "../../../shared/data/sets"), name+".bson.gz"))
		if len(paths) == 0 {
			t.Skipf("no set %s", name)
		}
		docs := streamtest.Documents(t, paths[0])
		var want int64
		for _, d := range docs {
			want += int64(len(d))
		}
		got, err := read(bytes.NewReader(text(t, docs, true, false)))
		if err != nil || got.Bytes != want || got.Documents != int64(len(docs)) || got.End.Fault != nil {
			t.Errorf("%s: %v, %d documents of %d bytes; the dump has %d of %d", name, err, got.Documents, got.Bytes, len(docs), want)
		}
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		in        string
		documents int64
		at        int64 // offset of the fault; -2 for none
		why       string
	}{
		{"[]", 0, -2, ""},
		{"[ ]\n\n", 0, -2, ""},
		{`{"_id":1}`, 1, -2, ""},
		{`{"_id":1}{"_id":2} {"_id":3}`, 3, -2, ""},
		{"[{\"_id\":1},\n {\"_id\":2}]", 2, -2, ""},
		{"[{\"_id\":1}][{\"_id\":2}]", 2, -2, ""},
		{`{"_id":1,"s":"}{\"\\"}`, 1, -2, ""},
		{"{\"_id\":NumberLong(1)}\n{'_id':2}", 2, -2, ""},
		{"{\"_id\":1}\n{\"_id\":", 1, 10, "line 2: cut inside a document"},
		{`[{"_id":1},`, 1, 11, "line 1: cut inside the array"},
		{"{\"_id\":1}\n\n{\"_id\":secret}", 1, 11, "line 3: word that is not known"},
		{"{\"_id\":1}\na,b,c", 1, 10, "line 2: text that is not a JSON document"},
		{`{"_id":1}]`, 1, 9, "line 1: text that is not"},
		{"{\"_id\":{\"$oid\":\"secret\"}}", 0, 0, "line 1: not valid extended JSON"},
		{`{"indexes":[],"uuid":"x"}`, 0, 0, "metadata"},
		{`{"schemaVersion":1,"tool":{}}`, 0, 0, "result of wtsize"},
	} {
		got, err := read(strings.NewReader(c.in))
		var f *sampler.Fault
		if got == nil {
			errors.As(err, &f)
			got = &streamtest.Taken{}
		} else {
			f = got.End.Fault
		}
		switch {
		case got.Documents != c.documents:
			t.Errorf("%q: %d documents", c.in, got.Documents)
		case c.at == -2 && (f != nil || err != nil):
			t.Errorf("%q: %v %v", c.in, f, err)
		case c.at >= 0 && (f == nil || f.Offset != c.at || !strings.Contains(f.Why, c.why)):
			t.Errorf("%q: %v, want %q at %d", c.in, f, c.why, c.at)
		case f != nil && strings.Contains(f.Error(), "secret"):
			t.Errorf("content in the fault: %v", f)
		}
	}
}

func TestLarge(t *testing.T) {
	const n = 12 << 20
	in := `{"_id":1,"s":"` + strings.Repeat("x", n) + `"}`
	got, err := read(strings.NewReader(in))
	if err != nil || got.Documents != 1 || got.Bytes < n || got.End.Fault != nil {
		t.Errorf("%v, %+v", err, got)
	}
	got, err = read(strings.NewReader(`{"_id":1}` + `{"_id":2,"s":"` + strings.Repeat("x", sampler.MaxDocumentBytes) + `"}`))
	if err != nil || got.End.Fault == nil || !strings.Contains(got.End.Fault.Why, "larger than a server stores") {
		t.Errorf("%v, %+v", err, got.End.Fault)
	}
}

func TestNoID(t *testing.T) {
	got, err := read(strings.NewReader(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if w := got.Collection.Warnings; w[len(w)-1].Code != "no-id" {
		t.Errorf("warnings %v", w)
	}
}

func FuzzExport(f *testing.F) {
	f.Add([]byte(`[{"_id":1},{"a":[1,{"b":"}"}]}]`))
	f.Add([]byte("{\"_id\":ObjectId(\"5465667be74bf6e4cb017c54\")}\n{a:/x/}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var c collect
		src, err := stream.Sniff(bytes.NewReader(in), "e", nil)
		if err != nil || src.Kind != stream.JSON {
			return
		}
		_ = New(src, sampler.Namespace{Coll: "x"}).Read(context.Background(), sampler.Budget{}, &c)
		for _, d := range c.docs {
			if d.Validate() != nil {
				t.Errorf("invalid BSON from %q", in)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	in := bytes.Repeat(text(b, everyType(b)[:20], true, false), 200)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		src, err := stream.Sniff(bytes.NewReader(in), "e", nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := New(src, sampler.Namespace{Coll: "x"}).Read(context.Background(), sampler.Budget{}, drop{}); err != nil {
			b.Fatal(err)
		}
	}
}

type drop struct{}

func (d drop) Begin(sampler.Collection) (sampler.Sink, error) { return d, nil }
func (drop) End(sampler.Collection, sampler.End) error        { return nil }
func (drop) Skip(sampler.Namespace, *sampler.Fault)           {}
func (drop) Run(sampler.Run) error                            { return nil }
func (drop) Document([]byte) error                            { return nil }
