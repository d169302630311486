package live

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// allReply is about how many bytes one reply of a complete read has.
const allReply = 4 << 20

// over ends a complete read that has gone far beyond the goal: the server's
// counters, by which everything fits, are wrong. After an unclean shutdown they
// may be.
func (r *reading) over() error {
	if r.goal == 0 || r.end.Bytes < 2*r.goal {
		return nil
	}
	return &sampler.Fault{Source: r.n.host, NS: r.t.ns.String(), Offset: -1,
		Why:  "the collection is larger than the server's counters say, and was read in part",
		Hint: "--sample all reads everything; validate on the server corrects its counters"}
}

// allByToken reads everything by single batches, each resuming the last.
type allByToken struct{}

func (allByToken) method() string           { return MethodAll }
func (allByToken) notes() []sampler.Warning { return nil }

func probeAllByToken(ctx context.Context, r *reading) (way, error) {
	if r.n.hello.router() {
		return nil, refuse("a router cannot resume scans")
	}
	a, err := r.find(ctx, query{natural: 1, limit: 1, project: bson.D{{Key: "_id", Value: 1}}, recordIDs: true, token: true})
	if err != nil {
		return nil, err
	}
	if len(a.docs) > 0 && a.token == nil {
		return nil, r.unlike("the server gives no resume token")
	}
	return allByToken{}, nil
}

func (allByToken) read(ctx context.Context, r *reading) error {
	q := query{natural: 1, recordIDs: true, token: true}
	var ids []int64 // RecordIds of the last reply, to fall back on
	for {
		q.limit = r.limit(allReply)
		a, err := r.find(ctx, q)
		if codeOf(err) == codeKeyNotFound && len(ids) > 0 {
			a, err = r.resumeBefore(ctx, q, ids)
		}
		if err != nil {
			return err
		}
		if len(a.docs) == 0 {
			return nil
		}
		ids = ids[:0]
		for _, d := range a.docs {
			if id := peekRecordID(d); id != 0 {
				ids = append(ids, id)
			}
		}
		if _, err := r.deliver(a.docs); err != nil {
			return err
		}
		if a.token == nil {
			return nil
		}
		if err := r.over(); err != nil {
			return err
		}
		q.resumeAfter = *a.token
		if err := r.breathe(ctx); err != nil {
			return err
		}
	}
}

// resumeBefore resumes a scan whose last document was deleted: from the last of
// the ids before it that is still there, without the documents already given.
func (r *reading) resumeBefore(ctx context.Context, q query, ids []int64) (answer, error) {
	last := ids[len(ids)-1]
	var err error
	for back := 1; back < len(ids); back *= 2 {
		q.resumeAfter = ids[len(ids)-1-back]
		q.limit = r.limit(allReply) + int64(back)
		var a answer
		a, err = r.find(ctx, q)
		if codeOf(err) == codeKeyNotFound {
			continue
		}
		if err != nil {
			return answer{}, err
		}
		a.docs = slices.DeleteFunc(a.docs, func(d bson.Raw) bool { return peekRecordID(d) <= last })
		return a, nil
	}
	if err == nil {
		err = &serverError{Host: r.n.host, Command: "find", Code: codeKeyNotFound, Name: "KeyNotFound",
			Text: "every document to resume from was deleted"}
	}
	return answer{}, err
}

// allByKey pages through a clustered collection by its key.
type allByKey struct{}

func (allByKey) method() string           { return MethodAll }
func (allByKey) notes() []sampler.Warning { return nil }

func probeAllByKey(ctx context.Context, r *reading) (way, error) {
	lo, err := r.extreme(ctx, "_id", 1)
	if err != nil {
		return nil, err
	}
	hi, err := r.extreme(ctx, "_id", -1)
	if err != nil {
		return nil, err
	}
	if !sameBracket([]key{lo, hi}) || compare(lo, hi) > 0 {
		return nil, refuse("_id has values of several types")
	}
	return allByKey{}, nil
}

func (allByKey) read(ctx context.Context, r *reading) error {
	var filter bson.D
	for {
		q := query{filter: filter, sort: bson.D{{Key: "_id", Value: 1}}, limit: r.limit(allReply)}
		a, err := r.find(ctx, q)
		if err != nil || len(a.docs) == 0 {
			return err
		}
		last := keysOf(a.docs[len(a.docs)-1:], "_id")
		if _, err := r.deliver(a.docs); err != nil {
			return err
		}
		if len(last) == 0 {
			return nil
		}
		if err := r.over(); err != nil {
			return err
		}
		filter = bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: last[0].value()}}}}
		if err := r.breathe(ctx); err != nil {
			return err
		}
	}
}

// allByCursor reads everything through one open cursor, where nothing else can.
type allByCursor struct{ natural int }

func (allByCursor) method() string { return MethodAll }

func (allByCursor) notes() []sampler.Warning {
	return []sampler.Warning{note(MethodAll, "the server cannot resume scans: a cursor stayed open while documents were read")}
}

func probeAllByCursor(ctx context.Context, r *reading) (way, error) {
	w := allByCursor{natural: 1}
	_, err := r.find(ctx, query{natural: 1, limit: 1, project: bson.D{{Key: "_id", Value: 1}}})
	if err != nil && !final(err) {
		w.natural = 0
		_, err = r.find(ctx, query{limit: 1, project: bson.D{{Key: "_id", Value: 1}}})
	}
	return w, err
}

func (w allByCursor) read(ctx context.Context, r *reading) error {
	cmd := bson.D{{Key: "find", Value: r.t.coll}, {Key: "batchSize", Value: r.limit(allReply)},
		{Key: "maxTimeMS", Value: cursorMaxTime.Milliseconds()}}
	if w.natural != 0 {
		cmd = append(cmd, bson.E{Key: "hint", Value: bson.D{{Key: "$natural", Value: w.natural}}})
	}
	reply, err := r.n.command(ctx, r.t.ns.DB, r.t.withRaw(cmd))
	var id int64
	defer func() { r.n.kill(ctx, r.t.ns.DB, r.t.coll, id) }()
	for {
		if err != nil {
			return err
		}
		docs, bad := batch(reply)
		if bad != nil {
			return r.unlike("find gave no documents in its reply")
		}
		id = integer(reply, "cursor", "id")
		if _, err := r.deliver(docs); err != nil {
			return err
		}
		if id == 0 {
			return nil
		}
		if err := r.over(); err != nil {
			return err
		}
		if err := r.breathe(ctx); err != nil {
			return err
		}
		reply, err = r.n.command(ctx, r.t.ns.DB, bson.D{{Key: "getMore", Value: id},
			{Key: "collection", Value: r.t.coll}, {Key: "batchSize", Value: r.limit(allReply)}})
		if codeOf(err) == codeCursorNotFound || codeOf(err) == codeCursorKilled {
			id = 0
		}
	}
}
