package live

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// query is one find whose whole answer is its first batch: no cursor stays open.
type query struct {
	filter, sort, project bson.D
	// natural is 1 or -1 for a hint on natural order, 0 for none.
	natural int
	limit   int64
	// recordIDs asks for each document's $recordId.
	recordIDs bool
	// token asks for a resume token; at most one of the two places goes with it.
	token                bool
	startAt, resumeAfter any
}

// answer is what a query gave. Documents share the reply's memory.
type answer struct {
	docs []bson.Raw
	// token is where to go on, nil at the end or when it was not asked for.
	token *bson.RawValue
}

// command spells the query out. Fields with $_ are mongod's own for resuming a
// scan; src/mongo/db/query/find_command.idl.
func (q query) command(t *target) bson.D {
	cmd := bson.D{{Key: "find", Value: t.coll}}
	add := func(k string, v any) { cmd = append(cmd, bson.E{Key: k, Value: v}) }
	if q.filter != nil {
		add("filter", q.filter)
	}
	if q.sort != nil {
		add("sort", q.sort)
	}
	if q.project != nil {
		add("projection", q.project)
	}
	if q.natural != 0 {
		add("hint", bson.D{{Key: "$natural", Value: q.natural}})
	}
	add("limit", q.limit)
	add("batchSize", q.limit)
	add("singleBatch", true)
	if q.recordIDs {
		add("showRecordId", true)
	}
	if q.token {
		add("$_requestResumeToken", true)
	}
	if q.startAt != nil {
		add("$_startAt", bson.D{{Key: recordIDField, Value: q.startAt}})
	}
	if q.resumeAfter != nil {
		add("$_resumeAfter", bson.D{{Key: recordIDField, Value: q.resumeAfter}})
	}
	return t.withRaw(cmd)
}

func (r *reading) find(ctx context.Context, q query) (answer, error) {
	reply, err := r.n.command(ctx, r.t.ns.DB, q.command(r.t))
	if err != nil {
		return answer{}, err
	}
	docs, bad := batch(reply)
	if bad != nil {
		return answer{}, r.unlike("find gave no documents in its reply")
	}
	r.n.kill(ctx, r.t.ns.DB, r.t.coll, integer(reply, "cursor", "id"))
	a := answer{docs: docs}
	if v, err := reply.LookupErr("cursor", "postBatchResumeToken", recordIDField); err == nil && v.Type != bson.TypeNull {
		v.Value = slices.Clone(v.Value)
		a.token = &v
	}
	return a, nil
}

// unlike is a server that accepts what it then does not do. It lets another way
// of reading try.
func (r *reading) unlike(why string) error {
	return &serverError{Host: r.n.host, Command: "probe", Text: why}
}

// refused is a way of reading that does not fit this collection.
type refused struct{ why string }

func (e refused) Error() string { return e.why }

func refuse(format string, a ...any) error { return refused{fmt.Sprintf(format, a...)} }

// sampleSize is how many documents one $sample may be asked for so that no
// server scans for it: mongod scans from 5 % of its fast count, or at 100
// documents and less (src/mongo/db/exec/agg/pipeline_sampling), and the fast
// count may be off. Every shard runs the stage in full.
func (r *reading) sampleSize(want int64) int64 {
	shards := int64(max(r.f.shards, 1))
	n := r.f.Count / 100 / shards
	if r.f.Count/shards <= 100 {
		n = 0
	}
	return min(want, n, 1000)
}

// sample draws documents with $sample, projected, without a scan.
func (r *reading) sample(ctx context.Context, n int64, project bson.D) ([]bson.Raw, error) {
	if n < 1 {
		return nil, refuse("$sample would scan so small a collection, or one of unknown count")
	}
	pipeline := bson.A{bson.D{{Key: "$sample", Value: bson.D{{Key: "size", Value: n}}}}}
	if project != nil {
		pipeline = append(pipeline, bson.D{{Key: "$project", Value: project}})
	}
	cmd := r.t.withRaw(bson.D{{Key: "aggregate", Value: r.t.coll}, {Key: "pipeline", Value: pipeline},
		{Key: "cursor", Value: bson.D{{Key: "batchSize", Value: n}}}})
	const tries = 3 // the server itself says that 28799 may pass
	for try := 1; ; try++ {
		reply, err := r.n.command(ctx, r.t.ns.DB, cmd)
		if codeOf(err) == codeSampleFailed && try < tries {
			continue
		}
		if err != nil {
			return nil, err
		}
		docs, bad := batch(reply)
		if bad != nil || len(docs) == 0 {
			return nil, r.unlike("$sample gave no documents")
		}
		r.n.kill(ctx, r.t.ns.DB, r.t.coll, integer(reply, "cursor", "id"))
		return docs, nil
	}
}

// draw is a number of _id values, ascending.
type draw struct {
	keys []key
	// fair: every document had the same chance, not every page of them.
	fair bool
}

// listMost is how many entries of the index of _id may be listed to draw from.
const listMost = 10_000

// drawKeys draws up to want values of _id: with $sample, or from the index of
// _id where the collection has so few documents that $sample would scan or give
// too little. That the index alone answers spares the documents.
func (r *reading) drawKeys(ctx context.Context, want int64) (draw, error) {
	n := r.sampleSize(want)
	id := bson.D{{Key: "_id", Value: 1}}
	if n < want && r.f.Count > 0 && r.f.Count <= listMost && r.indexed() {
		a, err := r.find(ctx, query{sort: id, project: id, limit: listMost})
		if err != nil {
			return draw{}, err
		}
		keys := sortedKeys(a.docs, "_id")
		r.rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		keys = keys[:min(int64(len(keys)), want)]
		slices.SortFunc(keys, compare)
		return draw{keys, true}, nil
	}
	docs, err := r.sample(ctx, n, id)
	if err != nil {
		return draw{}, err
	}
	return draw{sortedKeys(docs, "_id"), false}, nil
}

// indexed: _id has an index of its own that answers without documents. A router
// looks at documents to leave out orphans.
func (r *reading) indexed() bool {
	return r.s.Product == productMongoDB && !r.n.hello.router() && !r.t.clustered() && !r.t.oplog()
}

func sortedKeys(docs []bson.Raw, field string) []key {
	keys := keysOf(docs, field)
	slices.SortFunc(keys, compare)
	return slices.CompactFunc(keys, func(a, b key) bool { return a.t == b.t && compare(a, b) == 0 })
}

// keysOf gives the values of field in the order of docs, leaving out documents
// that have none.
func keysOf(docs []bson.Raw, field string) []key {
	keys := make([]key, 0, len(docs))
	for _, d := range docs {
		if v, err := d.LookupErr(field); err == nil {
			keys = append(keys, keyOf(v))
		}
	}
	return keys
}

// extreme gives the lowest (1) or highest (-1) value of field by its index.
func (r *reading) extreme(ctx context.Context, field string, direction int) (key, error) {
	a, err := r.find(ctx, query{sort: bson.D{{Key: field, Value: direction}},
		project: bson.D{{Key: field, Value: 1}}, limit: 1})
	if err != nil {
		return key{}, err
	}
	keys := keysOf(a.docs, field)
	if len(keys) != 1 {
		return key{}, refuse("the collection is empty")
	}
	return keys[0], nil
}

// note is a warning made of a method's effect.
func note(method, text string) sampler.Warning {
	return sampler.Warning{Code: "method-" + method, Text: text}
}
