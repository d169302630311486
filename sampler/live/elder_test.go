package live

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// TestElderDocuments: the wire version is lifted in greetings, not in documents
// that have such a field.
func TestElderDocuments(t *testing.T) {
	c := &fakemongod.Collection{Name: "a"}
	for i := range 200 {
		c.Add(marshal(bson.D{{Key: "_id", Value: int32(i)}, {Key: "maxWireVersion", Value: int32(8)}}))
	}
	s := serve(t, fakemongod.V42(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
	var v collector
	if err := open(t, Options{URI: s.URI()}).Read(context.Background(), sampler.Budget{}, &v); err != nil {
		t.Fatal(err)
	}
	g := v.find("a")
	if g == nil || len(g.docs) != 200 || g.warned("old-release") == "" || g.coll.Stats.FreeStorageSize == 0 {
		t.Fatalf("read %+v, skipped %v", g, v.skipped)
	}
	for i, d := range g.docs {
		if !bytes.Equal(d, c.Records[i].Doc) {
			t.Fatalf("document %d was changed: %v", i, d)
		}
	}
}

func TestLift(t *testing.T) {
	for version, want := range map[int32]int32{0: 0, 5: 5, 6: 9, 7: 9, 8: 9, 9: 9, 21: 21, -1: -1} {
		m := marshal(bson.D{{Key: "minWireVersion", Value: int32(0)}, {Key: "maxWireVersion", Value: version}})
		lift(m)
		if got := m.Lookup("maxWireVersion").Int32(); got != want {
			t.Errorf("%d becomes %d, want %d", version, got, want)
		}
	}
	for _, m := range [][]byte{nil, wireField, append(bytes.Clone(wireField), 8, 0, 0)} {
		kept := bytes.Clone(m)
		if lift(m); !bytes.Equal(m, kept) {
			t.Errorf("% x becomes % x", kept, m)
		}
	}
}

// FuzzElder: whatever a server sends after a greeting is passed on in full, or
// refused for its length, and nothing is held that a length alone promises.
func FuzzElder(f *testing.F) {
	hello := binary.LittleEndian.AppendUint32(nil, 16+4+1+5)
	f.Add(hello)
	f.Add([]byte{255, 255, 255, 255})
	f.Add([]byte{3, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, sent []byte) {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = theirs.Write(sent)
			_ = theirs.Close()
		}()
		defer ours.Close()
		c := &elderConn{Conn: ours, greeted: true}
		got, err := io.ReadAll(c)
		size := uint64(0)
		if len(sent) >= 4 {
			size = uint64(binary.LittleEndian.Uint32(sent))
		}
		whole := size >= 16 && size <= helloMost && uint64(len(sent)) >= size
		if whole != (err == nil && len(got) > 0) {
			t.Fatalf("% x: %d bytes, error %v", sent, len(got), err)
		}
		if whole && len(got) != len(sent) {
			t.Fatalf("% x: %d of %d bytes", sent, len(got), len(sent))
		}
	})
}

func TestGreeting(t *testing.T) {
	message := func(op uint32, name string) []byte {
		b := make([]byte, 21)
		binary.LittleEndian.PutUint32(b[12:], op)
		return append(b, marshal(bson.D{{Key: name, Value: 1}})...)
	}
	for _, tc := range []struct {
		b    []byte
		want bool
	}{
		{message(opMsg, "hello"), true}, {message(opMsg, "isMaster"), true}, {message(opMsg, "ismaster"), true},
		{message(opMsg, "find"), false}, {message(opMsg, "helloes"), false}, {message(opQuery, "x"), true}, {message(1, "hello"), false},
		{nil, false}, {make([]byte, 20), false},
	} {
		if got := greeting(tc.b); got != tc.want {
			t.Errorf("% x: %v", tc.b, got)
		}
	}
}
