package ferrettest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// tool runs one of MongoDB's tools; the test is skipped where it is not there.
func tool(t *testing.T, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// recorded reads all of a dump.
func recorded(t *testing.T, path string, s dump.Select) *streamtest.Record {
	t.Helper()
	src, err := dump.Open(path, dump.Options{Select: s})
	if err != nil {
		t.Fatal(err)
	}
	var r streamtest.Record
	if err := src.Read(context.Background(), sampler.Budget{}, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// same compares what was read with what was inserted, to the byte.
func same(t *testing.T, form, name string, got *streamtest.Taken, want []bson.Raw) {
	t.Helper()
	size, sum := int64(0), sha256.New()
	for _, d := range want {
		size += int64(len(d))
		sum.Write(d)
	}
	switch {
	case got == nil:
		t.Errorf("%s: no %s", form, name)
	case got.End.Fault != nil || got.End.Documents != int64(len(want)) || got.End.Bytes != size:
		t.Errorf("%s: %s: %+v, want %d documents of %d bytes", form, name, got.End, len(want), size)
	case got.Sum() != fmt.Sprintf("%x", sum.Sum(nil)):
		t.Errorf("%s: the documents of %s are not those inserted", form, name)
	}
}

// TestMongodump: what mongodump and mongoexport make of a running server is
// what was inserted, in every form.
func TestMongodump(t *testing.T) {
	uri := start(t)
	made := fill(t, connect(t, uri))
	dir := t.TempDir()
	for form, args := range map[string][]string{
		"directory": {"--out=" + dir + "/directory"}, "archive": {"--archive=" + dir + "/archive"},
		"directory.gz": {"--gzip", "--out=" + dir + "/directory.gz"}, "archive.gz": {"--gzip", "--archive=" + dir + "/archive.gz"},
	} {
		path := filepath.Join(dir, form)
		tool(t, "mongodump", append(args, "--uri="+uri, "--db=shop", "--quiet")...)
		r := recorded(t, path, dump.Select{})
		if len(r.Taken) != len(made) || len(r.Skips) != 0 {
			t.Errorf("%s: %q", form, r.Lines())
		}
		for name, docs := range made {
			same(t, form, name, r.Taken["shop."+name], docs)
		}
		if c := r.Taken["shop.growing"].Collection; len(c.Indexes) != 2 {
			t.Errorf("%s: %d indexes of growing", form, len(c.Indexes))
		}
		if c := r.Taken["shop.capped"].Collection; c.Type != sampler.Capped {
			t.Errorf("%s: capped is %q", form, c.Type)
		}
	}
	for form, args := range map[string][]string{
		"canonical": {"--jsonFormat=canonical"}, "relaxed": nil, "array": {"--jsonFormat=canonical", "--jsonArray"},
	} {
		for name, docs := range made {
			path := filepath.Join(dir, form+name+".json")
			tool(t, "mongoexport", append(args, "--uri="+uri, "--db=shop", "--collection="+name, "--out="+path, "--quiet")...)
			r := recorded(t, path, dump.Select{DB: "shop", Coll: name})
			if got := r.Taken["shop."+name]; form != "relaxed" {
				same(t, form, name, got, docs)
			} else if got == nil || got.End.Fault != nil || got.End.Documents != int64(len(docs)) {
				t.Errorf("%s: %s: %q", form, name, r.Lines())
			}
		}
	}
}
