package estimate

import (
	"github.com/wtsize/wtsize/sampler"
)

// A collector is the sampler.Sink of one collection.
type collector struct {
	e        *Estimator
	c        sampler.Collection
	t        table
	warnings []sampler.Warning
	stream   *builder // everything is read: build as it streams past
	store    *store   // else: keep what fits
	runs     int
	other    *probe
	indexes  *indexes
	variants []*variant
	fields   *store
	id       int64
}

func newCollector(e *Estimator, c sampler.Collection, t table) *collector {
	k := &collector{e: e, c: c, t: t}
	var noted []sampler.Warning
	k.indexes, noted = newIndexes(c, t, e.opts)
	k.warnings = append(k.warnings, noted...)
	k.variants, noted = newVariants(t, e.opts)
	k.warnings = append(k.warnings, noted...)
	if e.opts.Fields {
		k.fields = newStore(fieldBytes, e.opts.Seed, e.memory)
	}
	if o := e.opts; o.SampleBytes > 0 || o.SampleShare > 0 {
		k.store = newSample(sampler.Budget{Bytes: o.SampleBytes, Share: o.SampleShare, Seed: o.Seed}, e.memory)
	}
	return k
}

// begin starts what builds from every document. An archive announces all its
// collections before the first document of any.
func (k *collector) begin() *builder {
	k.indexes.whole()
	for _, v := range k.variants {
		v.builder = newBuilder(v.t, k.e.opts, k.e.pool)
	}
	return newBuilder(k.t, k.e.opts, k.e.pool)
}

// Run is called by sources that choose runs: sampler.Sink.
func (k *collector) Run(r sampler.Run) error {
	k.runs++
	if k.store == nil { // a run within a complete read changes nothing
		return nil
	}
	k.store.run(r)
	return nil
}

// Document takes one document: sampler.Sink.
func (k *collector) Document(doc []byte) error {
	if k.fields != nil {
		k.fields.add(doc)
	}
	if k.store != nil {
		k.store.add(doc)
		return nil
	}
	if k.stream == nil {
		k.stream, k.other = k.begin(), k.newProbe()
	}
	if k.other != nil {
		if err := k.other.add(doc); err != nil {
			return err
		}
	}
	return k.add(k.stream, doc)
}

// add gives a document of a complete read to all that build from it.
func (k *collector) add(b *builder, doc []byte) error {
	k.id++
	k.indexes.document(doc, k.id)
	for _, v := range k.variants {
		if err := v.builder.add(doc); err != nil {
			return err
		}
	}
	return b.add(doc)
}

func (k *collector) abandon() {
	if k.stream != nil {
		k.stream.close()
	}
	if k.store != nil {
		k.store.finish()
	}
	if k.other != nil {
		k.other.close()
	}
	k.indexes.close()
	for _, v := range k.variants {
		if v.builder != nil {
			v.builder.close()
		}
	}
	if k.fields != nil {
		k.fields.finish()
	}
}

// finish makes the figures.
func (k *collector) finish(end sampler.End) (CollectionResult, error) {
	r := k.describe(end)
	var err error
	var settings []projected
	batches := &batcher{}
	if k.store == nil {
		if k.stream == nil { // no document came
			k.stream = k.begin()
		}
		settings, err = whole(k.stream)
		batches = k.stream.batches
	} else {
		stretches := k.store.finish()
		if k.other = k.newProbe(); k.other != nil {
			if err := k.other.stretches(stretches); err != nil {
				return r, err
			}
			if err := k.other.finish(); err != nil { // before memory is needed for more
				return r, err
			}
		}
		switch {
		case len(stretches) == 0 || k.store.complete():
			settings, batches, err = k.replay(stretches)
		default:
			p := newPopulation(stretches, r.Count, r.Size)
			r.Sample = p.info(end)
			settings, batches, err = k.sampled(&r, p)
		}
	}
	if err != nil {
		return r, err
	}
	if err := k.compressors(&r, settings, batches); err != nil {
		return r, err
	}
	if k.other != nil {
		if err := k.other.finish(); err != nil {
			return r, err
		}
		k.other.apply(&r)
	}
	if err := k.whatIf(&r); err != nil {
		return r, err
	}
	k.indexes.results(&r, k.e.opts)
	k.selfCheck(&r)
	r.scaleTo(k.e.opts.Docs)
	k.costs(&r)
	k.advice(&r)
	return r, k.fieldReport(&r)
}

func whole(b *builder) ([]projected, error) {
	all, err := b.finish()
	if err != nil {
		return nil, err
	}
	out := make([]projected, len(all))
	for i, a := range all {
		out[i].built = a
	}
	return out, nil
}

// replay builds what was held whole.
func (k *collector) replay(stretches []*stretch) ([]projected, *batcher, error) {
	b := k.begin()
	for _, s := range stretches {
		for i := range s.ends {
			if err := k.add(b, s.document(i)); err != nil {
				b.close()
				return nil, nil, err
			}
		}
	}
	out, err := whole(b)
	return out, b.batches, err
}
