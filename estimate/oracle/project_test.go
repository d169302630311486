//go:build oracle

package oracle

import (
	"context"
	"iter"
	"path/filepath"
	"testing"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// collection is documents that both the engine and the model are given.
type collection struct {
	name   string
	source func() Source
	load   func(dir string, c Config) (Result, error)
}

func generatedShape(s Shape) collection { return collection{s.String(), s.Source, s.Load} }

func realSet(dir, set string) collection {
	docs := func() iter.Seq2[[]byte, error] { return ReadBSON(filepath.Join(dir, "sets", set+".bson.gz")) }
	return collection{
		name: set,
		source: func() Source {
			return Source{sampler.Collection{NS: sampler.Namespace{Coll: set}, Type: sampler.Plain}, docs()}
		},
		load: func(to string, c Config) (Result, error) { return Load(to, docs(), c) },
	}
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
	if err := c.source().Read(context.Background(), sampler.Budget{}, e); err != nil {
		t.Fatal(err)
	}
	return e.Result().Collections[0]
}
