package live

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// ranges reads runs of neighbours by a key whose order is, or nearly is, natural
// order: the cluster key, an _id that grows with time, the oplog's ts.
type ranges struct {
	name  string
	field string
	// natural: the scan is in natural order already and takes no sort (the oplog,
	// whose scans with a bound on ts seek there).
	natural bool
	// keys to start from, ascending; empty where they are drawn between lo and hi.
	keys   []key
	fair   bool // every document had the same chance to give a key
	lo, hi key
	about  []sampler.Warning
}

func (w *ranges) method() string { return w.name }

func (w *ranges) notes() []sampler.Warning {
	notes := w.about
	switch {
	case w.fair:
		return notes
	case len(w.keys) > 0:
		return append(notes, note(w.name, "positions come from $sample, which favours parts with larger documents"))
	}
	return append(notes, note(w.name, "positions are evenly spread over time, not over documents"))
}

func probeClustered(ctx context.Context, r *reading) (way, error) {
	return probeRanges(ctx, r, &ranges{name: MethodClustered, field: "_id"})
}

func probeOplog(ctx context.Context, r *reading) (way, error) {
	w := &ranges{name: MethodIDRanges, field: "ts", natural: true}
	for _, end := range []struct {
		natural int
		k       *key
	}{{1, &w.lo}, {-1, &w.hi}} {
		a, err := r.find(ctx, query{natural: end.natural, limit: 1, project: bson.D{{Key: "ts", Value: 1}}})
		if err != nil {
			return nil, err
		}
		keys := keysOf(a.docs, "ts")
		if len(keys) != 1 {
			return nil, refuse("the collection is empty")
		}
		*end.k = keys[0]
	}
	if _, ok := between(w.lo, w.hi, 0.5); !ok || compare(w.lo, w.hi) > 0 {
		return nil, refuse("ts does not grow")
	}
	return w, nil
}

// probeIDRanges needs an _id that grows as documents are stored.
func probeIDRanges(ctx context.Context, r *reading) (way, error) {
	tested, err := r.testGrowth(ctx)
	if err != nil {
		return nil, err
	}
	w := &ranges{name: MethodIDRanges, field: "_id"}
	text := fmt.Sprintf("neighbours by _id stand for neighbours on disk: over %d documents _id follows natural order with rank correlation %.3f", tested.documents, tested.correlation)
	if tested.headOnly {
		text += "; only the oldest documents could be tested"
	}
	w.about = append(w.about, sampler.Warning{Code: "id-order", Text: text})
	if r.n.hello.router() {
		w.about = append(w.about, sampler.Warning{Code: "router",
			Text: "read through a router: neighbours by _id may lie on several shards, and compression is then underestimated"})
	}
	if r.s.Product == productFerret {
		w.about = append(w.about, sampler.Warning{Code: "server-scans", Text: "the server reads the whole collection for each range of _id"})
	}
	return probeRanges(ctx, r, w)
}

// probeRanges finds keys to start from: by $sample, else evenly between the
// lowest and the highest.
func probeRanges(ctx context.Context, r *reading, w *ranges) (way, error) {
	var err error
	if w.lo, err = r.extreme(ctx, w.field, 1); err != nil {
		return nil, err
	}
	if w.hi, err = r.extreme(ctx, w.field, -1); err != nil {
		return nil, err
	}
	if !sameBracket([]key{w.lo, w.hi}) || compare(w.lo, w.hi) > 0 {
		return nil, refuse("_id has values of several types, or of one without a simple order")
	}
	d, err := r.drawKeys(ctx, 2*r.wantedRuns())
	switch {
	case err == nil:
		if !sameBracket(d.keys) {
			return nil, refuse("_id has values of several types")
		}
		w.keys, w.fair = d.keys, d.fair
		return w, nil
	case final(err) && !isRefused(err):
		return nil, err
	}
	if _, ok := between(w.lo, w.hi, 0.5); !ok {
		return nil, refuse("$sample does not work and positions between values of _id cannot be computed")
	}
	return w, nil
}

// scanRuns bounds the runs on a server that reads everything for each.
const scanRuns = 16

// plan is the plan for the places there are to start from.
func (w *ranges) plan(r *reading) *plan {
	p := newPlan(r)
	if len(w.keys) > 0 {
		p.shrink(int64(len(w.keys)))
	}
	if r.s.Product == productFerret {
		p.shrink(scanRuns)
	}
	return p
}

func (w *ranges) read(ctx context.Context, r *reading) error {
	p := w.plan(r)
	var last *key
	for i := int64(0); i < p.runs; i++ {
		starts := w.starts(r, p, i)
		if last != nil { // else from where the last run ended
			starts = append(starts, start{*last, (float64(i) + 0.5) / float64(p.runs)})
		}
		for j, s := range starts {
			op := "$gte"
			if last != nil && compare(s.at, *last) <= 0 {
				if op = "$gt"; j < len(starts)-1 {
					continue // already read
				}
			}
			end, err := w.run(ctx, r, p, i, s, op)
			if r.end.Documents == 0 && err != nil || !p.pass(err) {
				return err
			}
			if end != nil {
				last = end
			}
			break
		}
		if err := r.breathe(ctx); err != nil {
			return err
		}
	}
	return nil
}

// start is a key and the share of the collection before it.
type start struct {
	at    key
	share float64
}

func (w *ranges) starts(r *reading, p *plan, i int64) []start {
	if n := int64(len(w.keys)); n > 0 {
		var starts []start
		from, to := i*n/p.runs, (i+1)*n/p.runs
		for _, j := range r.rng.Perm(int(to - from)) {
			at := from + int64(j)
			// $sample draws about evenly over bytes: a rank is a share.
			starts = append(starts, start{w.keys[at], (float64(at) + 0.5) / float64(n)})
		}
		return starts
	}
	share := p.draw(r, i)
	k, _ := between(w.lo, w.hi, share) // probed
	return []start{{k, share}}
}

// run reads neighbours from a key on and gives the last key delivered.
func (w *ranges) run(ctx context.Context, r *reading, p *plan, i int64, s start, op string) (*key, error) {
	target := p.target(r, i)
	var got int64
	var last *key
	for at := s.at; ; {
		q := query{filter: bson.D{{Key: w.field, Value: bson.D{{Key: op, Value: at.value()}}}}, limit: r.limit(target - got)}
		if w.natural {
			q.natural = 1
		} else {
			q.sort = bson.D{{Key: w.field, Value: 1}}
		}
		a, err := r.find(ctx, q)
		if err != nil {
			if got > 0 && unsupported(err) {
				return last, nil // the run is shorter, and good
			}
			return last, err
		}
		if len(a.docs) == 0 {
			return last, nil
		}
		keys := keysOf(a.docs, w.field)
		if len(keys) != len(a.docs) || compare(keys[0], at) < 0 || !ascending(keys) {
			return last, r.unlike("the server does not keep to a range of " + w.field)
		}
		if got == 0 {
			if err := r.run(s.share, int(i), 0); err != nil {
				return last, err
			}
		}
		n, err := r.deliver(a.docs)
		if err != nil {
			return last, err
		}
		got += n
		last = &keys[len(keys)-1]
		if int64(len(a.docs)) < q.limit || !p.topUp(got, target) {
			return last, nil
		}
		at, op = *last, "$gt"
	}
}

func ascending(keys []key) bool {
	for i := 1; i < len(keys); i++ {
		if compare(keys[i-1], keys[i]) > 0 {
			return false
		}
	}
	return true
}
