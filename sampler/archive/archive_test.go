package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/archive/archivetest"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

var (
	orders = sampler.Namespace{DB: "shop", Coll: "orders"}
	users  = sampler.Namespace{DB: "shop", Coll: "users"}
	empty  = sampler.Namespace{DB: "shop", Coll: "empty"}
	ts     = sampler.Namespace{DB: "shop", Coll: "ts"}
	bucket = sampler.Namespace{DB: "shop", Coll: "system.buckets.ts"}
	view   = sampler.Namespace{DB: "shop", Coll: "view"}
	system = sampler.Namespace{DB: "admin", Coll: "system.users"}
	oplog  = sampler.Namespace{Coll: "oplog"}
)

const meta = `{"options":{},"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"}],"type":"collection"}`

func docs(from, n int) [][]byte {
	var all [][]byte
	for i := range n {
		d, err := bson.Marshal(bson.D{{Key: "_id", Value: int32(from + i)}, {Key: "v", Value: "a value"}})
		if err != nil {
			panic(err)
		}
		all = append(all, d)
	}
	return all
}

func all() []archivetest.Announced {
	return []archivetest.Announced{
		{NS: orders, Metadata: meta, Type: "collection"}, {NS: users, Metadata: meta, Type: "collection"},
		{NS: empty, Metadata: meta, Type: "collection"}, {NS: ts, Metadata: `{"options":{"timeseries":{"timeField":"t"}},"indexes":[]}`, Type: "timeseries"},
		{NS: view, Metadata: `{"options":{"viewOn":"orders"},"indexes":[]}`, Type: "view"},
		{NS: system, Metadata: meta}, {NS: oplog},
	}
}

// small is an archive with everything in it, interleaved.
func small() *archivetest.Writer {
	w := archivetest.New(all()...)
	w.Block(orders, docs(0, 3)...)
	w.Block(system, docs(0, 1)...)
	w.Block(users, docs(0, 2)...)
	w.EOF(system)
	w.Block(orders, docs(3, 2)...)
	w.Block(oplog, docs(0, 2)...)
	w.EOF(orders)
	w.Block(users)
	w.Block(bucket, docs(0, 1)...)
	w.EOF(empty)
	w.EOF(bucket)
	w.EOF(view)
	w.Block(users, docs(2, 4)...)
	w.EOF(users)
	w.EOF(oplog)
	return w
}

func read(in []byte, s namespace.Select) (*streamtest.Record, error) {
	var r streamtest.Record
	src, err := stream.Sniff(bytes.NewReader(in), "a", nil)
	if err != nil {
		return &r, err
	}
	return &r, New(src, s).Read(context.Background(), sampler.Budget{}, &r)
}

func expect(t *testing.T, r *streamtest.Record, want ...string) {
	t.Helper()
	if got := r.Lines(); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestWhole(t *testing.T) {
	r, err := read(small().Bytes(), namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r,
		"admin.system.users left out: is a system collection",
		"oplog left out: is an oplog: the history of writes, not a collection",
		"shop.empty collection documents=0 bytes=0",
		"shop.orders collection documents=5 bytes=145",
		"shop.ts timeseries documents=1 bytes=29",
		"shop.users collection documents=6 bytes=174",
		"shop.view view documents=0 bytes=0")
	c := r.Taken["shop.orders"].Collection
	if c.Release != "8.0.4" || len(c.Indexes) != 1 {
		t.Errorf("release %q, %d indexes", c.Release, len(c.Indexes))
	}
	e := r.Taken["shop.orders"].End
	if !e.CountMeasured || e.Count != 5 || e.Size != 145 || e.Method != "all" {
		t.Errorf("end %+v", e)
	}
}

func TestSelect(t *testing.T) {
	r, err := read(small().Bytes(), namespace.Select{Include: []string{"shop.*"}, Exclude: []string{"*.orders", "*.v*", "*.empty"}})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "shop.ts timeseries documents=1 bytes=29", "shop.users collection documents=6 bytes=174")
}

// TestEveryCut cuts the archive at every byte. Nothing panics; a collection
// whose end came before the cut is as in the whole archive; every other one is
// marked, or reported as missing.
func TestEveryCut(t *testing.T) {
	whole, err := read(small().Bytes(), namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	in := small().Bytes()
	prelude := archivetest.New(all()...).Len()
	for n := 4; n < len(in); n++ {
		r, err := read(in[:n], namespace.Select{})
		if (err != nil) != (n < prelude) {
			t.Fatalf("cut at %d, prelude of %d: %v", n, prelude, err)
		}
		if err != nil {
			continue
		}
		for name, w := range whole.Taken {
			g := r.Taken[name]
			switch {
			case g == nil && r.Skips[name] == nil:
				t.Fatalf("cut at %d: nothing about %s", n, name)
			case g == nil:
			case g.Ended != 1:
				t.Fatalf("cut at %d: %s ended %d times", n, name, g.Ended)
			case g.End.Fault == nil && g.Sum() != w.Sum():
				t.Fatalf("cut at %d: %s differs, and is not marked", n, name)
			case g.End.Fault != nil && (g.End.Fault.NS != name || g.End.Fault.Offset > int64(n)):
				t.Fatalf("cut at %d: %s: %v", n, name, g.End.Fault)
			}
		}
	}
}

// TestEveryByte damages every byte, one at a time. What is not marked is whole:
// the checksum tells.
func TestEveryByte(t *testing.T) {
	whole, _ := read(small().Bytes(), namespace.Select{})
	prelude := archivetest.New(all()...).Len()
	for n := prelude; n < small().Len(); n++ {
		for _, c := range []byte{0x00, 0xff, 0x80} {
			in := small().Bytes()
			if in[n] == c {
				continue
			}
			in[n] = c
			r, err := read(in, namespace.Select{})
			if err != nil {
				continue
			}
			for name, w := range whole.Taken {
				g := r.Taken[name]
				if g == nil && r.Skips[name] == nil {
					t.Fatalf("byte %d = %#x: nothing about %s", n, c, name)
				}
				if g != nil && g.End.Fault == nil && g.Sum() != w.Sum() {
					t.Fatalf("byte %d = %#x: %s differs, and is not marked", n, c, name)
				}
			}
		}
	}
}

func TestChecksum(t *testing.T) {
	w := archivetest.New(all()[:2]...)
	w.Block(orders, docs(0, 3)...)
	w.Block(users, docs(0, 1)...)
	w.Header(orders, true, 12345)
	w.End()
	w.EOF(users)
	r, err := read(w.Bytes(), namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, fmt.Sprintf("shop.orders collection documents=3 bytes=87: at %d: checksum of 3 documents does not match the archive's", r.Taken["shop.orders"].End.Fault.Offset),
		"shop.users collection documents=1 bytes=29")
}

const logText = "2026-08-30T12:34:56.789+0000\twriting shop.orders to archive on stdout\n"

// TestLog: messages between writes are passed over and named; one inside a
// document spoils that block, is named, and leaves the others alone.
func TestLog(t *testing.T) {
	var w archivetest.Writer
	w.WriteString(logText)
	prelude := archivetest.New(all()[:2]...)
	w.Write(prelude.Bytes())
	body := archivetest.New(all()[:2]...)
	at := body.Len()
	body.Block(orders, docs(0, 3)...)
	body.Block(users, docs(0, 2)...)
	body.EOF(orders)
	body.EOF(users)
	w.Write(body.Bytes()[at:])
	clean := w.Bytes()[len(logText):]
	r, err := read(w.Bytes(), namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "- skipped: at 0: log lines of the dump tool are mixed into the archive (1 passed over)",
		"shop.orders collection documents=3 bytes=87", "shop.users collection documents=2 bytes=58")

	mixed := func(at int) []byte { return slices.Concat(clean[:at], []byte(logText+logText), clean[at:]) }
	first := bytes.Index(clean[prelude.Len():], docs(0, 1)[0]) + prelude.Len() // the first document
	for _, at := range []int{prelude.Len(), first, first + 29} {
		r, err := read(mixed(at), namespace.Select{})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, r, fmt.Sprintf("- skipped: at %d: log lines of the dump tool are mixed into the archive (2 passed over)", at),
			"shop.orders collection documents=3 bytes=87", "shop.users collection documents=2 bytes=58")
	}
	if r, err = read(mixed(first+20), namespace.Select{}); err != nil {
		t.Fatal(err)
	}
	f := r.Taken["shop.orders"].End.Fault
	if f == nil || !strings.Contains(f.Why, "log line") || r.Taken["shop.users"].End.Fault != nil {
		t.Errorf("%v", r.Lines())
	}
}

func TestOddities(t *testing.T) {
	w := archivetest.New(all()[:2]...)
	w.Block(orders, docs(0, 1)...)
	damage := w.Len()
	w.End() // two terminators in a row
	w.Block(users, docs(0, 1)...)
	w.Block(sampler.Namespace{DB: "shop", Coll: "surprise"}, docs(0, 1)...)
	w.EOF(users)
	w.EOF(orders)
	w.EOF(orders)                                                                                                                          // ended already
	w.BSON(bson.D{{Key: "db", Value: "shop"}, {Key: "collection", Value: "surprise"}, {Key: "EOF", Value: false}, {Key: "new", Value: 1}}) // unknown field, no CRC
	w.End()
	r, err := read(w.Bytes(), namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "shop.orders collection documents=1 bytes=29",
		fmt.Sprintf("shop.surprise collection documents=1 bytes=29: at %d: terminator where a block should start", damage),
		"shop.users collection documents=1 bytes=29")
}

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
	times := (128 << 20) / len(block)
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

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in, err := stream.Sniff(bytes.NewReader(small().Bytes()), "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	var r streamtest.Record
	if err := New(in, namespace.Select{}).Read(ctx, sampler.Budget{}, &r); err != context.Canceled {
		t.Errorf("stopped with %v", err)
	}
	if r.Open != 0 {
		t.Errorf("%d collections left open", r.Open)
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(small().Bytes())
	f.Fuzz(func(t *testing.T, in []byte) {
		r, _ := read(in, namespace.Select{})
		if r.Open != 0 {
			t.Errorf("%d collections left open", r.Open)
		}
	})
}
