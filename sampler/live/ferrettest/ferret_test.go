package ferrettest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/FerretDB/FerretDB/ferretdb"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live"
)

// start runs FerretDB on SQLite and gives its connection string.
func start(t *testing.T) string {
	t.Helper()
	f, err := ferretdb.New(&ferretdb.Config{Listener: ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Handler: "sqlite", SQLiteURL: "file:" + t.TempDir() + "/", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return f.MongoDBURI()
}

func connect(t *testing.T, uri string) *mongo.Client {
	t.Helper()
	c, err := mongo.Connect(options.Client().ApplyURI(uri))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Disconnect(context.Background()) })
	return c
}

// fill makes the collections: ids that grow, ids that do not, few documents, a
// capped collection.
func fill(t *testing.T, c *mongo.Client) map[string][]bson.Raw {
	t.Helper()
	ctx := context.Background()
	db := c.Database("shop")
	if err := db.CreateCollection(ctx, "capped", options.CreateCollection().SetCapped(true).SetSizeInBytes(1<<22)); err != nil {
		t.Fatal(err)
	}
	made := map[string][]bson.Raw{}
	rng := rand.New(rand.NewPCG(3, 4))
	for name, n := range map[string]int{"growing": 3000, "random": 3000, "small": 20, "capped": 1500} {
		var docs []bson.Raw
		for i := range n {
			var id any = int64(i)
			if name == "random" {
				id = fmt.Sprintf("%016x", rng.Uint64())
			}
			d, err := bson.Marshal(bson.D{{Key: "_id", Value: id}, {Key: "n", Value: int32(i)},
				{Key: "text", Value: strings.Repeat("x", 200+rng.IntN(200))}})
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, d)
		}
		for chunk := range slices.Chunk(docs, 500) {
			if _, err := db.Collection(name).InsertMany(ctx, chunk); err != nil {
				t.Fatal(err)
			}
		}
		made[name] = docs
	}
	if _, err := db.Collection("growing").Indexes().CreateOne(ctx, mongo.IndexModel{Keys: bson.D{{Key: "n", Value: 1}}}); err != nil {
		t.Fatal(err)
	}
	return made
}

type visitor struct {
	ends    map[string]sampler.End
	colls   map[string]sampler.Collection
	docs    map[string][]bson.Raw
	runs    map[string]int
	skipped map[string]*sampler.Fault
}

func newVisitor() *visitor {
	return &visitor{map[string]sampler.End{}, map[string]sampler.Collection{}, map[string][]bson.Raw{}, map[string]int{}, map[string]*sampler.Fault{}}
}

func (v *visitor) Begin(c sampler.Collection) (sampler.Sink, error) { return sink{v, c.NS.Coll}, nil }
func (v *visitor) Skip(ns sampler.Namespace, f *sampler.Fault)      { v.skipped[ns.Coll] = f }
func (v *visitor) End(c sampler.Collection, e sampler.End) error {
	v.colls[c.NS.Coll], v.ends[c.NS.Coll] = c, e
	return nil
}

type sink struct {
	v    *visitor
	name string
}

func (s sink) Run(sampler.Run) error { s.v.runs[s.name]++; return nil }
func (s sink) Document(d []byte) error {
	s.v.docs[s.name] = append(s.v.docs[s.name], slices.Clone(d))
	return nil
}

func read(t *testing.T, o live.Options, b sampler.Budget) *visitor {
	t.Helper()
	s, err := live.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	v := newVisitor()
	if err := s.Read(context.Background(), b, v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFerretDB(t *testing.T) {
	uri := start(t)
	made := fill(t, connect(t, uri))

	t.Run("everything", func(t *testing.T) {
		v := read(t, live.Options{URI: uri}, sampler.Budget{})
		for name, docs := range made {
			e := v.ends[name]
			if e.Method != live.MethodAll || e.Fault != nil || e.Documents != int64(len(docs)) || e.Count != e.Documents || !e.CountMeasured {
				t.Errorf("%s: %+v", name, e)
			}
			for i, d := range v.docs[name] {
				if string(d) != string(docs[i]) {
					t.Fatalf("%s: document %d differs", name, i)
				}
			}
		}
	})

	t.Run("sample", func(t *testing.T) {
		v := read(t, live.Options{URI: uri, DB: "shop"}, sampler.Budget{Bytes: 128 << 10, RunBytes: 8 << 10, Seed: 1})
		for name, want := range map[string]string{"growing": live.MethodIDRanges, "random": live.MethodHead, "small": live.MethodAll} {
			e, c := v.ends[name], v.colls[name]
			t.Logf("%s: %s, %d documents of %d, %d bytes, %d runs", name, e.Method, e.Documents, e.Count, e.Bytes, v.runs[name])
			for _, w := range c.Warnings {
				t.Logf("  %s: %s", w.Code, w.Text)
			}
			if e.Method != want || e.Fault != nil {
				t.Errorf("%s: %+v, want %s", name, e, want)
			}
			if e.Count != int64(len(made[name])) {
				t.Errorf("%s: count %d", name, e.Count)
			}
			// SQLite's sizes are not those of documents: Size must be near the truth.
			size := int64(0)
			for _, d := range made[name] {
				size += int64(len(d))
			}
			if e.Size < size*8/10 || e.Size > size*12/10 {
				t.Errorf("%s: size %d, want about %d", name, e.Size, size)
			}
			if c.Stats == nil || c.Stats.Server.Product != "FerretDB" || c.Stats.Server.Topology != "standalone" || c.Stats.Compressor != "" {
				t.Errorf("%s: stats %+v", name, c.Stats)
			}
			for _, d := range v.docs[name] {
				if _, err := d.LookupErr("$recordId"); err == nil || d.Lookup("text").StringValue() == "" {
					t.Fatalf("%s: a document was changed: %v", name, d)
				}
			}
		}
		if n := len(v.colls["growing"].Indexes); n != 2 {
			t.Errorf("%d indexes", n)
		}
		if got := v.colls["capped"]; got.Type != sampler.Capped {
			t.Errorf("capped is %q", got.Type)
		}
		numbers := v.docs["growing"]
		for i := 1; i < len(numbers); i++ {
			if numbers[i].Lookup("n").Int32() <= numbers[i-1].Lookup("n").Int32() {
				t.Fatalf("document %d is out of order", i)
			}
		}
	})

	t.Run("plan", func(t *testing.T) {
		s, err := live.Open(live.Options{URI: uri, DB: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Plan(context.Background(), sampler.Budget{Bytes: 128 << 10, RunBytes: 8 << 10})
		if err != nil || p.Product != "FerretDB" || len(p.Collections) != 4 {
			t.Errorf("plan %+v, error %v", p, err)
		}
	})

	t.Run("no such collection", func(t *testing.T) {
		v := read(t, live.Options{URI: uri, DB: "shop", Coll: "none"}, sampler.Budget{})
		if f := v.skipped["none"]; f == nil || f.Why != "there is no such collection" {
			t.Errorf("fault %v", f)
		}
	})
}

// TestRefusals pins what the ladder rests on: which commands FerretDB refuses,
// and which it answers without doing what it was told. Where one of these
// changes, a probe has lost its example.
func TestRefusals(t *testing.T) {
	uri := start(t)
	c := connect(t, uri)
	fill(t, c)
	db := c.Database("shop")
	find := func(more ...bson.E) bson.D {
		return append(bson.D{{Key: "find", Value: "random"}, {Key: "limit", Value: 1}, {Key: "singleBatch", Value: true}}, more...)
	}
	natural := func(d int) bson.E { return bson.E{Key: "hint", Value: bson.D{{Key: "$natural", Value: d}}} }
	aggregate := func(stage bson.D) bson.D {
		return bson.D{{Key: "aggregate", Value: "random"}, {Key: "pipeline", Value: bson.A{stage}}, {Key: "cursor", Value: bson.D{}}}
	}
	for _, tc := range []struct {
		name string
		cmd  bson.D
		code int32
	}{
		{"resume token", find(natural(1), bson.E{Key: "$_requestResumeToken", Value: true}), 9},
		{"natural sort", find(bson.E{Key: "sort", Value: bson.D{{Key: "$natural", Value: -1}}}), 238},
		{"$sample", aggregate(bson.D{{Key: "$sample", Value: bson.D{{Key: "size", Value: 1}}}}), 238},
		{"$indexStats", aggregate(bson.D{{Key: "$indexStats", Value: bson.D{}}}), 238},
		{"collation", find(bson.E{Key: "collation", Value: bson.D{{Key: "locale", Value: "en"}}}), 238},
		{"splitVector", bson.D{{Key: "splitVector", Value: "shop.random"}}, 59},
		{"listIndexes of nothing", bson.D{{Key: "listIndexes", Value: "none"}}, 26},
	} {
		var ce mongo.CommandError
		if err := db.RunCommand(context.Background(), tc.cmd).Err(); !errors.As(err, &ce) || ce.Code != tc.code {
			t.Errorf("%s: %v, want error %d", tc.name, err, tc.code)
		}
	}
	first := func(cmd bson.D) bson.Raw {
		reply, err := db.RunCommand(context.Background(), cmd).Raw()
		if err != nil {
			t.Fatal(err)
		}
		return reply.Lookup("cursor", "firstBatch", "0").Document()
	}
	if a, b := first(find(natural(1))), first(find(natural(-1))); string(a) != string(b) {
		t.Error("a hint on reversed natural order now works")
	}
	if id := first(find(bson.E{Key: "showRecordId", Value: true})).Lookup("$recordId"); id.AsInt64() != 0 {
		t.Error("showRecordId now gives RecordIds")
	}
	if v := first(find(bson.E{Key: "projection", Value: bson.D{{Key: "_", Value: "$$ROOT"}}})).Lookup("_"); v.Type != bson.TypeString {
		t.Error("$$ROOT in a projection now works")
	}
}
