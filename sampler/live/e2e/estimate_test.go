package e2e

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
	"github.com/wtsize/wtsize/sampler/racetest"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// sets is where real collections lie, if anywhere.
const sets = "../../../../shared/data/sets"

func load(t *testing.T, path string) []bson.Raw {
	return streamtest.Documents(t, filepath.Join(sets, path))
}

// tape passes everything on and keeps the places, not the documents.
type tape struct {
	to     sampler.Visitor
	sink   sampler.Sink
	coll   sampler.Collection
	end    sampler.End
	runs   []sampler.Run
	counts []int // documents of each run
}

func (v *tape) Begin(c sampler.Collection) (sampler.Sink, error) {
	s, err := v.to.Begin(c)
	v.coll, v.sink = c, s
	return v, err
}

func (v *tape) End(c sampler.Collection, e sampler.End) error {
	v.end = e
	return v.to.End(c, e)
}

func (v *tape) Skip(ns sampler.Namespace, f *sampler.Fault) { v.to.Skip(ns, f) }

func (v *tape) Run(r sampler.Run) error {
	v.runs, v.counts = append(v.runs, r), append(v.counts, 0)
	return v.sink.Run(r)
}

func (v *tape) Document(d []byte) error {
	if len(v.counts) > 0 {
		v.counts[len(v.counts)-1]++
	}
	return v.sink.Document(d)
}

// replay hands over the same places of the file.
func (v *tape) replay(t *testing.T, docs []bson.Raw, to sampler.Visitor) {
	t.Helper()
	sink, err := to.Begin(v.coll)
	if err != nil {
		t.Fatal(err)
	}
	give := func(part []bson.Raw) {
		for _, d := range part {
			if err := sink.Document(d); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(v.runs) == 0 {
		give(docs)
	}
	for i, r := range v.runs {
		if err := sink.Run(r); err != nil {
			t.Fatal(err)
		}
		give(docs[r.RecordID-1 : int(r.RecordID)-1+v.counts[i]])
	}
	if err := to.End(v.coll, v.end); err != nil {
		t.Fatal(err)
	}
}

// TestSameEstimate: the estimate over a server that holds a real collection, or
// the first documents of a long one, is the estimate over the file with the same
// runs, to the byte of its JSON.
func TestSameEstimate(t *testing.T) {
	for _, name := range []string{"atlas/zips.bson.gz", "nab/points.bson.gz"} {
		docs, most := load(t, name), 30_000
		if racetest.Enabled {
			most = 10_000
		}
		docs = docs[:min(len(docs), most)]
		c := &fakemongod.Collection{Name: "set"}
		c.Add(docs...)
		for _, tc := range []struct {
			profile fakemongod.Profile
			budget  sampler.Budget
		}{
			{fakemongod.V82(), sampler.Budget{Bytes: 1 << 20, RunBytes: 128 << 10, Seed: 1}},
			{fakemongod.V44(), sampler.Budget{Bytes: 1 << 20, RunBytes: 128 << 10, Seed: 1}},
			{fakemongod.V82(), sampler.Budget{}},
		} {
			s, err := fakemongod.Start(tc.profile, fakemongod.DB{Name: "x", Collections: []*fakemongod.Collection{c}})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			src, err := live.Open(live.Options{URI: s.URI(), DB: "x"})
			if err != nil {
				t.Fatal(err)
			}
			served, filed := estimator(t), estimator(t)
			v := &tape{to: served}
			if err := src.Read(context.Background(), tc.budget, v); err != nil {
				t.Fatal(err)
			}
			v.replay(t, docs, filed)
			a, b := text(t, served), text(t, filed)
			if a != b {
				t.Errorf("%s from %s: estimates differ\n%s\n%s", name, tc.profile.Name, a, b)
			}
			r := served.Result().Collections[0]
			t.Logf("%s from %s: %s, %d runs, %d documents, %s %d", name, tc.profile.Name, v.end.Method, len(v.runs),
				v.end.Documents, r.Compressors[0].Compressor, r.Compressors[0].StorageSize)
			if r.SelfCheck == nil {
				t.Errorf("%s from %s: no self-check against the server's figures", name, tc.profile.Name)
			}
		}
	}
}

func estimator(t *testing.T) *estimate.Estimator {
	t.Helper()
	e, err := estimate.New(estimate.Options{Seed: 1, Jobs: 1, NoTimings: true, SampleBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func text(t *testing.T, e *estimate.Estimator) string {
	t.Helper()
	r := e.Result()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestMethods: by every way of reading a sample of a quarter projects the size
// without compression within 1 %, and compressed sizes within 15 % where
// documents have their neighbours; without them they come out too large. The
// figures to compare with are those of a complete read. Seeds are fixed: nothing
// here fails by chance.
func TestMethods(t *testing.T) {
	c := &fakemongod.Collection{Name: "set"}
	c.Add(load(t, "atlas/zips.bson.gz")...)
	project := func(p fakemongod.Profile, bytes int64) estimate.CollectionResult {
		s, err := fakemongod.Start(p, fakemongod.DB{Name: "x", Collections: []*fakemongod.Collection{c}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		src, err := live.Open(live.Options{URI: s.URI(), DB: "x"})
		if err != nil {
			t.Fatal(err)
		}
		e := estimator(t)
		if err := src.Read(context.Background(), sampler.Budget{Bytes: bytes, RunBytes: 64 << 10, Seed: 1}, e); err != nil {
			t.Fatal(err)
		}
		return e.Result().Collections[0]
	}
	truth := project(fakemongod.V82(), 0)
	for _, tc := range []struct {
		profile   fakemongod.Profile
		method    string
		low, high float64 // of compressed sizes, relative to the truth
	}{
		{fakemongod.V82(), live.MethodRuns, 0.85, 1.15},
		{fakemongod.V44(), live.MethodSampledRuns, 0.85, 1.15},
		{fakemongod.Shared(), live.MethodIDRanges, 0.85, 1.15},
		{fakemongod.Cosmos(), live.MethodSingle, 1.05, 1.4},
	} {
		r := project(tc.profile, 1<<20)
		if r.Sample.Method != tc.method {
			t.Errorf("%s: method %s, want %s", tc.profile.Name, r.Sample.Method, tc.method)
		}
		for i, x := range r.Compressors {
			low, high := tc.low, tc.high
			if x.Compressor == "none" {
				low, high = 0.99, 1.01
			}
			ratio := float64(x.StorageSize) / float64(truth.Compressors[i].StorageSize)
			t.Logf("%-16s %-6s %.3f of the complete read's", tc.method, x.Compressor, ratio)
			if ratio < low || ratio > high {
				t.Errorf("%s: %s: %.3f of the complete read's, want %v to %v", tc.method, x.Compressor, ratio, low, high)
			}
		}
	}
}
