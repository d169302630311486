package live

import (
	"context"
	"testing"

	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// Every way of reading delivers neighbours, in order, without $recordId, and
// close to the budget.
func TestRunsByGeneration(t *testing.T) {
	m0 := fakemongod.V80()
	m0.Tokens, m0.StartAt = fakemongod.Refused, fakemongod.Refused
	for _, tc := range []struct {
		profile fakemongod.Profile
		method  string
	}{
		{fakemongod.V44(), MethodSampledRuns},
		{fakemongod.V60(), MethodSampledRuns},
		{fakemongod.V70(), MethodRuns},
		{fakemongod.V80(), MethodSampledRuns},
		{fakemongod.V82(), MethodRuns},
		{m0, MethodIDRanges},
		{fakemongod.Mongos(), MethodIDRanges},
		{fakemongod.DocumentDB(), MethodIDRanges},
	} {
		t.Run(tc.profile.Name+"/"+tc.method, func(t *testing.T) {
			c := holed("orders", 20_000, objectIDs)
			s := serve(t, tc.profile, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
			var v collector
			src := open(t, Options{URI: s.URI(), DB: "shop"})
			if err := src.Read(context.Background(), testBudget, &v); err != nil {
				t.Fatal(err)
			}
			g := v.find("orders")
			if g == nil || !g.ended {
				t.Fatalf("not read: %v", v.skipped)
			}
			if g.end.Fault != nil || g.end.Method != tc.method {
				t.Errorf("method %q, fault %v, want %q", g.end.Method, g.end.Fault, tc.method)
			}
			g.neighbours(t, c)
			for _, d := range g.docs {
				if _, err := d.LookupErr(recordIDField); err == nil {
					t.Fatal("a document has a $recordId")
				}
			}
			if low, high := testBudget.Bytes*8/10, testBudget.Bytes*12/10; g.end.Bytes < low || g.end.Bytes > high {
				t.Errorf("%d bytes read, want about %d", g.end.Bytes, testBudget.Bytes)
			}
			if len(g.runs) < 50 {
				t.Errorf("%d runs", len(g.runs))
			}
			if g.end.Count != 20_000 || !g.end.CountMeasured {
				t.Errorf("count %d, measured %v", g.end.Count, g.end.CountMeasured)
			}
			t.Logf("%d documents, %d bytes, %d runs, %d commands", g.end.Documents, g.end.Bytes, len(g.runs), src.Usage().Commands())
			for _, w := range g.coll.Warnings {
				t.Log(w)
			}
		})
	}
}
