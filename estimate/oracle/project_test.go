//go:build oracle

package oracle

import (
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
	typ  sampler.Type
	load func(dir string, c Config) (Result, error)
}

func generatedShape(s Shape) collection {
	return collection{s.String(), s.Documents, s.Type(), s.Load}
}

func realSet(dir, set string) collection {
	docs := func() iter.Seq2[[]byte, error] { return ReadBSON(filepath.Join(dir, "sets", set+".bson.gz")) }
	load := func(to string, c Config) (Result, error) { return Load(to, docs(), c) }
	return collection{set, docs, sampler.Plain, load}
}

// project gives the collection to the model whole; overlap 0 is the default.
func (c collection) project(t *testing.T, overlap float64) estimate.CollectionResult {
	t.Helper()
	e, err := estimate.New(estimate.Options{
		Release: EngineVersion().Release(), Topology: estimate.Standalone, CacheBytes: defaultCache, Overlap: overlap, NoTimings: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	coll := sampler.Collection{NS: sampler.Namespace{Coll: c.name}, Type: c.typ}
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
