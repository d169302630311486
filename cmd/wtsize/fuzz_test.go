package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/archive/archivetest"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// content stands in documents, and must not come out of them.
const content = "nobody-may-read-what-this-document-holds"

const fuzzMeta = `{"options":{"storageEngine":{"wiredTiger":{"configString":"block_compressor=zstd"}}},"indexes":[` +
	`{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},` +
	`{"v":2,"key":{"tags":1,"at":-1},"name":"tags_at","partialFilterExpression":{"n":{"$gt":3}}},` +
	`{"v":2,"key":{"name":"text"},"name":"t"},{"v":2,"key":{"name":"hashed"},"name":"h"}],"type":"collection"}`

// fuzzDocuments are few and have what indexes look at.
func fuzzDocuments(t testing.TB) [][]byte {
	var all [][]byte
	for i := range 60 {
		d, err := bson.Marshal(bson.D{{Key: "_id", Value: bson.ObjectID{0: 1, 11: byte(i)}}, {Key: "n", Value: int32(i)},
			{Key: "name", Value: fmt.Sprint(content, i%7)}, {Key: "at", Value: bson.DateTime(1_700_000_000_000 + i)},
			{Key: "tags", Value: bson.A{"a", int64(i), 1.5, nil}}, {Key: "in", Value: bson.D{{Key: "x", Value: true}}}})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// fuzzFiles are the same documents in each kind of file.
func fuzzFiles(t testing.TB) map[string][]byte {
	docs := fuzzDocuments(t)
	plain := slices.Concat(docs...)
	a, b := sampler.Namespace{DB: "shop", Coll: "a"}, sampler.Namespace{DB: "shop", Coll: "b"}
	w := archivetest.New(archivetest.Announced{NS: a, Metadata: fuzzMeta, Type: "collection"}, archivetest.Announced{NS: b, Type: "collection"})
	w.Block(a, docs[:40]...)
	w.Block(b, docs[50:]...)
	w.Block(a, docs[40:]...)
	w.EOF(b)
	w.EOF(a)
	var lines, array []string
	for _, d := range docs {
		canonical, err := bson.MarshalExtJSON(bson.Raw(d), true, false)
		if err != nil {
			t.Fatal(err)
		}
		relaxed, err := bson.MarshalExtJSON(bson.Raw(d), false, false)
		if err != nil {
			t.Fatal(err)
		}
		array, lines = append(array, string(canonical)), append(lines, string(relaxed))
	}
	files := map[string][]byte{"bson": plain, "archive": w.Bytes(), "json": []byte("[" + strings.Join(array, ",\n") + "]"),
		"ndjson": []byte(strings.Join(lines, "\n"))}
	files["bson.gz"], files["archive.zst"] = packed(1, plain), packed(2, w.Bytes())
	path := filepath.Join(t.TempDir(), "c.bson")
	if err := os.WriteFile(path, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	sample, errs, status := runOn(t, "sample", path, "--out", "-")
	if status != exitOK {
		t.Fatal(errs)
	}
	files["sample"] = []byte(sample)
	return files
}

// packed compresses p: 1 with gzip, 2 with zstd, else not at all.
func packed(how int, p []byte) []byte {
	switch how {
	case 1:
		return streamtest.Gzipped(p)
	case 2:
		return streamtest.Zstded(p)
	}
	return p
}

// FuzzEstimate runs the whole command on damaged files of every kind, with
// damaged metadata beside them. It ends in one of its statuses, with a result
// unless nothing could be read, within its memory, and tells no content.
func FuzzEstimate(f *testing.F) {
	for _, file := range fuzzFiles(f) {
		for _, how := range []byte{0, 1, 3, 5, 6} {
			f.Add(file, []byte(fuzzMeta), how)
		}
	}
	f.Fuzz(func(t *testing.T, file, meta []byte, how byte) {
		before := memoryTaken()
		dir := filepath.Join(t.TempDir(), "shop")
		data := packed(int(how%3), file)
		args := []string{"estimate", dir, "--compressors", "none,snappy,zstd:1", "--format", "json", "--sample", "4KiB"}
		switch how / 3 % 3 {
		case 1:
			args[1] = filepath.Join(dir, "c.bson")
			args = append(args, "--fields", "--index", "{name:1,at:1}")
		case 2:
			args[1] = "-"
		}
		for name, p := range map[string][]byte{"c.bson": data, "c.metadata.json": meta} {
			if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), p, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		out, errs, status := runWith(bytes.NewReader(data), args...)
		if status != exitOK && status != exitFailed && status != exitPartial || (status == exitFailed) != (out == "") {
			t.Errorf("status %d, %d bytes of result, %s", status, len(out), errs)
		}
		if (status == exitOK) != (errs == "") || strings.Contains(errs+out, content) {
			t.Errorf("status %d, %q", status, errs)
		}
		if more := memoryTaken() - before; more > 300<<20 {
			t.Errorf("%d MiB of memory taken", more>>20)
		}
	})
}

// memoryTaken is what the process has from the system, other tests' part included.
func memoryTaken() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
