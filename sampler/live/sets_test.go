package live

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
	"github.com/wtsize/wtsize/sampler/racetest"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// sets is where real collections lie, if anywhere.
const sets = "../../../shared/data/sets"

// load reads a real collection: gzipped BSON in natural order.
func load(t *testing.T, path string) []bson.Raw {
	return streamtest.Documents(t, filepath.Join(sets, path))
}

// TestSetsRead: what a server hands over of a real collection is, byte for byte,
// what the file holds at the same places, and all of it in a complete read.
func TestSetsRead(t *testing.T) {
	t.Parallel()
	names := []string{"atlas/neighborhoods.bson.gz", "atlas/zips.bson.gz"}
	if racetest.Enabled {
		names = names[:1]
	}
	for _, name := range names {
		docs := load(t, name)
		c := &fakemongod.Collection{Name: "set"}
		c.Add(docs...)
		offsets := make([]int64, len(docs)+1) // of each document in the file
		for i, d := range docs {
			offsets[i+1] = offsets[i] + int64(len(d))
		}
		size := offsets[len(docs)]
		for _, p := range []fakemongod.Profile{fakemongod.V44(), fakemongod.V82(), fakemongod.Shared(), fakemongod.Mongos()} {
			s := serve(t, p, fakemongod.DB{Name: "x", Collections: []*fakemongod.Collection{c}})
			src := open(t, Options{URI: s.URI(), DB: "x"})
			whole(t, src, docs, size)
			runs(t, src, name+" "+p.Name, docs, offsets)
		}
	}
}

// whole reads everything.
func whole(t *testing.T, src *Source, docs []bson.Raw, size int64) {
	t.Helper()
	var v collector
	if err := src.Read(context.Background(), sampler.Budget{}, &v); err != nil {
		t.Fatal(err)
	}
	g := v.find("set")
	if g.end.Method != MethodAll || g.end.Documents != int64(len(docs)) || g.end.Bytes != size ||
		g.end.Count != int64(len(docs)) || g.end.Size != size || len(g.runs) != 0 {
		t.Fatalf("end %+v, want %d documents of %d bytes", g.end, len(docs), size)
	}
	for i, d := range g.docs {
		if !bytes.Equal(d, docs[i]) {
			t.Fatalf("document %d differs", i)
		}
	}
}

// runs reads an eighth, and compares each run with the file at its RecordId.
func runs(t *testing.T, src *Source, name string, docs []bson.Raw, offsets []int64) {
	t.Helper()
	size := offsets[len(docs)]
	var v collector
	b := sampler.Budget{Bytes: size / 8, RunBytes: size / 8 / 24, Seed: 9}
	if err := src.Read(context.Background(), b, &v); err != nil {
		t.Fatal(err)
	}
	g := v.find("set")
	if g.end.Method != MethodRuns && g.end.Method != MethodSampledRuns {
		return // no RecordIds to compare by
	}
	var far float64
	for i, run := range g.runs {
		end := len(g.docs)
		if i+1 < len(g.starts) {
			end = g.starts[i+1]
		}
		from := int(run.RecordID) - 1 // RecordIds count from 1 here
		for j := g.starts[i]; j < end; j++ {
			if at := from + j - g.starts[i]; !bytes.Equal(g.docs[j], docs[at]) {
				t.Fatalf("%s: run %d differs from document %d of the file", name, i, at)
			}
		}
		if i > 0 && run.Stratum <= g.runs[i-1].Stratum {
			t.Errorf("%s: stratum %d after %d", name, run.Stratum, g.runs[i-1].Stratum)
		}
		// RecordIds count documents here: that is the position, as near as a
		// server lets one know.
		if want := float64(from) / float64(len(docs)); math.Abs(run.Position-want) > 1e-9 {
			t.Errorf("%s: run %d at %v, want %v", name, i, run.Position, want)
		}
		far = max(far, math.Abs(run.Position-float64(offsets[from])/float64(size)))
	}
	t.Logf("%s: %s, %d runs, %d of %d documents, positions within %.3f of the file's", name, g.end.Method, len(g.runs), len(g.docs), len(docs), far)
}
