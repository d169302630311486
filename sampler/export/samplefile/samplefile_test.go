package samplefile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

// calls is a Visitor that writes down everything it is told.
type calls struct{ log []any }

type callSink struct {
	c  *calls
	ns sampler.Namespace
}

func (c *calls) Begin(k sampler.Collection) (sampler.Sink, error) {
	c.log = append(c.log, k)
	return callSink{c, k.NS}, nil
}
func (c *calls) End(k sampler.Collection, e sampler.End) error {
	c.log = append(c.log, k.NS, e)
	return nil
}
func (c *calls) Skip(ns sampler.Namespace, f *sampler.Fault) { c.log = append(c.log, ns, f) }
func (s callSink) Run(r sampler.Run) error {
	s.c.log = append(s.c.log, s.ns, r)
	return nil
}
func (s callSink) Document(d []byte) error {
	s.c.log = append(s.c.log, s.ns, string(d))
	return nil
}

func doc(t testing.TB, v any) bson.Raw {
	d, err := bson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// play makes the calls of two collections, one after the other as the writer
// keeps them, and of a namespace without figures.
func play(t testing.TB, v sampler.Visitor) {
	full := sampler.Collection{
		NS: sampler.Namespace{DB: "shop", Coll: "orders"}, Type: sampler.Capped, Options: doc(t, bson.D{{Key: "capped", Value: true}}),
		ConfigString: "block_compressor=zstd", Release: "8.0.4",
		Indexes:  []sampler.Index{{Spec: doc(t, bson.D{{Key: "name", Value: "_id_"}}), Size: 4096, Free: 1}},
		Stats:    &sampler.Stats{Count: 7, Size: 1 << 40, Server: sampler.Server{Product: "MongoDB", CacheBytes: 1 << 30}},
		Warnings: []sampler.Warning{{Code: "c", Text: "t"}},
	}
	bare := sampler.Collection{NS: sampler.Namespace{Coll: "x"}, Type: sampler.Plain}
	check := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for i, c := range []sampler.Collection{full, bare} {
		k, err := v.Begin(c)
		check(err)
		var bytes, docs int64
		for r := range 3 {
			if i == 0 {
				check(k.Run(sampler.Run{Position: float64(r) / 3, Stratum: r, RecordID: int64(r) << 40}))
			}
			for n := range 100 {
				// Some of them look like records.
				d := doc(t, bson.D{{Key: "wtsize", Value: bson.D{{Key: "eof", Value: int32(1)}}}, {Key: "s", Value: strings.Repeat("x", n*50)}})
				check(k.Document(d))
				bytes, docs = bytes+int64(len(d)), docs+1
			}
		}
		e := sampler.End{Documents: docs, Bytes: bytes, Count: 10 * docs, Size: 10*bytes + 1, CountStdErr: 0.1, Method: "runs"}
		if i == 1 {
			e.Fault = &sampler.Fault{Source: "f", NS: "x", Offset: 5, Why: "cut", Hint: "h", Err: errors.New("cause"), Expected: true}
		}
		check(v.End(c, e))
	}
	v.Skip(sampler.Namespace{DB: "a", Coll: "b"}, &sampler.Fault{Source: "f", Offset: -1, Why: "is a view"})
}

func sample(t testing.TB) []byte {
	var file bytes.Buffer
	w, err := NewWriter(&file, "live", "cluster.example.net")
	if err != nil {
		t.Fatal(err)
	}
	play(t, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func read(t testing.TB, file []byte, v sampler.Visitor, want namespace.Select) error {
	in, err := stream.Sniff(bytes.NewReader(file), "s", nil)
	if err != nil {
		return err
	}
	if in.Kind != stream.Sample {
		in.Close()
		return fmt.Errorf("taken for %s", in.Kind)
	}
	return New(in, want).Read(context.Background(), sampler.Budget{}, v)
}

func TestRoundTrip(t *testing.T) {
	var want, got calls
	play(t, &want)
	if err := read(t, sample(t), &got, namespace.Select{}); err != nil {
		t.Fatal(err)
	}
	if len(want.log) != len(got.log) {
		t.Fatalf("%d calls became %d", len(want.log), len(got.log))
	}
	for i := range want.log {
		w, g := want.log[i], got.log[i]
		if f, ok := w.(*sampler.Fault); ok {
			w, g = *f, *g.(*sampler.Fault)
		}
		if e, ok := w.(sampler.End); ok && e.Fault != nil {
			ge := g.(sampler.End)
			if e.Fault.Error() != ge.Fault.Error() || e.Fault.Hint != ge.Fault.Hint || e.Fault.Expected != ge.Fault.Expected {
				t.Errorf("fault %+v became %+v", e.Fault, ge.Fault)
			}
			e.Fault, ge.Fault = nil, nil
			w, g = e, ge
		}
		if !reflect.DeepEqual(w, g) {
			t.Errorf("call %d: %+v became %+v", i, w, g)
		}
	}
}

func TestSelect(t *testing.T) {
	var got calls
	if err := read(t, sample(t), &got, namespace.Select{DB: "shop", Coll: "orders"}); err != nil {
		t.Fatal(err)
	}
	for _, l := range got.log {
		if ns, ok := l.(sampler.Namespace); ok && ns.Coll != "orders" {
			t.Fatalf("%v was not asked for", ns)
		}
	}
}

// TestCut: whatever is missing at the end is a fault, and no call is made up.
func TestCut(t *testing.T) {
	file := sample(t)
	var whole calls
	play(t, &whole)
	for n := 1; n < len(file); n += 7 {
		if n > 1500 && n < len(file)-1500 {
			n += 40_000
		}
		var got calls
		err := read(t, file[:n], &got, namespace.Select{})
		if len(got.log) > len(whole.log)+2 {
			t.Fatalf("cut at %d: more calls than in the whole file", n)
		}
		if err != nil {
			continue
		}
		last := got.log[len(got.log)-1]
		f, _ := last.(*sampler.Fault)
		if e, ok := last.(sampler.End); ok {
			f = e.Fault
		}
		if f == nil {
			t.Fatalf("cut at %d of %d: no fault", n, len(file))
		}
	}
}

func TestDamage(t *testing.T) {
	file := sample(t)
	at := bytes.Index(file, []byte("xxxxxxxxxx"))
	file[at]++
	var got calls
	if err := read(t, file, &got, namespace.Select{}); err != nil {
		t.Fatal(err)
	}
	f, ok := got.log[len(got.log)-1].(*sampler.Fault)
	if !ok || !strings.Contains(f.Why, "checksum") {
		t.Errorf("a changed byte ended in %v", got.log[len(got.log)-1])
	}
}

func FuzzSource(f *testing.F) {
	f.Add(sample(f)[:4000])
	f.Fuzz(func(t *testing.T, file []byte) {
		var got calls
		_ = read(t, file, &got, namespace.Select{})
	})
}
