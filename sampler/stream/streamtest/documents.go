package streamtest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// Gunzip gives what is in a gzip-compressed file; the test is skipped where
// there is none.
func Gunzip(t testing.TB, path string) []byte {
	t.Helper()
	return Head(t, path, math.MaxInt64)
}

// Head gives the first bytes, at most so many, of what Gunzip gives.
func Head(t testing.TB, path string, most int64) []byte {
	t.Helper()
	f, err := os.Open(Data(t, path))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(io.LimitReader(z, most))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Documents gives the documents of a gzip-compressed .bson file.
func Documents(t testing.TB, path string) (docs []bson.Raw) {
	t.Helper()
	for all := Gunzip(t, path); len(all) > 0; {
		n := int(binary.LittleEndian.Uint32(all))
		docs, all = append(docs, bson.Raw(all[:n:n])), all[n:]
	}
	return docs
}

// Gzipped compresses.
func Gzipped(p []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(p) // into memory: it does not fail
	z.Close()
	return b.Bytes()
}

// Zstded compresses.
func Zstded(p []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err) // without options there is nothing to refuse
	}
	return z.EncodeAll(p, nil)
}
