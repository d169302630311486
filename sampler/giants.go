package sampler

import (
	"math/rand/v2"
	"slices"
)

// GiantRuns is how many runs a document is larger than, at least, to be a giant.
// A run stands for what lies around it, and so would a document that fills it
// many times over: one of 16 MiB would stand for gigabytes. So giants stay out of
// runs, are drawn by themselves, and stand for giants alone. They need no
// neighbours: a document larger than a page has its block to itself.
const GiantRuns = 4

// Giants draws from giants as they come, in proportion to what each stands for,
// within a bound of bytes: priority sampling, which gives each a weight that is
// right in the mean, and its own where it is large enough to be drawn for certain.
// Duffield, Lund and Thorup, Priority sampling for estimation of arbitrary subset
// sums, J. ACM 54 (2007), section 1.1.
type Giants[T any] struct {
	limit, held int64
	rng         *rand.Rand
	kept        []giant[T]
	threshold   float64 // the highest priority that was lost
	total       float64 // of all weights
}

type giant[T any] struct {
	item             T
	bytes            int64
	weight, priority float64
}

// NewGiants keeps at most limit bytes of giants, or one of them.
func NewGiants[T any](limit int64, rng *rand.Rand) *Giants[T] {
	return &Giants[T]{limit: limit, rng: rng}
}

// Limit changes the bound for those that come.
func (g *Giants[T]) Limit(bytes int64) { g.limit = bytes }

// Add offers one: a document of so many bytes that stands for weight bytes.
func (g *Giants[T]) Add(item T, bytes int64, weight float64) {
	g.total += weight
	g.held += bytes
	g.kept = append(g.kept, giant[T]{item, bytes, weight, weight / (1 - g.rng.Float64())})
	for g.held > g.limit && len(g.kept) > 1 {
		g.lose()
	}
}

func (g *Giants[T]) lose() {
	last := 0
	for i := range g.kept {
		if g.kept[i].priority < g.kept[last].priority {
			last = i
		}
	}
	g.threshold = max(g.threshold, g.kept[last].priority)
	g.held -= g.kept[last].bytes
	g.kept = slices.Delete(g.kept, last, last+1)
}

// Held is the number of bytes kept.
func (g *Giants[T]) Held() int64 { return g.held }

// Each gives what was kept, in the order in which it came, and how many bytes
// each stands for; together what all that came stood for.
func (g *Giants[T]) Each(give func(item T, stands int64)) {
	var sum float64
	for _, k := range g.kept {
		sum += max(k.weight, g.threshold)
	}
	for _, k := range g.kept {
		give(k.item, max(1, int64(max(k.weight, g.threshold)*g.total/sum)))
	}
}
