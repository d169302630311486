package estimate

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/wtsize/wtsize/estimate/build"
	"github.com/wtsize/wtsize/estimate/project"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
	"github.com/wtsize/wtsize/sampler"
)

// population is a collection known by stretches of it.
type population struct {
	stretches   []*stretch
	count, size int64
	bytes       int64 // of BSON in the stretches
}

// newPopulation puts the stretches in the order of their places: a source may
// deliver its runs in another, or from several parts of the collection.
func newPopulation(stretches []*stretch, count, size int64) population {
	p := population{stretches: stretches, count: count, size: size}
	for _, s := range stretches {
		s.size = int64(len(s.bytes))
		p.bytes += s.size
	}
	slices.SortStableFunc(p.stretches, func(a, b *stretch) int { return cmp.Compare(p.position(a), p.position(b)) })
	p.number()
	return p
}

// number gives the stretches the RecordIds of their places where those are not
// known: documents are as dense around a stretch as within it.
func (p population) number() {
	shares := p.shares()
	documents := make([]float64, len(shares))
	all := 0.0
	for i, s := range p.stretches {
		documents[i] = shares[i] * float64(len(s.ends)) / math.Max(1, float64(s.size))
		all += documents[i]
	}
	before, begin := 0.0, 0.0
	for i, s := range p.stretches {
		within := math.Min(1, math.Max(0, p.position(s)-begin)/math.Max(shares[i], 1e-12))
		switch {
		case s.run.RecordID > 0:
			s.first = s.run.RecordID
		case s.run != (sampler.Run{}):
			s.first = 1 + int64((before+within*documents[i])/math.Max(1e-12, all)*float64(p.count))
		default:
			s.first = 1 + s.ordinal
		}
		before += documents[i]
		begin += shares[i]
	}
}

// sampledRun is a stretch encoded for its place.
type sampledRun = build.Run

// runs encodes the stretches with the RecordIds and time windows they have at
// their places in the collection.
func (p population) runs(t table) []sampledRun {
	shares := p.shares()
	out := make([]sampledRun, len(p.stretches))
	var wg sync.WaitGroup
	for i, s := range p.stretches {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := newRecords(t, s.first)
			r.past.n = uint64(r.id)
			r.past.txn = uint64(r.id) / batchRecords
			page := reconcile.Encode(t.release, len(s.ends), len(s.bytes), func(i int) ([]byte, wt.TimeWindow, []byte) {
				doc := s.document(i)
				key, w := r.next(doc)
				return key, w, doc
			})
			out[i] = sampledRun{Page: page, Share: shares[i], Drawn: p.drawn(s)}
		}()
	}
	wg.Wait()
	return out
}

// shares is which part of the collection's bytes each stretch stands for: from
// half way to the stretch before it to half way to the one after, of what giants
// leave.
func (p population) shares() []float64 {
	total := math.Max(1, float64(p.size))
	giants, begin, last := 0.0, 0.0, -1
	out := make([]float64, len(p.stretches))
	for i, s := range p.stretches {
		if s.stands > 0 {
			out[i] = float64(s.stands) / total
			giants += out[i]
			continue
		}
		if last >= 0 {
			own := p.position(p.stretches[last]) + float64(p.stretches[last].size)/total
			end := math.Min(1, math.Max(begin, (own+math.Max(own, p.position(s)))/2))
			out[last], begin = end-begin, end
		}
		last = i
	}
	if last < 0 {
		return scaled(out, 1/giants, func(int) bool { return true })
	}
	out[last] = 1 - begin
	return scaled(out, math.Max(0, 1-giants), func(i int) bool { return p.stretches[i].stands == 0 })
}

// scaled multiplies those of x that are meant.
func scaled(x []float64, by float64, meant func(i int) bool) []float64 {
	for i := range x {
		if meant(i) {
			x[i] *= by
		}
	}
	return x
}

// drawn is the probability with which a giant was drawn, 0 of other stretches.
func (p population) drawn(s *stretch) float64 {
	if s.stands == 0 {
		return 0
	}
	return math.Min(1, float64(s.size)/float64(s.stands))
}

// release lets go of the documents: they are part of the pages by now.
func (p population) release() {
	for _, s := range p.stretches {
		s.bytes = nil
	}
}

// position is the share of the collection before a stretch.
func (p population) position(s *stretch) float64 {
	if s.run != (sampler.Run{}) {
		return s.run.Position
	}
	return float64(s.offset) / math.Max(1, float64(p.size))
}

// projected is one setting's files and the interval around the first of them.
type projected struct {
	built
	ratio   project.Ratio
	phase   float64 // standard deviation in bytes, see build.Population.PhaseBytes
	sampled int64   // bytes of BSON
}

// replicates of a small population show how far the course of the page size
// depends on which runs were drawn.
const replicates = 24

// methodError is the relative standard error that is left where runs are many and
// alike: blocks of runs are not quite those of long pages. It is the root mean
// square of the mean errors, against the whole read, of 20 samples of 64 MiB each
// of four shapes of 10 GB (wtsize-bench generated), in %: none heavy 0.017, drift
// 0.016, grouped -0.031, orders 0.006; zlib heavy 0.032, grouped -0.007, orders
// 0.048; zstd heavy 0.038, grouped -0.025, orders -0.038. Snappy, and drift under
// the others, are not among them: their course is not settled, and the model's
// spread says so.
const methodError = 0.0003

// sampled makes the figures of a collection known by stretches.
func (k *collector) sampled(r *CollectionResult, p population) ([]projected, *batcher, error) {
	runs := p.runs(k.t)
	if len(k.variants) == 0 {
		p.release()
	}
	batches := &batcher{}
	for _, run := range runs {
		batches.page(run.Page)
	}
	indexed := make(chan struct{})
	go func() {
		defer close(indexed)
		k.indexes.stretches(runs, p)
	}()
	defer func() { <-indexed }()
	all, err := p.build(k.t, k.e.opts, k.e.pool, runs)
	if err != nil {
		return nil, nil, err
	}
	return all, batches, k.whatIfSampled(r, p)
}

// build builds every setting from the runs.
func (p population) build(t table, o Options, pool *build.Pool, runs []sampledRun) ([]projected, error) {
	out := make([]projected, len(o.Compressors))
	errs := make([]error, len(out))
	var wg sync.WaitGroup
	for i, s := range o.Compressors {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i], errs[i] = p.enough(buildConfig(t, s, o), pool, runs, o.Confidence)
		}()
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

const (
	// enoughWidth is a half-width of the interval that more runs need not narrow:
	// half of what is asked of the estimate itself.
	enoughWidth = 0.0025
	// enoughRuns tell how far runs differ.
	enoughRuns = 32
)

// enough builds a setting from every fourth run where these agree well, else from
// every second, and from all runs where those do not either: compressing them
// takes most of the time. What was compressed is not compressed again.
func (p population) enough(cfg build.Config, pool *build.Pool, runs []sampledRun, confidence float64) (projected, error) {
	pop := build.NewPopulation(cfg, pool, runs, 1/p.share())
	for _, n := range []int{4, 2} {
		part, some := p.every(n, runs)
		if len(some) < enoughRuns {
			continue
		}
		out, err := part.project(pop.With(some, 1/part.share()))
		if err != nil || out.ratio.HalfWidth(confidence) <= enoughWidth {
			return out, err
		}
	}
	return p.project(pop)
}

// every is every n-th stretch, which stand for all, and every giant.
func (p population) every(n int, runs []sampledRun) (population, []sampledRun) {
	part := p
	part.stretches, part.bytes = nil, 0
	var some []sampledRun
	seen := 0
	for i, s := range p.stretches {
		if s.stands == 0 {
			seen++
		}
		if s.stands > 0 || seen%n == 0 {
			part.stretches = append(part.stretches, s)
			part.bytes += s.size
			some = append(some, runs[i])
		}
	}
	for i, share := range part.shares() {
		some[i].Share = share
	}
	return part, some
}

// share is the part of the collection that is known.
func (p population) share() float64 { return float64(p.bytes) / math.Max(1, float64(p.size)) }

func (p population) project(pop *build.Population) (projected, error) {
	files, visits, err := pop.Files()
	if err != nil {
		return projected{}, err
	}
	b := newBuilt(files, pop.Images())
	costs, err := pop.RunCosts(visits)
	if err != nil {
		return projected{}, err
	}
	replicates, err := pop.Replicates(replicates, b.file)
	if err != nil {
		return projected{}, err
	}
	least := math.Max(project.StdDev(replicates), methodError)
	ratio := project.NewRatio(costs, p.share()).AtLeast(least * math.Sqrt(math.Max(0, 1-p.share())))
	return projected{
		built: b,
		ratio: ratio, phase: pop.PhaseBytes(b.file), sampled: p.bytes,
	}, nil
}
