package estimate

import (
	"sort"

	"github.com/wtsize/wtsize/estimate/build"
	"github.com/wtsize/wtsize/sampler"
)

// An Estimator is the sampler.Visitor that makes a Result. Use: pass it to a
// Source's Read, or to several one after the other, then call Result.
type Estimator struct {
	opts   Options
	pool   *build.Pool
	memory *memory
	open   map[sampler.Namespace]*collector
	first  *table // of the first collection
	result Result
}

// New returns an Estimator; Close frees its goroutines.
func New(o Options) (*Estimator, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &Estimator{
		opts: o, pool: build.NewPool(o.Jobs), memory: newMemory(sampleMemory),
		open: map[sampler.Namespace]*collector{},
	}
	e.result = Result{
		SchemaVersion: SchemaVersion, Tool: Tool{Name: "wtsize"}, Seed: o.Seed,
		Collections: []CollectionResult{},
	}
	return e, nil
}

// Close ends the Estimator's goroutines.
func (e *Estimator) Close() {
	for _, c := range e.open {
		c.abandon()
	}
	e.pool.Close()
}

// Begin takes a collection: sampler.Visitor.
func (e *Estimator) Begin(c sampler.Collection) (sampler.Sink, error) {
	t, warnings, err := e.table(c)
	if err != nil {
		return nil, err
	}
	if e.first == nil {
		e.first = &t
	}
	k := newCollector(e, c, t)
	k.warnings = append(k.warnings, warnings...)
	e.open[c.NS] = k
	return k, nil
}

// End makes the figures of a collection: sampler.Visitor.
func (e *Estimator) End(c sampler.Collection, end sampler.End) error {
	k := e.open[c.NS]
	if k == nil {
		return nil
	}
	delete(e.open, c.NS)
	k.c.Warnings = c.Warnings // reading may have added some
	if end.Fault != nil && end.Documents == 0 {
		// Nothing readable: there are no figures to give.
		k.abandon()
		e.skip(c.NS, end.Fault, false)
		return nil
	}
	r, err := k.finish(end)
	if err != nil {
		return err
	}
	if end.Fault != nil {
		e.skip(c.NS, end.Fault, true)
	}
	e.result.Collections = append(e.result.Collections, r)
	return nil
}

// Skip notes a namespace without figures: sampler.Visitor.
func (e *Estimator) Skip(ns sampler.Namespace, f *sampler.Fault) { e.skip(ns, f, false) }

func (e *Estimator) skip(ns sampler.Namespace, f *sampler.Fault, partial bool) {
	e.result.Skipped = append(e.result.Skipped, Skipped{
		NS: ns.String(), Why: f.Reason(), Hint: f.Hint, Source: f.Source, Offset: max(f.Offset, 0),
		Partial: partial, Expected: f.Expected,
	})
}

// Result is what was found, collections in the order of their names.
func (e *Estimator) Result() Result {
	r := e.result
	r.Assumptions = e.assumptions()
	sort.SliceStable(r.Collections, func(i, j int) bool { return r.Collections[i].NS < r.Collections[j].NS })
	if !e.opts.NoTimings {
		r.Assumptions.Disk = diskOf(e.opts.Costs.Disk)
		load := e.opts.Costs.Load
		r.Assumptions.WorkingSet, r.Assumptions.HotData, r.Assumptions.HotReads = load.WorkingSet, load.HotData, load.HotReads
		r.Assumptions.InsertsPerS, r.Assumptions.UpdatesPerS = load.InsertsPerSecond, load.UpdatesPerSecond
	}
	r.Totals = totals(r.Collections)
	return r
}

func totals(cs []CollectionResult) Totals {
	t := Totals{StorageSize: map[string]int64{}}
	for _, c := range cs {
		t.Count += c.Count
		t.Size += c.Size
		t.TotalIndexSize += c.TotalIndexSize
		for _, k := range c.Compressors {
			t.StorageSize[k.Name()] += k.StorageSize
		}
	}
	return t
}
