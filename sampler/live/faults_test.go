package live

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// withStart matches finds that begin somewhere: runs, not probes.
func withStart(cmd bson.Raw) bool {
	_, start := cmd.LookupErr("$_startAt")
	_, resume := cmd.LookupErr("$_resumeAfter")
	return (start == nil || resume == nil) && cmd.Lookup("limit").AsInt64() > 1
}

func firstStage(name string) func(bson.Raw) bool {
	return func(cmd bson.Raw) bool {
		_, err := cmd.LookupErr("pipeline", "0", name)
		return err == nil
	}
}

// faultCase makes something go wrong while a collection is read.
type faultCase struct {
	name    string
	profile fakemongod.Profile
	ids     idKind
	budget  sampler.Budget
	faults  []fakemongod.Fault
	method  string
	full    bool   // the budget was read in spite of it
	why     string // part of the fault that ended it; "" for none
	ends    bool   // nothing more can be read
}

func one(f fakemongod.Fault) []fakemongod.Fault { return []fakemongod.Fault{f} }

// TestFaults makes things go wrong while a collection is read. Two collections
// are there: the second shows whether reading goes on.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []faultCase{
		{name: "28799 once", profile: fakemongod.V44(), method: MethodSampledRuns, full: true,
			faults: one(fakemongod.Fault{Match: firstStage("$sample"), Code: 28799, Times: 1, Message: "$sample stage could not find a non-duplicate document"})},
		{name: "28799 always", profile: fakemongod.V44(), method: MethodIDRanges, full: true,
			faults: one(fakemongod.Fault{Match: firstStage("$sample"), Code: 28799})},
		{name: "28799 always, random ids", profile: fakemongod.V44(), ids: randomIDs, method: MethodHead,
			faults: one(fakemongod.Fault{Match: firstStage("$sample"), Code: 28799}), full: true},
		{name: "211", profile: fakemongod.V44(), method: MethodSampledRuns, full: true,
			faults: one(fakemongod.Fault{Command: "find", Match: withStart, After: 5, Times: 6, Code: 211})},
		{name: "50 on every start", profile: fakemongod.V70(), method: MethodIDRanges, full: true,
			faults: one(fakemongod.Fault{Command: "find", Match: withStart, Code: 50, Message: "operation exceeded time limit"})},
		{name: "50 now and then", profile: fakemongod.V70(), method: MethodRuns, full: true,
			faults: one(fakemongod.Fault{Command: "find", Match: withStart, After: 5, Times: 2, Code: 50})},
		{name: "50 from some run on", profile: fakemongod.V70(), method: MethodRuns, why: "find failed with error 50 MaxTimeMSExpired",
			faults: one(fakemongod.Fault{Command: "find", Match: withStart, After: 5, Code: 50})},
		{name: "13 on a find", profile: fakemongod.V70(), why: "error 13 Unauthorized: not authorized on shop to execute command",
			faults: []fakemongod.Fault{{Match: firstStage("$sample"), Code: 13},
				{Command: "find", Code: 13, Message: `not authorized on shop to execute command { find: "a", filter: { _id: "secret" } }`}}},
		{name: "13 on statistics", profile: fakemongod.V70(), method: MethodRuns, full: true,
			faults: []fakemongod.Fault{{Match: firstStage("$collStats"), Code: 13}, {Command: "serverStatus", Code: 13},
				{Command: "getCmdLineOpts", Code: 13}, {Command: "listIndexes", Code: 13}}},
		{name: "11600 twice", profile: fakemongod.V70(), method: MethodRuns, full: true,
			faults: one(fakemongod.Fault{Command: "find", After: 9, Times: 2, Code: 11600})},
		{name: "11600 for good", profile: fakemongod.V70(), method: MethodRuns, why: "error 11600", ends: true,
			faults: one(fakemongod.Fault{Command: "find", After: 9, Code: 11600})},
		{name: "16500 at times", profile: fakemongod.Cosmos(), method: MethodSingle, full: true,
			faults: one(fakemongod.Fault{Command: "aggregate", After: 1, Times: 3, Code: 16500, Message: "Request rate is large"})},
		{name: "16500 for good", profile: fakemongod.Cosmos(), method: MethodSingle, why: "error 16500",
			faults: one(fakemongod.Fault{Command: "aggregate", Match: firstStage("$sample"), After: 4, Code: 16500})},
		{name: "connection dropped once", profile: fakemongod.V70(), method: MethodRuns, full: true,
			faults: one(fakemongod.Fault{Command: "find", After: 9, Times: 1, Drop: true})},
		{name: "reply cut in half once", profile: fakemongod.V70(), method: MethodRuns, full: true,
			faults: one(fakemongod.Fault{Command: "find", After: 9, Times: 1, Cut: true})},
		{name: "connection dropped for good", profile: fakemongod.V70(), method: MethodRuns, why: "find failed", ends: true,
			faults: one(fakemongod.Fault{After: 20, Drop: true})},
		{name: "no answer", profile: fakemongod.V70(), method: MethodRuns, why: "no reply in time", ends: true,
			faults: one(fakemongod.Fault{Command: "find", After: 9, Delay: 2 * time.Second})},
		{name: "operation killed once", profile: fakemongod.V70(), method: MethodRuns, full: true,
			faults: one(fakemongod.Fault{Command: "find", After: 9, Times: 1, Code: 11601})},
		{name: "operation killed twice", profile: fakemongod.V70(), method: MethodRuns, why: "error 11601",
			faults: one(fakemongod.Fault{Command: "find", After: 9, Times: 2, Code: 11601})},
		{name: "cursor lost", profile: fakemongod.Mongos(), budget: sampler.Budget{}, method: MethodHead, why: "error 43",
			faults: one(fakemongod.Fault{Command: "getMore", After: 1, Times: 1, Code: 43, Message: "cursor id 42 not found"})},
		{name: "credentials expired", profile: fakemongod.V70(), method: MethodRuns, why: "authentication failed", ends: true,
			faults: one(fakemongod.Fault{Command: "find", After: 9, Code: 391, Name: "ReauthenticationRequired"})},
		{name: "collection dropped", profile: fakemongod.V70(), method: MethodRuns, why: "error 26",
			faults: one(fakemongod.Fault{Command: "find", After: 9, Times: 1, Code: 26})},
		{name: "deleted record to resume after", profile: fakemongod.V44(), budget: sampler.Budget{}, method: MethodAll, full: true,
			faults: one(fakemongod.Fault{Command: "find", Match: func(c bson.Raw) bool { _, err := c.LookupErr("$_resumeAfter"); return err == nil }, Times: 2, Code: 211})},
	} {
		t.Run(tc.name, tc.run)
	}
}

func (tc faultCase) run(t *testing.T) {
	t.Parallel()
	n := 12_000
	if tc.budget.Seed = 1; tc.name != "cursor lost" && tc.name != "deleted record to resume after" {
		tc.budget = sampler.Budget{Bytes: 256 * kib, RunBytes: 8 * kib, Seed: 1}
	} else {
		n = 24_000 // several replies
	}
	a, b := holed("a", n, tc.ids), holed("b", 100, objectIDs)
	s := serve(t, tc.profile, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{a, b}})
	s.Inject(tc.faults...)
	var v collector
	o := Options{URI: s.URI(), DB: "shop"}
	if tc.name == "no answer" {
		o.MaxTime, o.Grace = 500*time.Millisecond, 500*time.Millisecond // of other commands, which a busy machine holds up too
	}
	err := open(t, o).Read(context.Background(), tc.budget, &v)
	g := v.find("a")
	f := v.skipped["shop.a"]
	if g != nil {
		f = g.end.Fault
		if g.end.Method != tc.method {
			t.Errorf("method %q, want %q", g.end.Method, tc.method)
		}
		if tc.method != MethodSingle {
			g.neighbours(t, a)
		}
		whole := g.end.Bytes >= tc.budget.Bytes*8/10
		if tc.budget.Bytes == 0 {
			whole = len(g.docs) == n
		}
		if whole != tc.full {
			t.Errorf("%d documents and %d bytes read; full %v", g.end.Documents, g.end.Bytes, tc.full)
		}
	} else if tc.method != "" {
		t.Fatalf("not begun: %v", f)
	}
	if tc.why == "" && f != nil || tc.why != "" && (f == nil || !strings.Contains(f.Error(), tc.why)) {
		t.Errorf("fault %v, want %q", f, tc.why)
	}
	if f != nil {
		t.Logf("%v (%s)", f, f.Hint)
		if strings.Contains(f.Error(), "secret") || f.Source != s.Host || f.NS != "shop.a" {
			t.Errorf("fault %+v", f)
		}
	}
	if (err != nil) != tc.ends {
		t.Errorf("error %v, want one: %v", err, tc.ends)
	}
	if second := v.skipped["shop.b"]; tc.ends && (second == nil || !strings.HasPrefix(second.Why, "not read: ")) {
		t.Errorf("second collection: %v", second)
	} else if !tc.ends && v.find("b") == nil && tc.why != "" && tc.name != "13 on a find" {
		t.Errorf("second collection not read: %v", v.skipped)
	}
	if n := s.OpenCursors(); n > 0 && tc.name != "cursor lost" {
		t.Errorf("%d open cursors", n)
	}
}

// Deletes while runs are read neither stop reading nor repeat documents.
func TestDeletesDuringRead(t *testing.T) {
	for _, p := range []fakemongod.Profile{fakemongod.V44(), fakemongod.V82()} {
		c := holed("a", 6000, objectIDs)
		s := serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
		finds := 0
		s.Before = func(_ *fakemongod.Server, name string, cmd bson.Raw) {
			if name != "find" {
				return
			}
			// Every third document goes, each time another third, and with them
			// some that were drawn to resume after.
			finds++
			c.Remove(func(i int, r fakemongod.Record) bool { return finds%8 == 0 && i%3 == finds%3 })
		}
		var v collector
		if err := open(t, Options{URI: s.URI()}).Read(context.Background(), sampler.Budget{Bytes: 128 * kib, RunBytes: 8 * kib, Seed: 3}, &v); err != nil {
			t.Fatal(err)
		}
		g := v.find("a")
		if g.end.Fault != nil || g.end.Documents == 0 {
			t.Errorf("%s: %d documents, fault %v", p.Name, g.end.Documents, g.end.Fault)
		}
		var seen []int
		for _, d := range g.docs {
			seen = append(seen, numberOf(d))
		}
		if !slices.IsSorted(seen) || len(slices.Compact(slices.Clone(seen))) != len(seen) {
			t.Errorf("%s: documents out of order or repeated", p.Name)
		}
	}
}

func TestInterrupt(t *testing.T) {
	c := holed("a", 6000, objectIDs)
	b := holed("b", 6000, objectIDs)
	s := serve(t, fakemongod.V70(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c, b}})
	ctx, cancel := context.WithCancel(context.Background())
	v := collector{onDocument: func(n int) error {
		if n == 100 {
			cancel()
		}
		return nil
	}}
	err := open(t, Options{URI: s.URI()}).Read(ctx, testBudget, &v)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	g := v.find("a")
	if !g.ended || g.end.Documents < 100 || g.end.Fault == nil || g.end.Fault.Why != "interrupted" {
		t.Errorf("end %+v", g.end)
	}
	if f := v.skipped["shop.b"]; f == nil || f.Why != "not read: interrupted" {
		t.Errorf("second collection: %v", f)
	}
}

func TestTimeLimit(t *testing.T) {
	c := holed("a", 6000, objectIDs)
	s := serve(t, fakemongod.V70(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c, holed("b", 10, objectIDs)}})
	o := Options{URI: s.URI(), Timeout: time.Second}
	v := collector{onDocument: func(int) error { time.Sleep(5 * time.Millisecond); return nil }}
	if err := open(t, o).Read(context.Background(), testBudget, &v); err != nil {
		t.Fatal(err)
	}
	for name, f := range v.skipped {
		if !strings.HasSuffix(f.Why, "the time limit was reached") || f.Hint == "" {
			t.Errorf("%s: %v", name, f)
		}
	}
	if g := v.find("a"); g != nil && (g.end.Fault == nil || g.end.Fault.Why != "the time limit was reached") {
		t.Errorf("end %+v", g.end)
	}
}

// The receiver's error ends reading and comes back as it is.
func TestSinkError(t *testing.T) {
	enough := errors.New("enough")
	for _, p := range []fakemongod.Profile{fakemongod.V44(), fakemongod.V70(), fakemongod.Shared(), fakemongod.Cosmos()} {
		s := serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 6000, objectIDs)}})
		v := collector{onDocument: func(n int) error {
			if n == 10 {
				return enough
			}
			return nil
		}}
		if err := open(t, Options{URI: s.URI()}).Read(context.Background(), testBudget, &v); !errors.Is(err, enough) {
			t.Errorf("%s: error %v", p.Name, err)
		}
	}
}
