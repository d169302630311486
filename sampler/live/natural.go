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

// plan is the plan for the places there are to start from.
func (w *natural) plan(r *reading) *plan {
	p := newPlan(r)
	if len(w.marks) > 0 {
		p.shrink(int64(len(w.marks)))
	}
	return p
}

func (w *natural) read(ctx context.Context, r *reading) error {
	p := w.plan(r)
	last := int64(0) // RecordId of the last document delivered
	for i := int64(0); i < p.runs; i++ {
		err := w.stratum(ctx, r, p, i, &last)
		if moved(err) {
			if w, last, err = w.again(ctx, r, p, i); err == nil {
				err = w.stratum(ctx, r, p, i, &last)
			}
		}
		if r.end.Documents == 0 && err != nil || !p.pass(err) {
			return err
		}
		if err := r.breathe(ctx); err != nil {
			return err
		}
	}
	return nil
}

// again makes the same way on the member the node has moved to, with its
// RecordIds, and finds the document that was delivered last: reading goes on
// above it, or above where the i-th stratum begins when it is gone.
func (w *natural) again(ctx context.Context, r *reading, p *plan, i int64) (*natural, int64, error) {
	made, err := w.made(ctx, r)
	if err != nil {
		return w, 0, err
	}
	n := made.(*natural)
	last := n.lo + int64(float64(n.hi-n.lo+1)*float64(i)/float64(p.runs)) - 1
	if w.lastID != nil {
		marks, err := r.locate(ctx, []key{*w.lastID})
		if err != nil {
			return w, 0, err
		}
		if len(marks) == 1 {
			last = marks[0].recordID
		}
	}
	return n, last, nil
}

// stratum reads the i-th run, from one of its places that is not read yet, or
// else from where the last run ended.
func (w *natural) stratum(ctx context.Context, r *reading, p *plan, i int64, last *int64) error {
	for _, at := range append(w.starts(r, p, i), *last) {
		if at < *last || at >= w.hi || at == 0 && len(w.marks) > 0 {
			continue
		}
		err := w.run(ctx, r, p, i, at, last)
		if codeOf(err) == codeKeyNotFound {
			continue // deleted since; draw again
		}
		return err
	}
	return nil
}

// starts gives RecordIds to start after, in the order they should be tried.
func (w *natural) starts(r *reading, p *plan, i int64) []int64 {
	if n := int64(len(w.marks)); n > 0 {
		group := slices.Clone(w.marks[i*n/p.runs : (i+1)*n/p.runs])
		r.rng.Shuffle(len(group), func(a, b int) { group[a], group[b] = group[b], group[a] })
		var starts []int64
		for _, m := range group {
			starts = append(starts, m.recordID)
		}
		return starts
	}
	span := float64(w.hi-w.lo) + 1
	// A run stays within its stratum where it can: runs do not overlap.
	share := p.draw(r, i)
	return []int64{w.lo - 1 + int64(share*span)}
}

// run reads neighbours from after one RecordId on.
func (w *natural) run(ctx context.Context, r *reading, p *plan, i, at int64, last *int64) error {
	target := p.target(r, i)
	q := query{natural: 1, limit: r.limit(target), recordIDs: true, token: true}
	switch {
	case len(w.marks) > 0:
		q.resumeAfter = at
	case at >= w.lo:
		q.startAt = at
	}
	var got int64
	for first := true; ; first = false {
		a, err := r.find(ctx, q)
		if err != nil {
			if !first && unsupported(err) {
				return nil // the run is shorter, and good
			}
			return err
		}
		if len(a.docs) == 0 {
			return nil
		}
		if first {
			id := peekRecordID(a.docs[0])
			if id <= at {
				return r.unlike("a scan does not start where it was told")
			}
			if err := r.run(float64(id-w.lo)/(float64(w.hi-w.lo)+1), int(i), id); err != nil {
				return err
			}
		}
		newest := a.docs[len(a.docs)-1]
		*last = max(*last, peekRecordID(newest))
		if v, err := newest.LookupErr("_id"); err == nil {
			id := keyOf(v)
			w.lastID = &id
		}
		n, err := r.deliver(a.docs)
		if err != nil {
			return err
		}
		got += n
		if a.token == nil || !p.topUp(got, target) {
			return nil
		}
		q.startAt, q.resumeAfter = nil, *a.token
		q.limit = r.limit(target - got)
	}
}

// peekRecordID reads the RecordId and leaves the document alone.
func peekRecordID(d bson.Raw) int64 {
	v, err := d.LookupErr(recordIDField)
	if err != nil {
		return 0
	}
	id, _ := number(v)
	return id
}
