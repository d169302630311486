package index

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
)

// An estimator sizes one index from a sample, and from halves of it.
type estimator struct {
	s       *Sample
	cfg     Config
	pop     Population
	entries float64 // of the population
	rng     *rand.Rand
	grower  *Grower // nil: not asked for
	grown   float64 // size of an index grown by inserts against one built in bulk
	recent  *recent // nil: not asked for
}

// splits is how often the sample is halved.
const splits = 3

// project gives the size and its variance in bytes.
//
// The sample itself tells how good the model is: what it makes of a half of the
// runs is compared with all of them, which are known. Where it is off beyond
// chance, as with names that have more in common than their letters tell, it is
// taken to be as much off each time the population doubles the sample.
//
// The variance is that of the estimates from halves, and of this correction.
func (e *estimator) project() (size, variance float64, err error) {
	all := newLineage(e.s, e.s.sorted())
	ordered := all.follows()
	if ordered && len(e.s.gen.Index().Fields) > 1 {
		// What was recent stands together in each piece: runs do not tell how closely.
		e.recent = nil
	}
	if size, err = e.whole(all); err != nil {
		return 0, 0, err
	}
	here := 0.0
	if !ordered { // else the sample does not have what lies between its runs
		if here, err = e.size(all, float64(len(all.all)), hereBudget); err != nil {
			return 0, 0, err
		}
	}
	var there, off []float64
	for range splits {
		side := e.halve()
		for _, take := range []bool{false, true} {
			its := func(run int32) bool { return side[run] == take }
			l := all.part(its)
			if len(l.all) == 0 {
				continue
			}
			x, err := e.size(l, e.s.count(e.s.projected(e.pop, its), its), halfBudget)
			if err != nil {
				return 0, 0, err
			}
			there = append(there, math.Pow(math.Log(x/size), 2))
			if ordered {
				continue
			}
			if x, err = e.size(l, float64(len(all.all)), halfBudget); err != nil {
				return 0, 0, err
			}
			off = append(off, math.Log(x/here))
		}
	}
	if len(there) < 2 { // one run only: nothing is known
		return size, size * size / 4, nil
	}
	unseen := 1 - min(1, float64(len(all.all))/e.entries)
	variance = stat.Mean(there, nil) * unseen
	if !ordered {
		bias, chance := e.bias(off, here)
		size *= math.Exp(-bias)
		variance += chance
	}
	return size, variance * size * size, nil
}

// bias is the logarithm of what the model is too large by, with its variance: off
// is what estimates of the sample from halves of it are too large by.
func (e *estimator) bias(off []float64, here float64) (bias, chance float64) {
	bias, chance = stat.MeanVariance(off, nil)
	chance /= float64(len(off))
	doublings := math.Log2(e.entries / float64(len(e.s.entries)))
	unit := float64(e.cfg.Table.LeafPageMax) / 2 / here // sizes go by pages
	if random := chance + unit*unit; bias*bias > random {
		doublings *= 1 - random/(bias*bias) // what may be chance is not taken off
		return bias * doublings, chance * doublings * doublings
	}
	return 0, 0
}

// halve splits the runs, one of each pair of neighbours to each side.
func (e *estimator) halve() []bool {
	side := make([]bool, len(e.s.runs))
	for i := 0; i < len(side); i += 2 {
		side[i] = e.rng.IntN(2) == 0
		if i+1 < len(side) {
			side[i+1] = !side[i]
		}
	}
	return side
}

// whole is the size from all of the sample; stretches of it are grown too.
func (e *estimator) whole(l *lineage) (float64, error) {
	c := newCloner(e.cfg, l, max(1, e.entries/float64(len(l.all))), float64(e.pop.Documents), e.rng, &e.s.work)
	c.grower, c.recent = e.grower, e.recent
	ws, err := c.windows(e.cfg, mainBudget)
	if err == nil && e.grower != nil {
		e.grown = e.grower.against(ws)
	}
	return float64(fileSize(e.cfg, ws, e.entries)), err
}

// size gives the bytes of a file of so many entries like those of a lineage.
func (e *estimator) size(l *lineage, entries, budget float64) (float64, error) {
	c := newCloner(e.cfg, l, max(1, entries/float64(len(l.all))), float64(e.pop.Documents), e.rng, &e.s.work)
	ws, err := c.windows(e.cfg, budget)
	return float64(fileSize(e.cfg, ws, entries)), err
}
