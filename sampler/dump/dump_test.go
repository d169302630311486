package dump

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

const (
	plainMeta  = `{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"}],"type":"collection"}`
	viewMeta   = `{"options":{"viewOn":"orders","pipeline":[]},"indexes":[],"type":"view"}`
	seriesMeta = `{"options":{"timeseries":{"timeField":"t"}},"indexes":[],"collectionName":"metrics","type":"timeseries"}`
)

// data holds real dumps, where they are there.
const data = "../../../shared/data"

// docs is a data file of n documents.
func docs(t testing.TB, n int) []byte {
	var all []byte
	for i := range n {
		all = append(all, marshal(t, bson.D{{Key: "_id", Value: int32(i)}, {Key: "v", Value: "some values"}})...)
	}
	return all
}

// tree writes files below a new directory.
func tree(t testing.TB, files map[string][]byte) string {
	root := t.TempDir()
	for name, data := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func read(t testing.TB, path string, o Options) *streamtest.Record {
	t.Helper()
	s, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	var r streamtest.Record
	if err := s.Read(context.Background(), sampler.Budget{}, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

func expect(t *testing.T, r *streamtest.Record, want ...string) {
	t.Helper()
	if got := r.Lines(); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func full(t testing.TB) map[string][]byte {
	long := strings.Repeat("long", 70)
	return map[string][]byte{
		"prelude.json":                                        []byte(`{"ServerVersion":"7.0.5","ToolVersion":"100.12.0"}`),
		"oplog.bson":                                          docs(t, 1),
		"shop/orders.bson":                                    docs(t, 10),
		"shop/orders.metadata.json":                           []byte(plainMeta),
		"shop/packed.bson.gz":                                 streamtest.Gzipped(docs(t, 20)),
		"shop/packed.metadata.json.gz":                        streamtest.Gzipped([]byte(plainMeta)),
		"shop/zst.bson.zst":                                   streamtest.Zstded(docs(t, 30)),
		"shop/misnamed.bson":                                  streamtest.Gzipped(docs(t, 4)), // as --gzip names the oplog
		"shop/with+space%2Fslash.bson":                        docs(t, 1),
		"shop/empty.bson":                                     nil,
		"shop/view.metadata.json":                             []byte(viewMeta),
		"shop/lost.metadata.json":                             []byte(plainMeta),
		"shop/system.buckets.metrics.bson":                    docs(t, 2),
		"shop/metrics.metadata.json":                          []byte(seriesMeta),
		"shop/system.js.bson":                                 docs(t, 1),
		"shop/$admin.system.users.bson":                       docs(t, 1),
		"shop/broken.bson":                                    docs(t, 3),
		"shop/broken.metadata.json":                           []byte(`{"options":`),
		"shop/text.bson":                                      []byte("this is not BSON at all"),
		"shop/" + namespace.FileName(long) + ".bson":          docs(t, 5),
		"shop/" + namespace.FileName(long) + ".metadata.json": []byte(`{"indexes":[],"collectionName":"` + long + `"}`),
		"admin/system.version.bson":                           docs(t, 1),
		"config/chunks.bson":                                  docs(t, 1),
		"notes/readme.txt":                                    []byte("hello"),
	}
}

func TestDir(t *testing.T) {
	root := tree(t, full(t))
	r := read(t, root, Options{})
	want := []string{
		"admin.system.version left out: is a system collection",
		"config.chunks left out: is in a database of the server's own",
		"oplog left out: is an oplog: the history of writes, not a collection",
		"shop.$admin.system.users left out: is a system collection",
		"shop.broken collection documents=3 bytes=99",
		"shop.empty collection documents=0 bytes=0",
		"shop.lost skipped: metadata without a data file",
		"shop." + strings.Repeat("long", 70) + " collection documents=5 bytes=165",
		"shop.metrics timeseries documents=2 bytes=66",
		"shop.misnamed collection documents=4 bytes=132",
		"shop.orders collection documents=10 bytes=330",
		"shop.packed collection documents=20 bytes=660",
		"shop.system.js left out: is a system collection",
		"shop.text skipped: at 0: this is text, not documents",
		"shop.view view documents=0 bytes=0",
		"shop.with space/slash collection documents=1 bytes=33",
		"shop.zst collection documents=30 bytes=990",
	}
	slices.Sort(want)
	expect(t, r, want...)
	if c := r.Taken["shop.orders"].Collection; c.Release != "7.0.5" || len(c.Indexes) != 1 || len(c.Warnings) != 0 {
		t.Errorf("orders: %+v", c)
	}
	for name, code := range map[string]string{"shop.broken": "metadata-broken", "shop.zst": "metadata-missing"} {
		if w := r.Taken[name].Collection.Warnings; len(w) != 1 || w[0].Code != code {
			t.Errorf("%s: warnings %v", name, w)
		}
	}

	r = read(t, root, Options{Select: Select{DB: "shop", Include: []string{"shop.o*", "shop.p*", "crm.*"}, Exclude: []string{"*.packed"}}})
	expect(t, r, "shop.orders collection documents=10 bytes=330")
	r = read(t, filepath.Join(root, "shop"), Options{Select: Select{DB: "crm", Coll: "orders"}})
	expect(t, r, "crm.orders collection documents=10 bytes=330")
	r = read(t, filepath.Join(root, "config"), Options{})
	expect(t, r, "config.chunks collection documents=1 bytes=33")
}

// TestParts: the parts read by themselves make the whole.
func TestParts(t *testing.T) {
	root := tree(t, full(t))
	d, err := OpenDir(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var r streamtest.Record
	done := make(chan error)
	for _, p := range d.Parts() {
		go func() { done <- p.Read(context.Background(), sampler.Budget{}, &r) }()
	}
	for range d.Parts() {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if whole := read(t, root, Options{}); !slices.Equal(r.Lines(), whole.Lines()) {
		t.Errorf("got %q, want %q", r.Lines(), whole.Lines())
	}
}

func TestLinks(t *testing.T) {
	outside := tree(t, map[string][]byte{"secret.bson": docs(t, 1), "db/x.bson": docs(t, 1)})
	root := tree(t, map[string][]byte{"shop/orders.bson": docs(t, 2), "other/y.bson": docs(t, 3)})
	for link, target := range map[string]string{
		"shop/out.bson":     filepath.Join(outside, "secret.bson"),
		"shop/in.bson":      filepath.Join(root, "other/y.bson"),
		"shop/nothing.bson": filepath.Join(root, "nothing"),
		"shop/loop.bson":    "loop.bson",
		"outdb":             filepath.Join(outside, "db"),
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	r := read(t, root, Options{})
	expect(t, r, "other.y collection documents=3 bytes=99",
		"outdb skipped: is a symbolic link out of the dump",
		"shop.in collection documents=3 bytes=99",
		"shop.loop skipped: is a symbolic link to nothing",
		"shop.nothing skipped: is a symbolic link to nothing",
		"shop.orders collection documents=2 bytes=66",
		"shop.out skipped: is a symbolic link out of the dump")
	link := filepath.Join(t.TempDir(), "dump")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if again := read(t, link, Options{}); !slices.Equal(again.Lines(), r.Lines()) {
		t.Errorf("through a link: %q", again.Lines())
	}
}

func TestNoDump(t *testing.T) {
	for name, files := range map[string]map[string][]byte{
		"empty":    {"a/readme": nil},
		"too high": {"dump/shop/orders.bson": docs(t, 1)},
		"archive":  {"shop.archive.gz": streamtest.Gzipped([]byte(stream.MagicArchive))},
	} {
		_, err := Open(tree(t, files), Options{})
		var f *sampler.Fault
		if !errors.As(err, &f) || f.Why != "no dump in this directory" {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(f.Hint, "did you mean") == (name == "empty") {
			t.Errorf("%s: hint %q", name, f.Hint)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.bson"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestStdin(t *testing.T) {
	for _, in := range [][]byte{docs(t, 3), streamtest.Gzipped(docs(t, 3)), streamtest.Zstded(docs(t, 3))} {
		var m stream.Meter
		r := read(t, "-", Options{Stdin: bytes.NewReader(in), Meter: &m})
		expect(t, r, "stdin collection documents=3 bytes=99")
		if got := m.Snapshot(); got.Input != int64(len(in)) || got.Documents != 3 {
			t.Errorf("meter %+v", got)
		}
		r = read(t, "-", Options{Stdin: bytes.NewReader(in), Select: Select{DB: "shop", Coll: "orders"}})
		expect(t, r, "shop.orders collection documents=3 bytes=99")
	}
}

// TestSameData: the directory, its compressed form and the archives of the same
// data deliver the same documents and know the same of their collections.
func TestSameData(t *testing.T) {
	dumps := streamtest.Data(t, data+"/dumps")
	want := read(t, filepath.Join(dumps, "dir"), Options{})
	for _, form := range []string{"dir-gz", "dir/shop", "dir-gz/shop", "all.archive", "all.archive.gz"} {
		got := read(t, filepath.Join(dumps, form), Options{})
		if !slices.Equal(got.Lines(), want.Lines()) {
			t.Errorf("%s: %q, want %q", form, got.Lines(), want.Lines())
			continue
		}
		for name, w := range want.Taken {
			g := got.Taken[name]
			if g.Sum() != w.Sum() || g.End != w.End {
				t.Errorf("%s: %s differs", form, name)
			}
			if string(g.Collection.Options) != string(w.Collection.Options) || len(g.Collection.Indexes) != len(w.Collection.Indexes) || g.Collection.Release != w.Collection.Release {
				t.Errorf("%s: %s is known as %+v, want %+v", form, name, g.Collection, w.Collection)
			}
		}
	}
}

func TestStopped(t *testing.T) {
	root := tree(t, map[string][]byte{"shop/a.bson": docs(t, 3), "shop/b.bson": docs(t, 3)})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, path := range []string{root, filepath.Join(root, "shop/a.bson")} {
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var r streamtest.Record
		if err := s.Read(ctx, sampler.Budget{}, &r); !errors.Is(err, context.Canceled) || r.Open != 0 {
			t.Errorf("%s: %v, %d open", path, err, r.Open)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	for _, s := range []string{plainMeta, viewMeta, seriesMeta, `{"indexes":[{"key":{"a":NumberLong(1)}}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		path := filepath.Join(t.TempDir(), "m")
		if err := os.WriteFile(path, in, 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := readMetadata(path); err == nil {
			var c sampler.Collection
			m.Describe(&c)
		}
	})
}
