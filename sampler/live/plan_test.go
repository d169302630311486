package live

import (
	"context"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// TestPlan: a dry run announces what reading then does, and reads no documents
// but those of probes.
func TestPlan(t *testing.T) {
	for _, p := range []fakemongod.Profile{fakemongod.V44(), fakemongod.V82(), fakemongod.Mongos(), fakemongod.DocumentDB(), fakemongod.Cosmos()} {
		s := serve(t, p, kinds(p)...)
		o := Options{URI: s.URI(), DB: "shop"}
		plan, err := open(t, o).Plan(context.Background(), testBudget)
		if err != nil {
			t.Fatal(p.Name, err)
		}
		for _, cmd := range s.Commands() {
			if n := integer(cmd, "limit"); n > growthSample && !has(cmd, "projection") {
				t.Errorf("%s: a plan reads %d documents", p.Name, n)
			}
		}
		var v collector
		src := open(t, o)
		if err := src.Read(context.Background(), testBudget, &v); err != nil {
			t.Fatal(p.Name, err)
		}
		if len(plan.Collections) != len(v.colls) || len(plan.Skipped) != len(v.skipped) {
			t.Errorf("%s: %d collections and %d skipped planned, %d and %d read", p.Name, len(plan.Collections), len(plan.Skipped), len(v.colls), len(v.skipped))
		}
		for _, c := range plan.Collections {
			end := v.find(c.NS.Coll).end
			if c.Method != end.Method || c.Bytes > 0 && (end.Bytes < c.Bytes/2 || end.Bytes > c.Bytes*3/2) || !slices.Equal(c.Hosts, []string{s.Host}) {
				t.Errorf("%s: planned %+v, read %+v", p.Name, c, end)
			}
		}
	}
}

// An address that leads to another member each time cannot be read by RecordIds.
func TestWanderingAddress(t *testing.T) {
	s := serve(t, fakemongod.V82(), fakemongod.DB{Name: "shop"})
	names := []string{"m1:27017", "m2:27017"}
	n := 0
	s.Before = func(s *fakemongod.Server, name string, _ bson.Raw) {
		if name == "hello" {
			s.Me = names[n%2]
			n++
		}
	}
	err := open(t, Options{URI: s.URI()}).Read(context.Background(), testBudget, &collector{})
	if err == nil || !strings.Contains(err.Error(), "leads to another member each time") {
		t.Errorf("error %v", err)
	}
}

// TestWrongCounters: a collection far larger than the server's counters say is
// read up to twice the budget, and said to be cut.
func TestWrongCounters(t *testing.T) {
	for _, p := range []fakemongod.Profile{fakemongod.V82(), fakemongod.Mongos()} {
		c := holed("a", 24_000, objectIDs)
		c.FastCount, c.FastSize = 10, 5000
		s := serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
		var v collector
		if err := open(t, Options{URI: s.URI()}).Read(context.Background(), testBudget, &v); err != nil {
			t.Fatal(err)
		}
		end := v.find("a").end
		if end.Method != MethodHead || end.Fault == nil || !strings.Contains(end.Fault.Why, "larger than the server's counters") ||
			end.Bytes < 2*testBudget.Bytes || end.Bytes > 2*testBudget.Bytes+2*allReply || end.Count != end.Documents {
			t.Errorf("%s: end %+v", p.Name, end)
		}
		if s.OpenCursors() != 0 {
			t.Errorf("%s: %d open cursors", p.Name, s.OpenCursors())
		}
	}
}
