package live

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// head reads the oldest documents, and the newest where the server can tell
// which those are.
type head struct {
	natural int // 1: natural order can be asked for; 0: it is what comes first
	// tail is how to get the newest: natural order reversed, or by _id.
	tailNatural bool
	tailByID    bool
}

// headReply bounds each end: one reply, which a reversed tail must fit.
const headReply = 8 << 20

// share is how much of each end is read.
func (w head) share(r *reading) int64 {
	share := r.goal
	if w.tailNatural || w.tailByID {
		share /= 2
	}
	return min(max(share, r.runBytes), headReply)
}

func (head) method() string { return MethodHead }

func (w head) notes() []sampler.Warning {
	text := "only the oldest and the newest documents were read"
	if !w.tailNatural && !w.tailByID {
		text = "only the documents that come first were read"
	}
	return []sampler.Warning{note(MethodHead, text+": where documents changed over time the figures are biased")}
}

func probeHead(ctx context.Context, r *reading) (way, error) {
	id := bson.D{{Key: "_id", Value: 1}}
	w := head{natural: 1}
	a, err := r.find(ctx, query{natural: 1, limit: 1, project: id})
	if err != nil && !final(err) {
		w.natural = 0
		a, err = r.find(ctx, query{limit: 1, project: id})
	}
	if err != nil {
		return nil, err
	}
	if len(a.docs) == 0 {
		return w, nil
	}
	first := slices.Clone(a.docs[0])
	if w.natural == 1 {
		b, err := r.find(ctx, query{natural: -1, limit: 1, project: id})
		if err != nil && final(err) {
			return nil, err
		}
		// A server that ignores the hint gives the first document again.
		w.tailNatural = err == nil && len(b.docs) == 1 && string(b.docs[0]) != string(first)
	}
	if !w.tailNatural {
		// The highest _ids are neighbours only where _id grows.
		_, err := r.growthByEnds(ctx)
		if err != nil && final(err) && !isRefused(err) {
			return nil, err
		}
		if err == nil {
			_, err = r.extreme(ctx, "_id", -1)
			w.tailByID = err == nil
		}
	}
	return w, nil
}

func (w head) read(ctx context.Context, r *reading) error {
	half := w.share(r)
	last, err := w.front(ctx, r, half)
	if err != nil {
		return err
	}
	if err := r.breathe(ctx); err != nil || last == nil {
		return err
	}
	q := query{limit: r.limit(half)}
	switch {
	case w.tailNatural:
		q.natural = -1
	case w.tailByID:
		q.sort = bson.D{{Key: "_id", Value: -1}}
	default:
		return nil
	}
	a, err := r.find(ctx, q)
	if err != nil {
		return err
	}
	slices.Reverse(a.docs)
	a.docs = after(a.docs, *last)
	if len(a.docs) == 0 {
		return nil
	}
	share := 1 - 1e-6
	if r.f.Count > 0 {
		share = 1 - float64(len(a.docs))/float64(r.f.Count)
	}
	if err := r.run(share, 1, 0); err != nil {
		return err
	}
	_, err = r.deliver(a.docs)
	return err
}

// front delivers the oldest documents and gives the _id of the last.
func (w head) front(ctx context.Context, r *reading, bytes int64) (*key, error) {
	a, err := r.find(ctx, query{natural: w.natural, limit: r.limit(bytes)})
	if err != nil || len(a.docs) == 0 {
		return nil, err
	}
	if err := r.run(0, 0, 0); err != nil {
		return nil, err
	}
	var last *key
	if k := keysOf(a.docs[len(a.docs)-1:], "_id"); len(k) == 1 {
		last = &k[0]
	}
	_, err = r.deliver(a.docs)
	return last, err
}

// after drops the documents of a tail that the head has already given.
func after(docs []bson.Raw, last key) []bson.Raw {
	for i, d := range docs {
		if v, err := d.LookupErr("_id"); err == nil && v.Type == last.t && string(v.Value) == string(last.data) {
			return docs[i+1:]
		}
	}
	return docs
}
