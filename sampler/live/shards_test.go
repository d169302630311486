package live

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// cluster is a router over two shards that hold 4000 and 2000 documents of a
// collection "split", and one that holds "single" alone.
func cluster(t *testing.T) (router *fakemongod.Server, shards []*fakemongod.Server) {
	t.Helper()
	docs := documents(6000, objectIDs)
	whole := &fakemongod.Collection{Name: "split", Shards: 2, Orphans: 30}
	whole.Add(docs...)
	single := &fakemongod.Collection{Name: "single"}
	single.Add(docs[:3000]...)
	hosts := []string{}
	for i, part := range [][]bson.Raw{docs[:4000], docs[4000:]} {
		c := &fakemongod.Collection{Name: "split", Orphans: 15}
		c.Add(part...)
		cs := []*fakemongod.Collection{c}
		if i == 1 {
			cs = append(cs, single)
		}
		p := fakemongod.V82()
		p.SetName = []string{"shard0", "shard1"}[i]
		s := serve(t, p, fakemongod.DB{Name: "shop", Collections: cs})
		shards = append(shards, s)
		hosts = append(hosts, p.SetName+"/"+s.Host)
	}
	router = serve(t, fakemongod.Mongos(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{whole, single}})
	router.Shards = hosts
	return router, shards
}

func TestShards(t *testing.T) {
	t.Parallel()
	budget := sampler.Budget{Bytes: 240 * kib, RunBytes: 8 * kib, Seed: 1}
	for _, tc := range []struct {
		name    string
		options func(router *fakemongod.Server, shards []*fakemongod.Server) Options
		before  func(router *fakemongod.Server, shards []*fakemongod.Server)
		method  string
		router  bool // says that it read through the router
	}{
		{name: "found", method: MethodRuns,
			options: func(r *fakemongod.Server, _ []*fakemongod.Server) Options { return Options{URI: r.URI()} }},
		{name: "named", method: MethodRuns,
			options: func(r *fakemongod.Server, s []*fakemongod.Server) Options {
				return Options{URI: r.URI(), ShardURIs: []string{s[0].URI(), s[1].URI()}}
			}},
		{name: "named alone", method: MethodRuns,
			options: func(_ *fakemongod.Server, s []*fakemongod.Server) Options {
				return Options{ShardURIs: []string{s[0].URI(), s[1].URI()}}
			}},
		{name: "by the router", method: MethodIDRanges, router: true,
			options: func(r *fakemongod.Server, _ []*fakemongod.Server) Options {
				return Options{URI: r.URI(), ViaRouter: true}
			}},
		{name: "listShards refused", method: MethodIDRanges, router: true,
			options: func(r *fakemongod.Server, _ []*fakemongod.Server) Options { return Options{URI: r.URI()} },
			before: func(r *fakemongod.Server, _ []*fakemongod.Server) {
				r.Inject(fakemongod.Fault{Command: "listShards", Code: 13})
			}},
		{name: "a shard refuses", method: MethodIDRanges, router: true,
			options: func(r *fakemongod.Server, _ []*fakemongod.Server) Options { return Options{URI: r.URI()} },
			before: func(_ *fakemongod.Server, s []*fakemongod.Server) {
				s[1].Inject(fakemongod.Fault{Command: "find", Code: 13}, fakemongod.Fault{Command: "aggregate", Match: firstStage("$sample"), Code: 13})
			}},
		{name: "a shard is away", method: MethodIDRanges, router: true,
			options: func(r *fakemongod.Server, _ []*fakemongod.Server) Options {
				return Options{URI: r.URI() + "/?serverSelectionTimeoutMS=500"}
			},
			before: func(_ *fakemongod.Server, s []*fakemongod.Server) { s[1].Close() }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			router, shards := cluster(t)
			if tc.before != nil {
				tc.before(router, shards)
			}
			var v collector
			if err := open(t, tc.options(router, shards)).Read(context.Background(), budget, &v); err != nil {
				t.Fatal(err)
			}
			g := v.find("split")
			if g == nil {
				t.Fatalf("not read: %v", v.skipped)
			}
			if g.end.Method != tc.method || g.end.Fault != nil || g.end.Count != 6000 {
				t.Errorf("end %+v", g.end)
			}
			if n := g.coll.Stats.NumOrphanDocs; n != 30 {
				t.Errorf("%d orphans", n)
			}
			if n := g.coll.Indexes[0].Size; n != 2*40960 {
				t.Errorf("index of %d bytes", n)
			}
			codes := map[string]bool{}
			for _, w := range g.coll.Warnings {
				codes[w.Code] = true
			}
			if codes["router"] != tc.router || !codes["orphans"] {
				t.Errorf("warnings %v", g.coll.Warnings)
			}
			// Two thirds of the documents are on the first shard.
			first := 0
			for _, d := range g.docs {
				if numberOf(d) < 4000 {
					first++
				}
			}
			low, high := 0.6, 0.73
			if tc.router { // thirty draws: three standard deviations
				low, high = 0.41, 0.93
			}
			if share := float64(first) / float64(len(g.docs)); share < low || share > high {
				t.Errorf("%.2f of the documents are from the first shard", share)
			}
			for i, r := range g.runs {
				if r.Position < 0 || r.Position >= 1 || i > 0 && (r.Position < g.runs[i-1].Position || r.Stratum <= g.runs[i-1].Stratum) {
					t.Errorf("run %d: %+v after %+v", i, r, g.runs[i-1])
				}
			}
			if one := v.find("single"); one == nil || one.end.Documents == 0 || one.end.Count != 3000 {
				t.Errorf("the other collection: %v", v.skipped)
			}
		})
	}
}

// TestShardLost: when a shard goes away while it is read, that collection is cut
// short and the next is read through the router.
func TestShardLost(t *testing.T) {
	t.Parallel()
	router, shards := cluster(t)
	v := collector{onDocument: func(n int) error {
		if n == 300 {
			shards[1].Close()
		}
		return nil
	}}
	o := Options{URI: router.URI() + "/?serverSelectionTimeoutMS=300&heartbeatFrequencyMS=500"}
	if err := open(t, o).Read(context.Background(), sampler.Budget{Bytes: 240 * kib, RunBytes: 8 * kib, Seed: 1}, &v); err != nil {
		t.Fatal(err)
	}
	cut, next := v.find("split"), v.find("single")
	if cut == nil || cut.end.Fault == nil || cut.end.Documents < 300 || cut.end.Method != MethodRuns || cut.end.Count != 6000 {
		t.Errorf("cut: %v, end %+v", cut != nil, cut.end)
	}
	if next == nil || next.end.Fault != nil || next.end.Method != MethodIDRanges || next.warned("router") == "" {
		t.Fatalf("next: %v, skipped %v", next != nil, v.skipped)
	}
}

// TestUnevenShards: a shard that is read whole is a run of its own beside those
// of a larger one, and a shard without documents is none.
func TestUnevenShards(t *testing.T) {
	docs := documents(6000, objectIDs)
	var hosts []string
	for i, part := range [][]bson.Raw{nil, docs[:5990], docs[5990:]} {
		c := &fakemongod.Collection{Name: "a"}
		c.Add(part...)
		p := fakemongod.V82()
		p.SetName = fmt.Sprint("shard", i)
		s := serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
		hosts = append(hosts, s.URI())
	}
	var v collector
	if err := open(t, Options{ShardURIs: hosts}).Read(context.Background(), sampler.Budget{Bytes: 240 * kib, RunBytes: 8 * kib, Seed: 1}, &v); err != nil {
		t.Fatal(err)
	}
	g := v.find("a")
	if g.end.Fault != nil || g.end.Method != MethodRuns || g.end.Count != 6000 {
		t.Errorf("end %+v", g.end)
	}
	last := len(g.runs) - 1
	if n := len(g.docs) - g.starts[last]; n != 10 || numberOf(g.docs[g.starts[last]]) != 5990 || g.runs[last].Stratum <= g.runs[last-1].Stratum {
		t.Errorf("the small shard gave %d documents, run %+v after %+v", n, g.runs[last], g.runs[last-1])
	}
}

// A shard that was named must be there.
func TestShardMissing(t *testing.T) {
	router, _ := cluster(t)
	err := open(t, Options{URI: router.URI(), ShardURIs: []string{"mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200"}}).
		Read(context.Background(), testBudget, &collector{})
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("error %v", err)
	}
}

// TestFailover: the member read from goes away and another, with RecordIds of
// its own, takes over.
func TestFailover(t *testing.T) {
	t.Parallel()
	for _, p := range []fakemongod.Profile{fakemongod.V82(), fakemongod.V44()} {
		docs := documents(6000, objectIDs)
		members := make([]*fakemongod.Server, 2)
		var hosts []string
		for i := range members {
			c := &fakemongod.Collection{Name: "a"}
			c.Add(docs...)
			for j := range c.Records {
				c.Records[j].ID += int64(i) * 1_000_000
			}
			p.Secondary = i == 0 // the one preferred
			members[i] = serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
			hosts = append(hosts, members[i].Host)
		}
		for _, m := range members {
			m.Members = hosts
		}
		v := collector{onDocument: func(n int) error {
			if n == 200 {
				members[0].Close()
			}
			return nil
		}}
		uri := "mongodb://" + strings.Join(hosts, ",") + "/?replicaSet=rs0&serverSelectionTimeoutMS=400&heartbeatFrequencyMS=500"
		if err := open(t, Options{URI: uri}).Read(context.Background(), testBudget, &v); err != nil {
			t.Fatal(p.Name, err)
		}
		g := v.find("a")
		if g.end.Fault != nil || g.end.Bytes < testBudget.Bytes*8/10 {
			t.Errorf("%s: end %+v", p.Name, g.end)
		}
		g.neighbours(t, members[1].Collection("shop", "a"))
		before, after := 0, 0
		for _, r := range g.runs {
			if r.RecordID > 1_000_000 {
				after++
			} else {
				before++
			}
		}
		t.Logf("%s: %d runs before, %d after", p.Name, before, after)
		if before == 0 || after == 0 {
			t.Errorf("%s: %d runs before, %d after", p.Name, before, after)
		}
	}
}
