package live

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// kinds are the collections every generation is asked for.
func kinds(p fakemongod.Profile) []fakemongod.DB {
	k := everyKind()
	shop := k.always
	if p.WireVersion >= 17 && p.Stats == fakemongod.StatsMongoDB {
		shop = slices.Concat(shop, k.clustered)
	}
	return []fakemongod.DB{{Name: "shop", Collections: shop}, {Name: "local", Collections: []*fakemongod.Collection{k.oplog}}, {Name: "admin"}}
}

type kindsMade struct {
	always    []*fakemongod.Collection
	clustered []*fakemongod.Collection // where there is such a thing
	oplog     *fakemongod.Collection
}

// everyKind is made once: servers change nothing in their collections.
var everyKind = sync.OnceValue(func() kindsMade {
	plain := func(name string, n int, ids idKind) *fakemongod.Collection {
		c := &fakemongod.Collection{Name: name}
		c.Add(documents(n, ids)...)
		return c
	}
	capped := plain("capped", 12_000, objectIDs)
	capped.Options = bson.D{{Key: "capped", Value: true}, {Key: "size", Value: int32(1 << 24)}}
	encrypted := plain("encrypted", 12_000, objectIDs)
	encrypted.Options = bson.D{{Key: "encryptedFields", Value: bson.D{}}}
	clustered := plain("clustered", 12_000, objectIDs)
	clustered.Clustered = true
	clustered.Options = bson.D{{Key: "clusteredIndex", Value: bson.D{{Key: "key", Value: bson.D{{Key: "_id", Value: 1}}}}}}
	buckets := plain("system.buckets.weather", 12_000, objectIDs)
	buckets.Clustered = true
	series := bson.D{{Key: "timeseries", Value: bson.D{{Key: "timeField", Value: "t"}}}}
	buckets.Options = append(bson.D{{Key: "clusteredIndex", Value: true}}, series...)
	return kindsMade{
		always: []*fakemongod.Collection{
			holed("objectids", 12_000, objectIDs),
			holed("uuids", 12_000, randomIDs),
			plain("mixed", 12_000, mixedIDs),
			plain("small", 50, objectIDs),
			{Name: "empty"},
			{Name: "view", Type: "view", Options: bson.D{{Key: "viewOn", Value: "objectids"}}},
			{Name: "system.views"},
			capped, encrypted,
		},
		clustered: []*fakemongod.Collection{clustered, buckets, {Name: "weather", Type: "timeseries", Options: series}},
		oplog:     oplog(12_000),
	}
})

// oplog holds entries without _id whose RecordIds are their timestamps.
func oplog(n int) *fakemongod.Collection {
	c := &fakemongod.Collection{Name: "oplog.rs", Options: bson.D{{Key: "capped", Value: true}}}
	for i, d := range documents(n, objectIDs) {
		at := bson.Timestamp{T: uint32(1_600_000_000 + i/4), I: uint32(i%4 + 1)}
		c.Records = append(c.Records, fakemongod.Record{ID: int64(at.T)<<32 | int64(at.I),
			Doc: marshal(bson.D{{Key: "ts", Value: at}, {Key: "n", Value: d.Lookup("n")}, {Key: "text", Value: d.Lookup("text")}})})
	}
	return c
}

// TestGenerations reads every kind of collection from every generation and
// compares method, documents and what is said about it with the golden table.
func TestGenerations(t *testing.T) {
	var table bytes.Buffer
	for _, p := range fakemongod.All() {
		s := serve(t, p, kinds(p)...)
		fmt.Fprintf(&table, "# %s\n", p.Name)
		w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
		for _, o := range []Options{{URI: s.URI()}, {URI: s.URI(), DB: "local", Coll: "oplog.rs"}} {
			var v collector
			err := open(t, o).Read(context.Background(), sampler.Budget{Bytes: 256 * kib, RunBytes: 8 * kib, Seed: 1}, &v)
			if err != nil {
				fmt.Fprintf(w, "error\t%s\n", hide(err.Error(), s))
			}
			rows(w, &v, s)
			check(t, &v, s)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/generations.txt", table.Bytes())
}

// rows prints what a visitor was given, one line a collection.
func rows(w *tabwriter.Writer, v *collector, s *fakemongod.Server) {
	for _, g := range v.colls {
		var codes []string
		for _, warning := range g.coll.Warnings {
			if !slices.Contains(codes, warning.Code) {
				codes = append(codes, warning.Code)
			}
		}
		slices.Sort(codes)
		fmt.Fprintf(w, "%s\t%s\t%s\t%d documents\t%d runs\tof %d\t%s\n", g.coll.NS.Coll, g.coll.Type, g.end.Method,
			g.end.Documents, len(g.runs), g.end.Count, strings.Join(codes, " "))
		if g.end.Fault != nil {
			fmt.Fprintf(w, "  fault\t%s\n", hide(g.end.Fault.Error(), s))
		}
	}
	var names []string
	for name := range v.skipped {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "%s\tskipped\t%s\thint: %s\n", name, hide(v.skipped[name].Error(), s), v.skipped[name].Hint)
	}
}

// check holds for every read: neighbours in order but for single documents.
func check(t *testing.T, v *collector, s *fakemongod.Server) {
	t.Helper()
	for _, g := range v.colls {
		name := g.coll.NS.Coll
		if g.coll.Type == sampler.TimeSeries {
			name = bucketsPrefix + name
		}
		if c := s.Collection(g.coll.NS.DB, name); g.end.Method != MethodSingle {
			g.neighbours(t, c)
		}
		if n := int64(len(g.docs)); n != g.end.Documents {
			t.Errorf("%s: %d documents given, %d said", name, n, g.end.Documents)
		}
	}
	if n := s.OpenCursors(); n != 0 {
		t.Errorf("%d cursors stay open", n)
	}
}

// hide takes the port out of a text.
func hide(text string, s *fakemongod.Server) string { return strings.ReplaceAll(text, s.Host, "HOST") }

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update rewrites it); got:\n%s", path, got)
	}
}
