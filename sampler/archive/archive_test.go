package archive

import (
	"bytes"
	"context"
	"fmt"
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
