package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/archive/archivetest"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

// TestMany: a thousand collections, four open at a time.
func TestMany(t *testing.T) {
	var list []archivetest.Announced
	for i := range 1000 {
		list = append(list, archivetest.Announced{NS: sampler.Namespace{DB: "shop", Coll: fmt.Sprint("c", i)}, Metadata: meta, Type: "collection"})
	}
	w := archivetest.New(list...)
	for i := range list {
		w.Block(list[i].NS, docs(0, 50)...)
		if i >= 3 {
			w.EOF(list[i-3].NS)
		}
	}
	for _, a := range list[997:] {
		w.EOF(a.NS)
	}
	r, err := read(w.Bytes(), namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Taken) != 1000 || r.MostOpen > 4 {
		t.Errorf("%d collections, %d open at a time", len(r.Taken), r.MostOpen)
	}
	for name, k := range r.Taken {
		if k.Documents != 50 || k.End.Fault != nil {
			t.Fatalf("%s: %d documents, %v", name, k.Documents, k.End.Fault)
		}
	}
}

// heavy gives every collection a Sink of a megabyte and watches the heap.
type heavy struct{ most uint64 }

type heavySink struct{ held []byte }

func (h *heavy) Begin(sampler.Collection) (sampler.Sink, error) {
	return &heavySink{make([]byte, 1<<20)}, nil
}
func (h *heavy) End(sampler.Collection, sampler.End) error {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	h.most = max(h.most, now.HeapAlloc)
	return nil
}
func (h *heavy) Skip(sampler.Namespace, *sampler.Fault) {}
func (*heavySink) Run(sampler.Run) error                { return nil }
func (s *heavySink) Document(doc []byte) error          { copy(s.held, doc); return nil }

// TestLetsGo: what a Visitor keeps of a collection can go after its end.
func TestLetsGo(t *testing.T) {
	w := archivetest.New()
	for i := range 100 {
		ns := sampler.Namespace{DB: "shop", Coll: fmt.Sprint("c", i)}
		w.Block(ns, docs(0, 1)...)
		w.EOF(ns)
	}
	in, err := stream.Sniff(bytes.NewReader(w.Bytes()), "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	var h heavy
	if err := New(in, namespace.Select{}).Read(context.Background(), sampler.Budget{}, &h); err != nil {
		t.Fatal(err)
	}
	if h.most > 30<<20 {
		t.Errorf("the heap held %d MiB after an end", h.most>>20)
	}
}

// blocks repeats one block for as long as it is asked to.
type blocks struct {
	block []byte
	left  int
	at    int
}

func (b *blocks) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.block[b.at:])
	if b.at += n; b.at == len(b.block) {
		b.at = 0
		b.left--
	}
	return n, nil
}

type count struct{ n int64 }

func (c *count) Begin(sampler.Collection) (sampler.Sink, error) { return c, nil }
func (c *count) End(sampler.Collection, sampler.End) error      { return nil }
func (c *count) Skip(sampler.Namespace, *sampler.Fault)         {}
func (c *count) Run(sampler.Run) error                          { return nil }
func (c *count) Document([]byte) error                          { c.n++; return nil }

func TestMemory(t *testing.T) {
	prelude := archivetest.New(all()[0]).Bytes()
	w := archivetest.New(all()[0])
	w.Block(orders, docs(0, 100_000)...)
	block := w.Bytes()[len(prelude):]
	times := (32 << 20) / len(block)
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	in, err := stream.Sniff(io.MultiReader(bytes.NewReader(prelude), &blocks{block: block, left: times}), "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	var c count
	if err := New(in, namespace.Select{}).Read(context.Background(), sampler.Budget{}, &c); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&now)
	if c.n != int64(times)*100_000 {
		t.Errorf("%d documents", c.n)
	}
	if grew := now.TotalAlloc - before.TotalAlloc; grew > 8<<20 {
		t.Errorf("allocated %d bytes in all", grew)
	}
}
