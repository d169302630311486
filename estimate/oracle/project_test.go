//go:build oracle

package oracle

import (
	"fmt"
	"iter"
	"path/filepath"
	"testing"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// collection is documents that both the engine and the model are given.
type collection struct {
	name string
	docs func() iter.Seq2[[]byte, error]
}

func generatedShape(shape string, n int64) collection {
	return collection{fmt.Sprintf("%s, %d", shape, n), func() iter.Seq2[[]byte, error] { return Generated(shape, n) }}
}

func realSet(dir, set string) collection {
	return collection{set, func() iter.Seq2[[]byte, error] {
		return ReadBSON(filepath.Join(dir, "sets", set+".bson.gz"))
	}}
}

// modelRelease is the server release whose rules the linked engine follows.
func modelRelease() string {
	if EngineVersion().Major < 10 {
		return "4.2"
	}
	return "" // the newest
}

// project gives the collection to the model whole; overlap 0 is the default.
func (c collection) project(t *testing.T, overlap float64) estimate.CollectionResult {
	t.Helper()
	e, err := estimate.New(estimate.Options{
		Release: modelRelease(), Topology: estimate.Standalone, CacheBytes: defaultCache, Overlap: overlap, NoTimings: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	coll := sampler.Collection{NS: sampler.Namespace{Coll: c.name}, Type: sampler.Plain}
	sink, err := e.Begin(coll)
	if err != nil {
		t.Fatal(err)
	}
	end := sampler.End{CountMeasured: true, Method: "all"}
	for doc, err := range c.docs() {
		if err == nil {
			err = sink.Document(doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		end.Documents++
		end.Bytes += int64(len(doc))
	}
	end.Count, end.Size = end.Documents, end.Bytes
	if err := e.End(coll, end); err != nil {
		t.Fatal(err)
	}
	return e.Result().Collections[0]
}
