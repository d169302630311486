package estimate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// A complete read has no sampling error; the model's spread is another figure.
func TestComplete(t *testing.T) {
	c := made(t, "orders", "orders", 1, 3<<20)
	r := estimateOne(t, testOptions(t, "none,snappy,zlib:1,zstd:1"), c)
	checkResult(t, r)
	n := int64(len(c.docs))
	if r.Count != n || r.Size != c.size() || r.AvgObjSize != c.size()/n || r.CountKind != "measured" ||
		!r.Sample.Complete || r.Sample.Partial || r.Sample.Documents != n || r.Sample.Method != "all" {
		t.Errorf("%+v", r)
	}
	if len(r.Compressors) != 4 {
		t.Fatalf("%d compressors", len(r.Compressors))
	}
	for i, c := range r.Compressors {
		if c.SamplingError != 0 {
			t.Errorf("%s: sampling error %g of a complete read", c.Name(), c.SamplingError)
		}
		if c.Ledger.Documents != r.Size || c.CompressNsPerByte != 0 || c.Costs != nil {
			t.Errorf("%s: %+v", c.Name(), c)
		}
		// Documents alike: none > snappy > zlib > zstd on these (measured).
		if i > 0 && c.StorageSize >= r.Compressors[i-1].StorageSize {
			t.Errorf("%s takes %d bytes, %s %d", c.Name(), c.StorageSize, r.Compressors[i-1].Name(), r.Compressors[i-1].StorageSize)
		}
	}
	if none := r.Compressors[0]; none.ModelSpread != 0 || none.StorageSizeLow != none.StorageSizeHigh || none.UncompressedPages != none.LeafPages {
		t.Errorf("none: %+v", none)
	}
}

// What fits the sample is built as it streams past: the same figures.
func TestHeldWholeIsStreamedWhole(t *testing.T) {
	c := made(t, "logs", "log", 2, 3<<20)
	o := testOptions(t, "none,snappy,zstd:1")
	o.NoIndexes = false
	streamed := asJSON(t, estimateOne(t, o, c))
	o.SampleBytes = 8 << 20
	if held := asJSON(t, estimateOne(t, o, c)); held != streamed {
		t.Errorf("held whole:\n%s\nstreamed:\n%s", held, streamed)
	}
}

// The same input and seed give the same bytes, whatever the number of
// goroutines; another seed another sample.
func TestSameBytes(t *testing.T) {
	c := made(t, "orders", "grouped", 3, 6<<20)
	for _, sample := range []int64{0, 2 << 20} {
		o := testOptions(t, "none,snappy,zstd:1")
		o.NoIndexes, o.SampleBytes, o.Topology = false, sample, Auto
		var want string
		for _, jobs := range []int{1, 2, 3, 8} {
			o.Jobs = jobs
			got := asJSON(t, estimateAll(t, o, fake{c}))
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("sample %d, %d goroutines:\n%s\nwant:\n%s", sample, jobs, got, want)
			}
		}
		o.Seed = 2
		if other := asJSON(t, estimateAll(t, o, fake{c}).Collections); sample > 0 && strings.Contains(want, other) {
			t.Errorf("another seed gives the same sample")
		}
	}
}

// Collections that come by interleaved are sized as if alone, and listed by name.
func TestInterleaved(t *testing.T) {
	o := testOptions(t, "none,zstd:1")
	f := fake{made(t, "b", "orders", 4, 1<<20), made(t, "c", "log", 5, 2<<20), made(t, "a", "tiny", 6, 200<<10)}
	r := estimateAll(t, o, f)
	var names []string
	var size, storage int64
	for _, c := range r.Collections {
		names = append(names, c.NS)
		size += c.Size
		storage += c.Compressors[1].StorageSize
		i := slices.IndexFunc(f, func(k *fakeCollection) bool { return k.c.NS.String() == c.NS })
		if alone := estimateOne(t, o, f[i]); !reflect.DeepEqual(alone, c) {
			t.Errorf("%s differs from the same alone", c.NS)
		}
	}
	if want := []string{"shop.a", "shop.b", "shop.c"}; !slices.Equal(names, want) {
		t.Errorf("collections %v, want %v", names, want)
	}
	if r.Totals.Size != size || r.Totals.StorageSize["zstd:1"] != storage {
		t.Errorf("totals %+v, want %d of %d", r.Totals, storage, size)
	}
}

// An empty collection is a file of one block. MongoDB reports 4096 too.
func TestEmpty(t *testing.T) {
	for _, sample := range []int64{0, 1 << 20} {
		o := testOptions(t, "none,snappy,zlib,zstd")
		o.SampleBytes = sample
		r := estimateOne(t, o, made(t, "empty", "orders", 1, 0))
		checkResult(t, r)
		if r.Count != 0 || r.Size != 0 || r.AvgObjSize != 0 || r.Sample.Runs != 0 || r.Advice != nil {
			t.Errorf("%+v", r)
		}
		for _, c := range r.Compressors {
			if c.StorageSize != 4096 || c.StorageSizeLow != 4096 || c.StorageSizeHigh != 4096 || c.LeafPages != 0 || c.SamplingError != 0 {
				t.Errorf("%s: %+v", c.Name(), c)
			}
		}
	}
}

// A collection that was cut short is sized by what came, and listed as partial;
// one of which nothing came has no figures.
func TestFaults(t *testing.T) {
	cut := made(t, "cut", "orders", 7, 1<<20)
	cut.fault = &sampler.Fault{Source: "cut.bson", Offset: 4711, Why: "the file ends inside a document", Hint: "dump again"}
	gone := made(t, "gone", "orders", 7, 0)
	gone.fault = &sampler.Fault{Source: "gone.bson", Offset: -1, Why: "not BSON"}
	for _, sample := range []int64{0, 8 << 20} {
		o := testOptions(t, "none,snappy")
		o.SampleBytes = sample
		r := estimateAll(t, o, fake{cut, gone, made(t, "whole", "orders", 8, 100<<10)})
		if len(r.Collections) != 2 || len(r.Skipped) != 2 {
			t.Fatalf("%d collections, skipped %+v", len(r.Collections), r.Skipped)
		}
		c := r.Collections[0]
		checkResult(t, c)
		if c.NS != "shop.cut" || !c.Sample.Partial || c.Sample.Complete || c.Count != int64(len(cut.docs)) {
			t.Errorf("%+v", c)
		}
		if whole := r.Collections[1]; whole.Sample.Partial || !whole.Sample.Complete {
			t.Errorf("%+v", whole.Sample)
		}
		want := []Skipped{
			{NS: "shop.cut", Why: "the file ends inside a document", Hint: "dump again", Source: "cut.bson", Offset: 4711, Partial: true},
			{NS: "shop.gone", Why: "not BSON", Source: "gone.bson"},
		}
		if !reflect.DeepEqual(r.Skipped, want) {
			t.Errorf("skipped %+v, want %+v", r.Skipped, want)
		}
	}
}

// Skip notes a namespace that has no figures; an estimator that is closed with
// collections open leaves nothing running.
func TestSkipAndClose(t *testing.T) {
	o := testOptions(t, "snappy")
	o.NoIndexes, o.Topology, o.Fields, o.WhatIf = false, Auto, true, []string{"leaf_page_max=64KB"}
	for _, o.SampleBytes = range []int64{0, 1 << 20} {
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		e.Skip(sampler.Namespace{DB: "shop", Coll: "v"}, &sampler.Fault{Source: "dump", Offset: -1, Why: "a view", Expected: true})
		c := made(t, "open", "orders", 9, 100<<10)
		sink, err := e.Begin(c.c)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range c.docs {
			if err := sink.Document(doc); err != nil {
				t.Fatal(err)
			}
		}
		e.Close()
		r := e.Result()
		if len(r.Collections) != 0 || len(r.Skipped) != 1 || !r.Skipped[0].Expected || r.Skipped[0].NS != "shop.v" {
			t.Errorf("%+v", r)
		}
	}
}

// Neither text nor numbers of documents reach the result, nor do errors of
// indexes quote them.
func TestNoContent(t *testing.T) {
	c := made(t, "private", "tiny", 1, 0)
	for i := range 3000 {
		doc, err := bson.Marshal(bson.D{
			{Key: "_id", Value: fmt.Sprintf("SECRETID%d", i)}, {Key: "name", Value: "SECRETNAME"},
			{Key: "n", Value: 987654321}, {Key: "at", Value: bson.A{"SECRETA", "SECRETB"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		c.docs = append(c.docs, doc)
	}
	c.c.Indexes = indexSpecs(t, bson.D{{Key: "_id", Value: 1}}, bson.D{{Key: "name", Value: 1}},
		bson.D{{Key: "name", Value: "2dsphere"}}, bson.D{{Key: "at", Value: 1}, {Key: "name", Value: -1}})
	for _, sample := range []int64{0, 100 << 10} {
		o := testOptions(t, "snappy")
		o.NoIndexes, o.Fields, o.SampleBytes = false, true, sample
		text := asJSON(t, estimateAll(t, o, fake{c}))
		for _, secret := range []string{"SECRET", "987654321"} {
			if strings.Contains(text, secret) {
				t.Errorf("sample %d: the result contains %s:\n%s", sample, secret, text)
			}
		}
	}
}

// indexSpecs are listIndexes documents of the key patterns.
func indexSpecs(t *testing.T, keys ...bson.D) (out []sampler.Index) {
	t.Helper()
	for i, k := range keys {
		name := fmt.Sprintf("index_%d", i)
		if k[0].Key == "_id" {
			name = "_id_"
		}
		raw, err := bson.Marshal(bson.D{{Key: "v", Value: 2}, {Key: "key", Value: k}, {Key: "name", Value: name}})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sampler.Index{Spec: raw})
	}
	return out
}
