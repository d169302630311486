package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
	"github.com/wtsize/wtsize/sampler/racetest"
)

// counter is a visitor that keeps nothing.
type counter struct {
	end  sampler.End
	runs int
}

func (c *counter) Begin(sampler.Collection) (sampler.Sink, error) { return c, nil }
func (c *counter) End(_ sampler.Collection, e sampler.End) error  { c.end = e; return nil }
func (c *counter) Skip(sampler.Namespace, *sampler.Fault)         {}
func (c *counter) Run(sampler.Run) error                          { c.runs++; return nil }
func (c *counter) Document([]byte) error                          { return nil }

// TestLoad: the default budget, 64 MiB in runs of 512 KiB, takes at most 300
// commands, of which each names itself, is limited in time, leaves no cursor
// open and reads; no reply is much larger than a run.
func TestLoad(t *testing.T) {
	budget := sampler.Budget{Bytes: 64 << 20, RunBytes: 512 << 10, Seed: 1}
	c := &fakemongod.Collection{Name: "big"}
	rng := rand.New(rand.NewPCG(5, 6))
	shared := make([]byte, 64<<10)
	docs := make([]bson.Raw, 26_000) // 100 MB, of widely spread sizes
	for i := range docs {
		docs[i] = marshal(bson.D{{Key: "_id", Value: int64(i)}, {Key: "n", Value: int32(i)},
			{Key: "bin", Value: shared[:1000+rng.IntN(1+rng.IntN(12_000))]}})
	}
	c.Add(docs...)
	profiles := []fakemongod.Profile{fakemongod.V44(), fakemongod.V82(), fakemongod.Shared(), fakemongod.Cosmos()}
	if racetest.Enabled {
		profiles = profiles[:1] // the same goroutines each time
	}
	for _, p := range profiles {
		s := serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{c}})
		var v counter
		src := open(t, Options{URI: s.URI(), DB: "shop", Coll: "big"})
		if err := src.Read(context.Background(), budget, &v); err != nil || v.end.Fault != nil {
			t.Fatal(err, v.end.Fault)
		}
		u := src.Usage()
		t.Logf("%-10s %-16s %6d documents %3d runs %5.1f MiB read, %3d commands, largest reply %.2f MiB, %d connections",
			p.Name, v.end.Method, v.end.Documents, v.runs, float64(v.end.Bytes)/(1<<20), u.Commands(), float64(u.LargestReply())/(1<<20), s.PeakConnections())
		if n := len(s.Commands()); n > 300+2 || u.Commands() > 300 { // and endSessions of the driver
			t.Errorf("%s: %d commands, %d seen", p.Name, u.Commands(), n)
		}
		if v.end.Method != MethodSingle && (u.LargestReply() > 2*budget.RunBytes || v.end.Bytes < budget.Bytes*9/10 || v.end.Bytes > budget.Bytes*11/10) {
			t.Errorf("%s: largest reply %d bytes, %d bytes in all", p.Name, u.LargestReply(), v.end.Bytes)
		}
		if s.OpenCursors() != 0 {
			t.Errorf("%s: %d open cursors", p.Name, s.OpenCursors())
		}
		for _, cmd := range s.Commands() {
			if err := polite(cmd); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
}

// polite says what is wrong with a command.
func polite(cmd bson.Raw) error {
	e, err := cmd.IndexErr(0)
	if err != nil {
		return err
	}
	switch name := e.Key(); name {
	case "find", "aggregate":
		if str(cmd, "comment") != "wtsize" {
			return fmt.Errorf("%s has no comment", name)
		}
		if str(cmd, "readConcern", "level") != "local" {
			return fmt.Errorf("%s pins history", name)
		}
		if name == "find" && integer(cmd, "limit") == 0 && integer(cmd, "maxTimeMS") != cursorMaxTime.Milliseconds() {
			return fmt.Errorf("find without a limit")
		}
	case "hello", "buildInfo", "serverStatus", "getCmdLineOpts", "listDatabases", "listCollections", "listIndexes", "listShards", "count":
	case "endSessions", "getMore", "killCursors", "saslStart", "saslContinue":
		return nil
	default:
		return fmt.Errorf("%s is not a command that reads", name)
	}
	if integer(cmd, "maxTimeMS") == 0 {
		return fmt.Errorf("%s has no maxTimeMS", e.Key())
	}
	return nil
}
