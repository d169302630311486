package live

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// part is one collection on one node: the whole of it, or a shard's share.
type part struct {
	r *reading
	c choice
}

// prepared is a collection ready to be read.
type prepared struct {
	coll  sampler.Collection
	total figures
	parts []part
}

// visit reads one collection. The error is non-nil when nothing more can be
// read at all.
func (se *session) visit(ctx context.Context, t *target, b sampler.Budget, v sampler.Visitor) error {
	p, err := se.prepare(ctx, t, b)
	if err != nil {
		v.Skip(t.ns, stopped(ctx, se.front.host, t.ns, err))
		return ifFinal(err)
	}
	sink, err := v.Begin(p.coll)
	if err != nil {
		return sinkError{err}
	}
	if sink == nil {
		return nil
	}
	end, failed := se.read(ctx, p, sink)
	if isSink(failed) {
		return failed
	}
	if failed != nil {
		end.Fault = stopped(ctx, se.front.host, t.ns, failed)
	}
	if err := v.End(p.coll, end); err != nil {
		return sinkError{err}
	}
	if se.leaveShards(ctx, failed) {
		return nil
	}
	return ifFinal(failed)
}

// ifFinal keeps errors that end everything and drops those of one collection.
func ifFinal(err error) error {
	var e *serverError
	if errors.As(err, &e) && final(err) {
		return err
	}
	return nil
}

// prepare measures a collection and chooses how to read it.
func (se *session) prepare(ctx context.Context, t *target, b sampler.Budget) (*prepared, error) {
	if t.raw && se.server.version.less(version{8, 3}) {
		t.coll, t.raw = bucketsPrefix+t.ns.Coll, false
	}
	if len(se.shards) > 0 {
		p, err := se.prepareOn(ctx, t, b, se.shards)
		if err == nil || se.s.main == nil {
			return p, err
		}
		if ifFinal(err) != nil && !se.leaveShards(ctx, err) {
			return nil, err
		}
		t.warn("router", "read through the router, since a shard cannot be read directly ("+short(err)+")")
	}
	return se.prepareOn(ctx, t, b, []member{{se.front, se.server}})
}

func (se *session) prepareOn(ctx context.Context, t *target, b sampler.Budget, on []member) (*prepared, error) {
	members, held, err := measureAll(ctx, t, on)
	if err != nil {
		return nil, err
	}
	p := &prepared{total: merge(held)}
	b = b.Of(p.total.Size)
	base := 0.0
	for i, m := range members {
		share := 1.0
		if len(held) > 1 {
			share = weight(held[i], &p.total, len(held))
		}
		r := &reading{n: m.n, s: m.s, t: t, f: held[i], rng: se.rng(t.ns, i, b.Seed), runBytes: b.RunBytes,
			end: &sampler.End{}, base: base, scale: share}
		if b.Bytes > 0 {
			r.goal = max(int64(float64(b.Bytes)*share), b.RunBytes)
		}
		base += share
		c, err := r.choose(ctx)
		if err != nil {
			return nil, se.bucketHint(t, err)
		}
		p.parts = append(p.parts, part{r, c})
	}
	p.coll = se.describe(t, p)
	return p, nil
}

// measureAll measures the collection on each member and leaves out shards that
// have none of it, but for one.
func measureAll(ctx context.Context, t *target, on []member) (members []member, held []*figures, err error) {
	for _, m := range on {
		f, err := measure(ctx, m.n, m.s, t)
		if err != nil {
			return nil, nil, err
		}
		if f.Count == 0 && len(held) > 0 {
			continue
		}
		if len(held) == 1 && held[0].Count == 0 {
			held, members = nil, nil
		}
		held, members = append(held, f), append(members, m)
	}
	return members, held, nil
}

// choose finds the way to read this part, and notes what it does to the figures.
func (r *reading) choose(ctx context.Context) (choice, error) {
	if err := r.guessSize(ctx); err != nil {
		return choice{}, err
	}
	c, err := choose(ctx, r, ladder(r), nil)
	if err != nil {
		return choice{}, err
	}
	for _, w := range c.explain() {
		r.warn(w.Code, w.Text)
	}
	return c, nil
}

// bucketHint: read on a database does not cover system.buckets.
func (se *session) bucketHint(t *target, err error) error {
	var f *sampler.Fault
	if t.kind == sampler.TimeSeries && errors.As(err, &f) && strings.Contains(f.Why, "error 13") {
		f.Hint = "grant find on " + t.ns.DB + "." + t.coll + ", or readAnyDatabase: read on the database does not cover the buckets of time series"
	}
	return err
}

// guessSize looks at a few documents where the server tells a count and no size.
func (r *reading) guessSize(ctx context.Context) error {
	if r.f.Size > 0 || r.f.Count == 0 {
		return nil
	}
	a, err := r.find(ctx, query{limit: firstLimit})
	if err != nil {
		if final(err) {
			return err
		}
		return nil // the ladder will say so
	}
	var bytes int64
	for _, d := range a.docs {
		bytes += int64(len(d))
	}
	if len(a.docs) > 0 {
		r.f.Size = r.f.Count * bytes / int64(len(a.docs))
	}
	return nil
}

// rng is seeded by namespace and shard, so that a collection's positions do not
// depend on what was read before it.
func (se *session) rng(ns sampler.Namespace, shard int, seed int64) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(ns.String())) // a hash takes everything
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()+uint64(shard)))
}

// weight is a shard's share of a collection's bytes, or of its documents.
func weight(f, total *figures, shards int) float64 {
	switch {
	case total.Size > 0:
		return float64(f.Size) / float64(total.Size)
	case total.Count > 0:
		return float64(f.Count) / float64(total.Count)
	}
	return 1 / float64(shards)
}

// merge adds the figures of several shards.
func merge(parts []*figures) figures {
	total := *parts[0]
	total.indexes = slices.Clone(total.indexes)
	total.warnings = slices.Clone(total.warnings)
	for _, f := range parts[1:] {
		total.Count += f.Count
		total.Size += f.Size
		total.StorageSize += f.StorageSize
		total.FreeStorageSize += f.FreeStorageSize
		total.TotalIndexSize += f.TotalIndexSize
		total.NumOrphanDocs += f.NumOrphanDocs
		total.WindowedPages += f.WindowedPages
		total.PagesWritten += f.PagesWritten
		total.counted = total.counted && f.counted
		total.shards += f.shards
		for _, x := range f.indexes {
			i := slices.IndexFunc(total.indexes, func(y sampler.Index) bool { return str(x.Spec, "name") == str(y.Spec, "name") })
			if i < 0 {
				total.indexes = append(total.indexes, x)
				continue
			}
			total.indexes[i].Size += x.Size
			total.indexes[i].Free += x.Free
		}
		for _, w := range f.warnings {
			if !slices.Contains(total.warnings, w) {
				total.warnings = append(total.warnings, w)
			}
		}
	}
	return total
}

// describe makes the collection that a visitor sees.
func (se *session) describe(t *target, p *prepared) sampler.Collection {
	c := sampler.Collection{NS: t.ns, Type: t.kind, Options: slices.Clone(t.options()),
		ConfigString: p.total.creation, Indexes: p.total.indexes}
	if c.ConfigString == "" {
		c.ConfigString = str(bson.Raw(t.options()), "storageEngine", "wiredTiger", "configString")
	}
	stats := p.total.Stats
	if se.front.hello.router() || len(se.shards) > 0 {
		stats.Server.Topology = "sharded"
	}
	if stats.Server.Product != productMongoDB {
		// The version that others say they are compatible with is no release
		// whose pages could be built.
		stats.Server.Release = ""
	}
	c.Stats, c.Release = &stats, stats.Server.Release
	lists := [][]sampler.Warning{se.warnings, t.warnings, p.total.warnings}
	for _, part := range p.parts {
		lists = append(lists, part.r.s.warnings, part.r.warnings)
	}
	if n := stats.NumOrphanDocs; n > 0 {
		lists = append(lists, []sampler.Warning{orphans(n)})
	}
	for _, list := range lists {
		for _, w := range list {
			if !slices.Contains(c.Warnings, w) {
				c.Warnings = append(c.Warnings, w)
			}
		}
	}
	return c
}
