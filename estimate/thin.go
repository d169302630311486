package estimate

import (
	"math"

	"github.com/wtsize/wtsize/sampler"
)

// Thin returns a Visitor that passes on to v what an Estimator with the same
// budget would keep. Runs that a source chose
// pass as they come; of a stream, stretches from everywhere follow at its end,
// as runs.
func Thin(v sampler.Visitor, b sampler.Budget) sampler.Visitor {
	if b.Bytes == 0 && b.Share == 0 {
		return v
	}
	return &thinner{v, b, newMemory(sampleMemory), map[sampler.Namespace]*thinned{}}
}

type thinner struct {
	sampler.Visitor
	budget sampler.Budget
	memory *memory
	open   map[sampler.Namespace]*thinned
}

// thinned is the sink of one collection: with a store while it may be a stream.
type thinned struct {
	sampler.Sink
	store *store
}

// Begin is part of sampler.Visitor.
func (t *thinner) Begin(c sampler.Collection) (sampler.Sink, error) {
	sink, err := t.Visitor.Begin(c)
	if err != nil || sink == nil {
		return sink, err
	}
	k := &thinned{sink, newSample(t.budget, t.memory)}
	t.open[c.NS] = k
	return k, nil
}

// End is part of sampler.Visitor.
func (t *thinner) End(c sampler.Collection, end sampler.End) error {
	if k := t.open[c.NS]; k != nil {
		delete(t.open, c.NS)
		if err := k.flush(end.Bytes); err != nil {
			return err
		}
	}
	return t.Visitor.End(c, end)
}

// Run is part of sampler.Sink: the source chooses.
func (k *thinned) Run(r sampler.Run) error {
	if err := k.flush(0); err != nil {
		return err
	}
	return k.Sink.Run(r)
}

// Document is part of sampler.Sink.
func (k *thinned) Document(doc []byte) error {
	if k.store == nil {
		return k.Sink.Document(doc)
	}
	k.store.add(doc)
	return nil
}

// flush passes on what is held of a stream of size bytes.
func (k *thinned) flush(size int64) error {
	if k.store == nil {
		return nil
	}
	whole := k.store.complete()
	stretches := k.store.finish()
	k.store = nil
	for _, s := range stretches {
		if !whole {
			r := sampler.Run{Position: float64(s.offset) / math.Max(1, float64(size)), RecordID: 1 + s.ordinal, Stands: s.stands}
			if err := k.Sink.Run(r); err != nil {
				return err
			}
		}
		for i := range s.ends {
			if err := k.Sink.Document(s.document(i)); err != nil {
				return err
			}
		}
	}
	return nil
}
