package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
	"github.com/wtsize/wtsize/sampler/export/samplefile"
)

// sampleOf writes a sample of a made-up collection: runs of one document each, a
// share of what the place holds, or all of it.
func sampleOf(t *testing.T, path string, count, sampled int64, doc []byte) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := samplefile.NewWriter(f, "bson", "shard")
	if err != nil {
		t.Fatal(err)
	}
	c := sampler.Collection{NS: sampler.Namespace{DB: "shop", Coll: "orders"}, Type: sampler.Plain}
	sink, err := w.Begin(c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sampled {
		if sampled < count {
			if err := sink.Run(sampler.Run{Position: float64(i) / float64(sampled), Stratum: int(i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := sink.Document(doc); err != nil {
			t.Fatal(err)
		}
	}
	n := int64(len(doc))
	end := sampler.End{Documents: sampled, Bytes: sampled * n, Count: count, Size: count * n, Method: "runs", CountStdErr: 3}
	if err := w.End(c, end); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// joined notes what a joiner passes on.
type joined struct {
	begun, ended int
	end          sampler.End
	runs         []sampler.Run
	byLength     map[int]int64
}

func (j *joined) Begin(sampler.Collection) (sampler.Sink, error) { j.begun++; return j, nil }
func (j *joined) End(_ sampler.Collection, e sampler.End) error  { j.ended++; j.end = e; return nil }
func (j *joined) Skip(sampler.Namespace, *sampler.Fault)         {}
func (j *joined) Run(r sampler.Run) error                        { j.runs = append(j.runs, r); return nil }
func (j *joined) Document(doc []byte) error                      { j.byLength[len(doc)]++; return nil }

// join reads samples as one; broken, if any, goes away before it is read.
func join(t *testing.T, broken string, paths ...string) *joined {
	t.Helper()
	var inputs []*input
	for _, p := range paths {
		inputs = append(inputs, &input{name: p, open: func() (sampler.Source, error) { return dump.Open(p, dump.Options{}) }})
	}
	f := &sourceFlags{}
	out := &joined{byLength: map[int]int64{}}
	v := &joiner{out, f.survey(context.Background(), inputs)}
	r := reader{v: v}
	if broken != "" {
		if err := os.Remove(broken); err != nil {
			t.Fatal(err)
		}
	}
	r.read(context.Background(), inputs)
	if err := v.finish(); err != nil {
		t.Fatal(err)
	}
	if broken == "" && len(r.failures) > 0 {
		t.Fatal(r.failures)
	}
	return out
}

// A place that holds ten times as much counts ten times as much, although both
// were sampled alike.
func TestJoinByWhatPlacesHold(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	small := []byte{8, 0, 0, 0, 10, 'a', 0, 0}
	large := []byte{9, 0, 0, 0, 10, 'a', 'b', 0, 0}
	sampleOf(t, a, 10_000, 500, small)
	sampleOf(t, b, 1_000, 500, large)
	got := join(t, "", a, b)
	if got.begun != 1 || got.ended != 1 {
		t.Fatalf("begun %d times, ended %d times", got.begun, got.ended)
	}
	if e := got.end; e.Count != 11_000 || e.Size != 10_000*8+1_000*9 || e.CountMeasured || math.Abs(e.CountStdErr-3*math.Sqrt2) > 1e-9 {
		t.Errorf("ends with %+v", e)
	}
	if n := got.byLength; n[8] != 500 || n[9] < 49 || n[9] > 51 {
		t.Errorf("%d documents of the large place and %d of the small one, want 500 and 50", n[8], n[9])
	}
	strata := map[int]bool{}
	last := -1.0
	for _, r := range got.runs {
		if strata[r.Stratum] || r.Position <= last || r.Position >= 1 {
			t.Fatalf("run %+v after position %v", r, last)
		}
		strata[r.Stratum], last = true, r.Position
	}
	if got.end.Documents != int64(len(got.runs)) {
		t.Errorf("%d documents in %d runs of one each", got.end.Documents, len(got.runs))
	}
}

func TestJoinWholePlaces(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	doc := []byte{8, 0, 0, 0, 10, 'a', 0, 0}
	sampleOf(t, a, 300, 300, doc)
	sampleOf(t, b, 200, 200, doc)
	got := join(t, "", a, b)
	if got.begun != 1 || got.end.Documents != 500 || got.end.Count != 500 || len(got.runs) != 0 {
		t.Errorf("begun %d times, %d runs, ends with %+v", got.begun, len(got.runs), got.end)
	}
	// One that can't be read after all: what there is ends with a fault.
	got = join(t, b, a, b)
	if got.ended != 1 || got.end.Fault == nil || got.end.Documents != 300 {
		t.Errorf("ended %d times with %+v", got.ended, got.end)
	}
	// Whole beside a sample: it is thinned out too.
	sampleOf(t, b, 1000, 10, doc)
	got = join(t, "", a, b)
	if got.end.Count != 1300 || len(got.runs) != 11 {
		t.Errorf("%d runs, ends with %+v", len(got.runs), got.end)
	}
}
