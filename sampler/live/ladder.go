package live

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/wtsize/wtsize/sampler"
)

// The ways of reading, best first, as sampler.End.Method names them.
const (
	MethodAll         = "all"              // every document, in natural order
	MethodRuns        = "runs"             // neighbours from uniformly drawn RecordIds
	MethodSampledRuns = "runs-from-sample" // neighbours from RecordIds that $sample drew
	MethodClustered   = "clustered-ranges" // neighbours by the cluster key
	MethodIDRanges    = "id-ranges"        // neighbours by an _id that grows with time
	MethodSingle      = "single"           // single documents
	MethodHead        = "head"             // the oldest documents, and the newest
)

// A way is one manner of reading that a server was found to support for one
// collection.
type way interface {
	method() string
	// notes say what the way does to the figures.
	notes() []sampler.Warning
	// effort is about what reading by it takes.
	effort(r *reading) effort
	// read delivers what r wants. After an error that is not final and before
	// the first document, another way may be tried.
	read(ctx context.Context, r *reading) error
}

// A step tries to make a way; its error says why it cannot.
type step struct {
	method string
	probe  func(context.Context, *reading) (way, error)
}

// ladder lists the steps that can fit the collection, best first.
func ladder(r *reading) []step {
	if r.whole() {
		steps := []step{{MethodAll, probeAllByToken}}
		if r.t.clustered() {
			steps = append(steps, step{MethodAll, probeAllByKey})
		}
		return append(steps, step{MethodAll, probeAllByCursor})
	}
	switch {
	case r.t.clustered():
		return []step{{MethodClustered, probeClustered}, {MethodSingle, probeSingle}, {MethodHead, probeHead}}
	case r.t.oplog():
		return []step{{MethodRuns, probeUniform}, {MethodIDRanges, probeOplog}, {MethodHead, probeHead}}
	}
	return []step{{MethodRuns, probeUniform}, {MethodSampledRuns, probeSampled},
		{MethodIDRanges, probeIDRanges}, {MethodSingle, probeSingle}, {MethodHead, probeHead}}
}

// whole: everything is wanted, or everything fits.
func (r *reading) whole() bool {
	return r.goal == 0 || r.f.Size > 0 && r.f.Size <= r.goal || r.f.Size == 0 && r.f.Count == 0
}

// choice is the way chosen and what is left of the ladder below it.
type choice struct {
	way    way
	rest   []step
	passed []passed
}

// passed is a step above the one chosen, and why it was passed over.
type passed struct{ method, why string }

// list puts steps passed over for one reason together.
func list(steps []passed) string {
	var parts []string
	for i := 0; i < len(steps); {
		j := i
		var names []string
		for ; j < len(steps) && steps[j].why == steps[i].why; j++ {
			if !slices.Contains(names, steps[j].method) {
				names = append(names, steps[j].method)
			}
		}
		parts = append(parts, strings.Join(names, ", ")+": "+steps[i].why)
		i = j
	}
	return strings.Join(parts, "; ")
}

// choose probes steps until one holds.
func choose(ctx context.Context, r *reading, steps []step, above []passed) (choice, error) {
	for i, s := range steps {
		w, err := s.probe(ctx, r)
		if err == nil {
			return choice{way: w, rest: steps[i+1:], passed: above}, nil
		}
		if final(err) && !isRefused(err) {
			return choice{}, err
		}
		above = append(above, passed{s.method, short(err)})
	}
	return choice{}, &sampler.Fault{Source: r.n.host, NS: r.t.ns.String(), Offset: -1,
		Why:  "no way of reading works: " + list(above),
		Hint: hintOf(list(above), r.t.ns)}
}

// short is an error as a part of a sentence.
func short(err error) string {
	var e refused
	if errors.As(err, &e) {
		return e.why
	}
	return reason(err)
}

func hintOf(why string, ns sampler.Namespace) string {
	if strings.Contains(why, "error 13 ") {
		return "grant the role read on database " + ns.DB
	}
	return ""
}

// explain gives the way's notes, and why better ones were passed over.
func (c choice) explain() []sampler.Warning {
	notes := c.way.notes()
	if len(c.passed) > 0 && c.way.method() != MethodAll {
		notes = append(notes, sampler.Warning{Code: "method-passed",
			Text: "read by " + c.way.method() + "; better ways do not work here: " + list(c.passed)})
	}
	return notes
}

// perform reads by the chosen way, and by the next ones where it fails before
// it gave anything.
func perform(ctx context.Context, r *reading, c choice) error {
	for {
		r.end.Method = c.way.method()
		before := r.end.Documents
		err := c.way.read(ctx, r)
		if err == nil || r.end.Documents > before || isSink(err) ||
			final(err) && !isRefused(err) {
			return err
		}
		above := append(c.passed, passed{c.way.method(), short(err)})
		var failed error
		if c, failed = choose(ctx, r, c.rest, above); failed != nil {
			return failed
		}
		for _, w := range c.explain() {
			r.warn(w.Code, w.Text)
		}
	}
}
