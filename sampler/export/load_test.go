package export

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler/stream"
)

var testTime = time.Unix(1_600_000_000, 0)

// load gives the documents of a gzipped .bson file.
func load(t testing.TB, path string) []bson.Raw {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := stream.NewReader(z, path, 0, nil)
	var docs []bson.Raw
	for {
		d, err := r.Document()
		if err == io.EOF {
			return docs
		}
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, bytes.Clone(d))
	}
}
