package live

import (
	"context"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

func plainly(name string) *fakemongod.Collection {
	c := &fakemongod.Collection{Name: name}
	c.Add(documents(50, objectIDs)...)
	return c
}

func (c *collector) names() string {
	var names []string
	for _, g := range c.colls {
		names = append(names, g.coll.NS.String())
	}
	return strings.Join(names, " ")
}

func (g *got) warned(code string) string {
	for _, w := range g.coll.Warnings {
		if w.Code == code {
			return w.Text
		}
	}
	return ""
}

func TestDiscover(t *testing.T) {
	whole := func(cmd bson.Raw) bool { return !boolean(cmd, "nameOnly") }
	refused := fakemongod.Fault{Command: "listCollections", Code: 13}
	for _, tc := range []struct {
		name   string
		o      Options
		faults []fakemongod.Fault
		want   string // namespaces read
		skip   string // a namespace skipped, and why
		err    string
		hint   string
	}{
		{name: "everything", want: "shop.orders shop.users stock.parts"},
		{name: "a database", o: Options{DB: "shop"}, want: "shop.orders shop.users"},
		{name: "a collection", o: Options{DB: "shop", Coll: "users"}, want: "shop.users"},
		{name: "a collection of every database", o: Options{Coll: "parts"}, want: "stock.parts"},
		{name: "a collection of no database", o: Options{Coll: "none"}, skip: "none: no database has such a collection"},
		{name: "chosen", o: Options{Select: func(ns sampler.Namespace) bool { return strings.HasSuffix(ns.Coll, "rs") }}, want: "shop.orders shop.users"},
		{name: "system, by name", o: Options{DB: "shop", Coll: "system.views"}, want: "shop.system.views"},
		{name: "no such database", o: Options{DB: "none"}, want: ""},
		{name: "no such collection", o: Options{DB: "shop", Coll: "Orders"}, skip: "shop.Orders: there is no such collection"},
		{name: "names only", faults: []fakemongod.Fault{{Command: "listCollections", Code: 13, Match: whole}}, want: "shop.orders shop.users stock.parts"},
		{name: "collections not listed", o: Options{DB: "shop"}, faults: []fakemongod.Fault{refused}, err: "listCollections failed with error 13", hint: "grant the role read on database shop"},
		{name: "collections not listed, one named", o: Options{DB: "shop", Coll: "orders"}, faults: []fakemongod.Fault{refused}, want: "shop.orders"},
		{name: "databases not listed", faults: []fakemongod.Fault{{Command: "listDatabases", Code: 13}}, err: "listDatabases failed with error 13", hint: "name a database with --db, or grant readAnyDatabase"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := serve(t, fakemongod.V82(),
				fakemongod.DB{Name: "admin", Collections: []*fakemongod.Collection{plainly("system.users")}},
				fakemongod.DB{Name: "config", Collections: []*fakemongod.Collection{plainly("x")}},
				fakemongod.DB{Name: "local", Collections: []*fakemongod.Collection{plainly("startup_log")}},
				fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{plainly("orders"), plainly("users"), plainly("system.views"), plainly("system.profile")}},
				fakemongod.DB{Name: "stock", Collections: []*fakemongod.Collection{plainly("parts")}})
			s.Inject(tc.faults...)
			var v collector
			tc.o.URI = s.URI()
			err := open(t, tc.o).Read(context.Background(), testBudget, &v)
			if tc.err != "" {
				f, ok := err.(*sampler.Fault)
				if !ok || !strings.Contains(f.Why, tc.err) || f.Hint != tc.hint {
					t.Errorf("error %+v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := v.names(); got != tc.want {
				t.Errorf("read %q, want %q", got, tc.want)
			}
			if ns, why, ok := strings.Cut(tc.skip, ": "); ok && (v.skipped[ns] == nil || v.skipped[ns].Why != why) {
				t.Errorf("skipped %v, want %s", v.skipped, tc.skip)
			}
			for _, g := range v.colls {
				if unknown := tc.name == "collections not listed, one named"; (g.warned("no-options") != "") != unknown {
					t.Errorf("%s: warnings %v", g.coll.NS, g.coll.Warnings)
				}
			}
		})
	}
}

// buckets makes a time series as servers up to 8.2 store it, or as newer ones.
func buckets(viewless bool) []*fakemongod.Collection {
	b := &fakemongod.Collection{Name: "system.buckets.weather", Clustered: true}
	b.Add(documents(12_000, objectIDs)...)
	series := bson.D{{Key: "timeseries", Value: bson.D{{Key: "timeField", Value: "t"}}}}
	b.Options = append(bson.D{{Key: "clusteredIndex", Value: true}}, series...)
	if viewless {
		b.Name, b.Type, b.Options = "weather", "timeseries", series
		return []*fakemongod.Collection{b}
	}
	return []*fakemongod.Collection{b, {Name: "weather", Type: "timeseries", Options: series}}
}

func TestTimeSeries(t *testing.T) {
	viewless := fakemongod.V82()
	viewless.Version = "8.3.0"
	namesOnly := fakemongod.Fault{Command: "listCollections", Code: 13}
	for _, tc := range []struct {
		name    string
		profile fakemongod.Profile
		faults  []fakemongod.Fault
		why     string
		hint    string
	}{
		{name: "buckets", profile: fakemongod.V70()},
		{name: "buckets by name", profile: fakemongod.V70()},
		{name: "viewless", profile: viewless},
		{name: "unlisted buckets", profile: fakemongod.V70(), faults: []fakemongod.Fault{namesOnly}, why: "documents of a time series"},
		{name: "buckets refused", profile: fakemongod.V70(), why: "error 13", hint: "grant find on shop.system.buckets.weather",
			faults: []fakemongod.Fault{{Command: "find", Code: 13}, {Match: firstStage("$sample"), Code: 13}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := serve(t, tc.profile, fakemongod.DB{Name: "shop", Collections: buckets(tc.profile.Version == "8.3.0")})
			s.Inject(tc.faults...)
			o := Options{URI: s.URI(), DB: "shop", Coll: "weather"}
			if tc.name == "buckets by name" {
				o.Coll = "system.buckets.weather"
			}
			var v collector
			if err := open(t, o).Read(context.Background(), testBudget, &v); err != nil {
				t.Fatal(err)
			}
			g := v.find(o.Coll)
			if tc.why != "" {
				f := v.skipped["shop.weather"]
				if f == nil || !strings.Contains(f.Why, tc.why) || !strings.HasPrefix(f.Hint, tc.hint) {
					t.Errorf("skipped %v", f)
				}
				return
			}
			if g == nil {
				t.Fatalf("skipped %v", v.skipped)
			}
			if g.end.Method != MethodClustered || g.end.Fault != nil || g.end.Count != 12_000 || g.coll.Type != sampler.TimeSeries {
				t.Errorf("%s, end %+v", g.coll.Type, g.end)
			}
			if len(g.coll.Indexes) != 0 {
				t.Errorf("indexes %v", g.coll.Indexes)
			}
		})
	}
}

// TestFigures: what a server says of a collection arrives.
func TestFigures(t *testing.T) {
	c := holed("orders", 600, objectIDs)
	c.Compressor, c.Orphans = "zstd", 7
	c.Options = bson.D{{Key: "storageEngine", Value: bson.D{{Key: "wiredTiger", Value: bson.D{{Key: "configString", Value: "block_compressor=zstd"}}}}}}
	var size int64
	for _, r := range c.Records {
		size += int64(len(r.Doc))
	}
	s := serve(t, fakemongod.V82(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
	s.Options = bson.D{{Key: "storage", Value: bson.D{{Key: "wiredTiger", Value: bson.D{
		{Key: "collectionConfig", Value: bson.D{{Key: "blockCompressor", Value: "zlib"}}},
		{Key: "engineConfig", Value: bson.D{{Key: "zstdCompressionLevel", Value: int32(-3)}}}}}}}}
	var v collector
	if err := open(t, Options{URI: s.URI()}).Read(context.Background(), sampler.Budget{}, &v); err != nil {
		t.Fatal(err)
	}
	g := v.find("orders")
	want := sampler.Stats{Count: 600, Size: size, StorageSize: size / 2, FreeStorageSize: size / 10, TotalIndexSize: 2 * 40960,
		NumOrphanDocs: 7, Compressor: "zstd", WindowedPages: 250, PagesWritten: 1000,
		Server: sampler.Server{Product: "MongoDB", Release: "8.2.2", Topology: "replset", CacheBytes: 1 << 30,
			DefaultCompressor: "zlib", ZstdLevel: -3, Host: s.Host}}
	if *g.coll.Stats != want {
		t.Errorf("stats %+v\nwant  %+v", *g.coll.Stats, want)
	}
	if !strings.Contains(g.coll.ConfigString, "block_compressor=zstd,leaf_page_max=32KB") || g.coll.Release != "8.2.2" {
		t.Errorf("config %q, release %q", g.coll.ConfigString, g.coll.Release)
	}
	if x := g.coll.Indexes; len(x) != 2 || x[1].Size != 40960 || x[1].Free != 4096 || !has(x[1].Spec, "key", "n") {
		t.Errorf("indexes %v", x)
	}
	if !has(g.coll.Options, "storageEngine") {
		t.Errorf("options %v", g.coll.Options)
	}
}

// TestMissingFigures: each figure a user may not see becomes a warning with the
// privilege it needs, and reading goes on.
func TestMissingFigures(t *testing.T) {
	for _, tc := range []struct {
		fault fakemongod.Fault
		code  string
		part  string
	}{
		{fakemongod.Fault{Command: "serverStatus", Code: 13}, "server-facts", "cache size (serverStatus) could not be read: the role clusterMonitor"},
		{fakemongod.Fault{Command: "getCmdLineOpts", Code: 13}, "server-facts", "zstd level (getCmdLineOpts) could not be read: the role clusterMonitor"},
		{fakemongod.Fault{Command: "aggregate", Match: firstStage("$collStats"), Code: 13}, "no-coll-stats", "the role read on the database gives the right"},
		{fakemongod.Fault{Command: "listIndexes", Code: 13}, "no-indexes", "the role read on the database gives the right"},
		{fakemongod.Fault{Command: "buildInfo", Code: 13}, "", ""},
	} {
		s := serve(t, fakemongod.V70(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 6000, objectIDs)}})
		s.Inject(tc.fault)
		var v collector
		if err := open(t, Options{URI: s.URI()}).Read(context.Background(), testBudget, &v); err != nil {
			t.Fatal(err)
		}
		g := v.find("a")
		if g.end.Fault != nil || g.end.Bytes < testBudget.Bytes*8/10 || g.end.Count != 6000 {
			t.Errorf("%s: end %+v", tc.fault.Command, g.end)
		}
		if text := g.warned(tc.code); !strings.Contains(text, tc.part) {
			t.Errorf("%s: %q in %v", tc.fault.Command, text, g.coll.Warnings)
		}
	}
}

// TestNoEngine: figures without a wiredTiger section are taken, and said to lack it.
func TestNoEngine(t *testing.T) {
	p := fakemongod.V82()
	p.Stats = fakemongod.StatsNoEngine
	s := serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 600, objectIDs)}})
	var v collector
	if err := open(t, Options{URI: s.URI()}).Read(context.Background(), testBudget, &v); err != nil {
		t.Fatal(err)
	}
	g := v.find("a")
	if g.coll.Stats.Count != 600 || g.coll.Stats.StorageSize == 0 || g.coll.Stats.Compressor != "" || g.coll.ConfigString != "" || g.warned("no-wiredtiger") == "" {
		t.Errorf("stats %+v, warnings %v", g.coll.Stats, g.coll.Warnings)
	}
}
