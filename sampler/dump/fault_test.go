package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/archive/archivetest"
	"github.com/wtsize/wtsize/sampler/export/samplefile"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// noisy are n documents that do not compress, of about a kilobyte.
func noisy(t testing.TB, n int) [][]byte {
	rng := rand.New(rand.NewPCG(7, 8))
	var all [][]byte
	for i := range n {
		b := make([]byte, 500+rng.IntN(1000))
		for j := range b {
			b[j] = byte(rng.Uint32())
		}
		all = append(all, marshal(t, bson.D{{Key: "_id", Value: int64(i)}, {Key: "b", Value: b}}))
	}
	return all
}

// forms are the same documents, of collection c, in every kind of file.
func forms(t testing.TB, docs [][]byte) map[string][]byte {
	plain := bytes.Join(docs, nil)
	c := sampler.Namespace{Coll: "c"}
	w := archivetest.New(archivetest.Announced{NS: c, Metadata: plainMeta, Type: "collection"})
	for block := range slices.Chunk(docs, 700) {
		w.Block(c, block...)
	}
	w.EOF(c)
	var lines, sample bytes.Buffer
	sw, err := samplefile.NewWriter(&sample, "bson", "c.bson")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c.bson")
	if err := os.WriteFile(path, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(src.Read(context.Background(), sampler.Budget{}, sw), sw.Close()); err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		text, err := bson.MarshalExtJSON(bson.Raw(d), true, false)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(text, '\n'))
	}
	return map[string][]byte{"c.bson": plain, "c.bson.gz": streamtest.Gzipped(plain), "c.bson.zst": streamtest.Zstded(plain),
		"c.archive": w.Bytes(), "c.json": lines.Bytes(), "c.sample": sample.Bytes()}
}

// meddler is a Record that does something once, with the so-manieth document.
type meddler struct {
	streamtest.Record
	after int
	do    func()
}

func (m *meddler) Begin(c sampler.Collection) (sampler.Sink, error) {
	s, err := m.Record.Begin(c)
	return &meddling{s, m}, err
}

type meddling struct {
	sampler.Sink
	m *meddler
}

func (s *meddling) Document(d []byte) error {
	if s.m.after--; s.m.after == 0 {
		s.m.do()
	}
	return s.Sink.Document(d)
}

// TestChangedWhileRead changes a file while it is read. What is not marked is
// whole: the file as it was, or, where it grew, as it is.
func TestChangedWhileRead(t *testing.T) {
	docs := noisy(t, 2000)
	more := bytes.Join(docs[:5], nil)
	changes := map[string]func(path string, size int64) error{
		"grows": func(path string, _ int64) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.Write(more)
			return errors.Join(err, f.Close())
		},
		"is cut":           func(path string, size int64) error { return os.Truncate(path, size/2+1) },
		"is cut at a seam": func(path string, _ int64) error { return os.Truncate(path, int64(len(bytes.Join(docs[:1800], nil)))) },
		"is emptied":       func(path string, _ int64) error { return os.Truncate(path, 0) },
		"is removed":       func(path string, _ int64) error { return os.Remove(path) },
		"is replaced": func(path string, _ int64) error {
			return errors.Join(os.WriteFile(path+".new", more, 0o600), os.Rename(path+".new", path))
		},
	}
	whole := sampler.Budget{}
	for form, content := range forms(t, docs) {
		moments, budgets := []int{1}, []sampler.Budget{whole}
		if form == "c.bson" {
			moments, budgets = []int{1, 300}, []sampler.Budget{whole, {Bytes: 1 << 20, RunBytes: 64 << 10, Seed: 1}}
		}
		for _, budget := range budgets {
			path := filepath.Join(t.TempDir(), form)
			want := readChanged(t, path, content, budget, &meddler{})
			for change, do := range changes {
				for _, after := range moments {
					m := &meddler{after: after, do: func() {
						if err := do(path, int64(len(content))); err != nil {
							t.Fatal(err)
						}
					}}
					got := readChanged(t, path, content, budget, m)
					name := fmt.Sprintf("%s %s after %d documents, budget %d", form, change, after, budget.Bytes)
					cut := strings.HasPrefix(change, "is cut") || change == "is emptied"
					grown := change == "grows" && budget == whole && form == "c.bson"
					switch {
					case m.after > 0 || m.Open != 0:
						t.Errorf("%s: %d documents to go, %d open", name, m.after, m.Open)
					case got.End.Fault != nil && !cut && change != "grows":
						t.Errorf("%s: %v", name, got.End.Fault)
					case got.End.Fault == nil && !grown && (got.Sum() != want.Sum() || got.End != want.End):
						t.Errorf("%s: %+v is not marked, want %+v", name, got.End, want.End)
					case got.End.Fault == nil && grown && got.End.Size != want.End.Size+int64(len(more)):
						t.Errorf("%s: %+v", name, got.End)
					}
				}
			}
		}
	}
}

// readChanged writes a file and reads it while v meddles.
func readChanged(t *testing.T, path string, content []byte, b sampler.Budget, v *meddler) *streamtest.Taken {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := Open(path, Options{Select: Select{Coll: "c"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Read(context.Background(), b, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v.Taken["c"]
}

// TestChangedBefore: between the listing of a folder and the turn of a file,
// another one takes its name.
func TestChangedBefore(t *testing.T) {
	old, now := bytes.Join(noisy(t, 100), nil), bytes.Join(noisy(t, 300), nil)
	for name, c := range map[string]struct {
		content []byte // nil: none
		want    string
	}{
		"larger":  {now, fmt.Sprintf("shop.c collection documents=300 bytes=%d", len(now))},
		"smaller": {old[:len(noisy(t, 1)[0])], fmt.Sprintf("shop.c collection documents=1 bytes=%d", len(noisy(t, 1)[0]))},
		"other":   {[]byte("[]"), "shop.c skipped: at 0: holds json, not a collection's documents"},
		"gone":    {nil, "shop.c skipped: can't be opened"},
	} {
		root := tree(t, map[string][]byte{"shop/a.bson": docs(t, 3), "shop/c.bson": old, "shop/d.bson": docs(t, 3)})
		path := filepath.Join(root, "shop/c.bson")
		src, err := Open(root, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if c.content != nil {
			if err := os.WriteFile(path, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var r streamtest.Record
		if err := src.Read(context.Background(), sampler.Budget{}, &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		expect(t, &r, "shop.a collection documents=3 bytes=99", c.want, "shop.d collection documents=3 bytes=99")
	}
}

var errDisk = errors.New("input/output error")

// failing gives its first n bytes and then fails for good.
type failing struct {
	p []byte
	n int
}

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	if at < int64(f.n) {
		n = copy(p, f.p[at:f.n])
	}
	if n < len(p) {
		return n, errDisk
	}
	return n, nil
}

// TestDiskFails: an input that fails at any kind of place is told with the
// error, and what came before is the start of the whole.
func TestDiskFails(t *testing.T) {
	docs := noisy(t, 600)
	first := len(docs[0])
	for form, content := range forms(t, docs) {
		at := []int{0, 1, 2, 3, 4, 5, 30, 1000, first - 1, first, first + 1, 16<<10 - 1, 16 << 10, 100_000, 256 << 10, len(content) - 1, len(content)}
		for _, n := range at {
			var r streamtest.Record
			in := io.NewSectionReader(failing{content, n}, 0, int64(len(content))+1)
			src, err := Open("-", Options{Stdin: in, Select: Select{Coll: "c"}})
			if err == nil {
				err = src.Read(context.Background(), sampler.Budget{}, &r)
			}
			if k := r.Taken["c"]; err == nil && k != nil && k.End.Fault != nil {
				err = k.End.Fault
			}
			for _, f := range r.Skips {
				err = errors.Join(err, f)
			}
			if k := r.Taken["c"]; n == len(content) && err == nil && k.Documents == int64(len(docs)) && (form == "c.archive" || form == "c.sample") {
				continue // which tell their end themselves
			}
			if !errors.Is(err, errDisk) || r.Open != 0 {
				t.Errorf("%s failing at %d: %v, %d open", form, n, err, r.Open)
			}
		}
	}
}

// TestDiskFailsInRuns: a file that is read in part has a region that can't be
// read, and says so.
func TestDiskFailsInRuns(t *testing.T) {
	data := bytes.Join(noisy(t, 2000), nil)
	for _, n := range []int{0, 1, 1000, 1 << 19, len(data) / 2, len(data) - 1} {
		s := NewRuns(failing{data, n}, int64(len(data)), "c.bson", nil)
		end := sampler.End{Fault: s.Tail}
		var r streamtest.Record
		sink, _ := r.Begin(sampler.Collection{})
		_, err := s.readAll(context.Background(), plan{strata: 16, width: 64 << 10}, nil, rand.New(rand.NewPCG(1, 2)), sink, &end)
		if err != nil || !errors.Is(end.Fault, errDisk) {
			t.Errorf("failing at %d: %v, fault %v", n, err, end.Fault)
		}
	}
}
