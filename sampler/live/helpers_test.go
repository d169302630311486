package live

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// got is what a visitor was given of one collection.
type got struct {
	coll   sampler.Collection
	end    sampler.End
	ended  bool
	runs   []sampler.Run
	starts []int // index of each run's first document
	docs   []bson.Raw
}

// collector is a visitor that keeps everything.
type collector struct {
	colls   []*got
	skipped map[string]*sampler.Fault
	// onDocument is called before each document is taken.
	onDocument func(n int) error
}

func (c *collector) Begin(coll sampler.Collection) (sampler.Sink, error) {
	g := &got{coll: coll}
	c.colls = append(c.colls, g)
	return &sink{c, g}, nil
}

func (c *collector) End(coll sampler.Collection, end sampler.End) error {
	for _, g := range c.colls {
		if g.coll.NS == coll.NS {
			g.coll, g.end, g.ended = coll, end, true
		}
	}
	return nil
}

func (c *collector) Skip(ns sampler.Namespace, f *sampler.Fault) {
	if c.skipped == nil {
		c.skipped = map[string]*sampler.Fault{}
	}
	c.skipped[ns.String()] = f
}

func (c *collector) find(name string) *got {
	for _, g := range c.colls {
		if g.coll.NS.Coll == name {
			return g
		}
	}
	return nil
}

type sink struct {
	c *collector
	g *got
}

func (s *sink) Run(r sampler.Run) error {
	s.g.runs = append(s.g.runs, r)
	s.g.starts = append(s.g.starts, len(s.g.docs))
	return nil
}

func (s *sink) Document(d []byte) error {
	if s.c.onDocument != nil {
		if err := s.c.onDocument(len(s.g.docs)); err != nil {
			return err
		}
	}
	s.g.docs = append(s.g.docs, append(bson.Raw(nil), d...))
	return nil
}

// clock is a time that only Sleep moves.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Unix(1e9, 0)} }

func (c *clock) env() Env {
	return Env{
		Now: func() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now },
		Sleep: func(ctx context.Context, d time.Duration) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.now = c.now.Add(d)
			c.slept = append(c.slept, d)
			return ctx.Err()
		},
	}
}

func (c *clock) total() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sum time.Duration
	for _, d := range c.slept {
		sum += d
	}
	return sum
}

func serve(t testing.TB, p fakemongod.Profile, dbs ...fakemongod.DB) *fakemongod.Server {
	t.Helper()
	s, err := fakemongod.Start(p, dbs...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// open reads everything the options choose from a fake.
func open(t testing.TB, o Options) *Source {
	t.Helper()
	if o.Env.Now == nil {
		o.Env = newClock().env()
	}
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const kib = 1 << 10

// testBudget reads 64 runs of 16 KiB.
var testBudget = sampler.Budget{Bytes: 1024 * kib, RunBytes: 16 * kib, Seed: 1}

// idKind is how _id values are made.
type idKind int

const (
	objectIDs idKind = iota
	randomIDs
	mixedIDs
)

// made keeps what documents made: nothing changes documents once they are made.
var made sync.Map

// documents makes n documents of about 500 bytes, numbered by n.
func documents(n int, ids idKind) []bson.Raw {
	type ask struct {
		n   int
		ids idKind
	}
	if docs, ok := made.Load(ask{n, ids}); ok {
		return docs.([]bson.Raw)
	}
	docs := makeDocuments(n, ids)
	made.Store(ask{n, ids}, docs)
	return docs
}

func makeDocuments(n int, ids idKind) []bson.Raw {
	rng := rand.New(rand.NewPCG(1, 2))
	docs := make([]bson.Raw, n)
	for i := range docs {
		var id any
		switch ids {
		case objectIDs:
			var o bson.ObjectID
			binary.BigEndian.PutUint32(o[:], uint32(1_600_000_000+i))
			binary.BigEndian.PutUint32(o[8:], uint32(i))
			id = o
		case randomIDs:
			b := make([]byte, 16)
			binary.LittleEndian.PutUint64(b, rng.Uint64())
			binary.LittleEndian.PutUint64(b[8:], rng.Uint64())
			id = bson.Binary{Subtype: 4, Data: b}
		case mixedIDs:
			if id = int64(i); i%2 == 1 {
				id = fmt.Sprint("key", rng.Uint64())
			}
		}
		docs[i] = marshal(bson.D{{Key: "_id", Value: id}, {Key: "n", Value: int32(i)},
			{Key: "text", Value: fmt.Sprintf("%0*d", 350+rng.IntN(200), i)}})
	}
	return docs
}

func marshal(d bson.D) bson.Raw {
	b, err := bson.Marshal(d)
	if err != nil {
		panic(err)
	}
	return b
}

// number of a document made by documents.
func numberOf(d bson.Raw) int { return int(d.Lookup("n").Int32()) }

// holed is a plain collection of which two thirds were deleted, in stretches.
func holed(name string, n int, ids idKind) *fakemongod.Collection {
	c := &fakemongod.Collection{Name: name, Indexes: []bson.D{{{Key: "v", Value: int32(2)},
		{Key: "key", Value: bson.D{{Key: "n", Value: int32(1)}}}, {Key: "name", Value: "n_1"}}}}
	c.Add(documents(3*n, ids)...)
	c.Remove(func(i int, _ fakemongod.Record) bool { return i/100%3 != 1 })
	return c
}

// neighbours checks that documents within a run follow each other in the
// collection and that runs do not go back.
func (g *got) neighbours(t *testing.T, c *fakemongod.Collection) {
	t.Helper()
	at := map[int]int{}
	for i, r := range c.Records {
		at[numberOf(r.Doc)] = i
	}
	last := -1
	for i, start := range g.starts {
		end := len(g.docs)
		if i+1 < len(g.starts) {
			end = g.starts[i+1]
		}
		for j := start; j < end; j++ {
			p := at[numberOf(g.docs[j])]
			if j > start && p != last+1 {
				t.Fatalf("run %d: document %d is at %d, after %d", i, j-start, p, last)
			}
			if j == start && p <= last {
				t.Fatalf("run %d starts at %d, not after %d", i, p, last)
			}
			last = p
		}
	}
}
