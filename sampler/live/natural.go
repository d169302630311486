package live

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// natural reads runs of neighbours by RecordId: a scan in natural order that
// begins anywhere, which mongod offers for resuming scans (4.4 and newer).
type natural struct {
	lo, hi int64 // lowest and highest RecordId
	gaps   bool  // many RecordIds are not in use
	times  bool  // RecordIds are timestamps
	// marks are existing RecordIds, ascending; empty where positions are drawn.
	marks []mark
	fair  bool // every document had the same chance to become a mark
	made  func(context.Context, *reading) (way, error)
	// lastID is the _id of the last document delivered.
	lastID *key
}

// mark is a document known by _id, and its RecordId on this node.
type mark struct {
	id       key
	recordID int64
}

func (w *natural) method() string {
	if len(w.marks) > 0 && !w.fair {
		return MethodSampledRuns
	}
	return MethodRuns
}

func (w *natural) notes() []sampler.Warning {
	switch {
	case w.fair:
		return nil
	case len(w.marks) > 0:
		return []sampler.Warning{note(MethodSampledRuns, "positions come from $sample, which favours parts with larger documents")}
	case w.times:
		return []sampler.Warning{note(MethodRuns, "positions are evenly spread over time, not over documents")}
	case w.gaps:
		return []sampler.Warning{note(MethodRuns, "many documents were deleted: those after a gap are a little more likely to be read")}
	}
	return nil
}

// probeSpan finds out whether scans can be resumed here, and the RecordIds in use.
func probeSpan(ctx context.Context, r *reading) (*natural, error) {
	if r.n.hello.router() {
		return nil, refuse("a router cannot resume scans")
	}
	id := bson.D{{Key: "_id", Value: 1}}
	a, err := r.find(ctx, query{natural: 1, limit: 1, project: id, recordIDs: true, token: true})
	if err != nil {
		return nil, err
	}
	if len(a.docs) == 0 {
		return nil, refuse("the collection is empty")
	}
	_, lo := stripRecordID(a.docs[0])
	if a.token == nil || lo == 0 {
		return nil, r.unlike("the server gives no RecordIds")
	}
	if t, ok := a.token.Int64OK(); !ok || t != lo {
		return nil, r.unlike("the server's resume token is not a RecordId")
	}
	a, err = r.find(ctx, query{natural: -1, limit: 1, project: id, recordIDs: true})
	if err != nil {
		return nil, err
	}
	if len(a.docs) == 0 {
		return nil, refuse("the collection is empty")
	}
	_, hi := stripRecordID(a.docs[0])
	if hi < lo || hi == lo && r.f.Count > 1 {
		return nil, r.unlike("the server does not reverse natural order")
	}
	w := &natural{lo: lo, hi: hi, times: r.t.oplog()}
	w.gaps = r.f.Count > 0 && float64(hi-lo+1) > 1.5*float64(r.f.Count)
	return w, nil
}

// probeUniform: any position can be asked for.
func probeUniform(ctx context.Context, r *reading) (way, error) {
	if r.s.Product != productMongoDB {
		return nil, refuse("%s has no RecordIds", r.s.Product)
	}
	if !r.s.version.startAt() {
		return nil, refuse("release %s does not start scans between documents reliably", r.s.Release)
	}
	w, err := probeSpan(ctx, r)
	if err != nil {
		return nil, err
	}
	// The middle of the span: a server that does as it says starts above it.
	middle := w.lo + (w.hi-w.lo)/2
	if middle > w.lo && middle < w.hi {
		a, err := r.find(ctx, query{natural: 1, limit: 1, project: bson.D{{Key: "_id", Value: 1}},
			recordIDs: true, token: true, startAt: middle})
		if err != nil {
			return nil, err
		}
		if len(a.docs) == 0 {
			return nil, r.unlike("$_startAt finds nothing in the middle")
		}
		if _, at := stripRecordID(a.docs[0]); at <= middle {
			return nil, r.unlike("$_startAt does not start where it was told")
		}
	}
	w.made = probeUniform
	return w, nil
}

// probeSampled: only existing positions can be asked for; $sample finds some.
func probeSampled(ctx context.Context, r *reading) (way, error) {
	w, err := probeSpan(ctx, r)
	if err != nil {
		return nil, err
	}
	d, err := r.drawKeys(ctx, 2*r.wantedRuns())
	if err != nil {
		return nil, err
	}
	w.fair = d.fair
	if w.marks, err = r.locate(ctx, d.keys); err != nil {
		return nil, err
	}
	if len(w.marks) == 0 {
		return nil, r.unlike("the server gives no RecordIds")
	}
	w.made = probeSampled
	return w, nil
}

// locate looks up the RecordIds of documents, ascending.
func (r *reading) locate(ctx context.Context, keys []key) ([]mark, error) {
	ids := make(bson.A, len(keys))
	for i, k := range keys {
		ids[i] = k.value()
	}
	a, err := r.find(ctx, query{filter: bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}},
		project: bson.D{{Key: "_id", Value: 1}}, limit: int64(len(keys)), recordIDs: true})
	if err != nil {
		return nil, err
	}
	var marks []mark
	for _, d := range a.docs {
		_, id := stripRecordID(slices.Clone(d))
		if v, err := d.LookupErr("_id"); err == nil && id != 0 {
			marks = append(marks, mark{keyOf(v), id})
		}
	}
	slices.SortFunc(marks, func(a, b mark) int { return int(min(max(a.recordID-b.recordID, -1), 1)) })
	return slices.CompactFunc(marks, func(a, b mark) bool { return a.recordID == b.recordID }), nil
}

// wantedRuns is how many runs the goal makes.
func (r *reading) wantedRuns() int64 { return max(r.goal/r.runBytes, 1) }
