package live

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

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
