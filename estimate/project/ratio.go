package project

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Ratio is an estimate of the sum of Y over the sum of X of a population.
type Ratio struct {
	Value  float64
	StdErr float64
	Runs   int // with anything in them
}

// A Run is one unit of a sample: what it has of the population (X) and what
// that costs (Y).
type Run struct {
	Y, X float64
	// Drawn is the probability with which it was drawn, in proportion to its size
	// and apart from the strata; 0: it is the one run of its stratum.
	Drawn float64
}

// NewRatio estimates the ratio from runs in the order of their places. The sums
// are combined, not the runs' own ratios: a run with one large document weighs as
// much as it holds. sampled is the share of the population that was read: what
// has been seen varies no more.
func NewRatio(runs []Run, sampled float64) Ratio {
	var y, x float64
	r := Ratio{}
	for _, u := range runs {
		y += u.Y
		x += u.X
		if u.X > 0 {
			r.Runs++
		}
	}
	if x == 0 {
		return r
	}
	r.Value = y / x
	variance := stratified(runs, r.Value)*math.Max(0, 1-sampled) + drawn(runs, r.Value)
	r.StdErr = math.Sqrt(variance) / x
	return r
}

// stratified is the variance of the total of the runs that come one from each
// stratum. That leaves nothing to measure the variance within strata with; the
// differences between neighbours stand in for it, which hides neither a drift nor
// a change half way (Wolter, Introduction to Variance Estimation, section 8.2,
// estimator v2, on the linearised residuals).
func stratified(runs []Run, ratio float64) float64 {
	var squares, last, n float64
	for _, u := range runs {
		if u.Drawn > 0 {
			continue
		}
		e := u.Y - ratio*u.X
		if n > 0 {
			squares += (e - last) * (e - last)
		}
		last = e
		n++
	}
	switch n {
	case 0:
		return 0
	case 1:
		return math.Inf(1)
	}
	// The variance of a total of n runs is n times that of one.
	return squares / (2 * (n - 1)) * n
}

// drawn is that of the runs drawn one by one, as if independently: X is already
// what each stands for (Wolter, section 1.4, the Horvitz-Thompson estimator).
func drawn(runs []Run, ratio float64) (variance float64) {
	for _, u := range runs {
		if u.Drawn > 0 {
			e := u.Y - ratio*u.X
			variance += (1 - math.Min(1, u.Drawn)) * e * e
		}
	}
	return variance
}

// AtLeast is r with a relative standard error of at least rel.
func (r Ratio) AtLeast(rel float64) Ratio {
	r.StdErr = math.Max(r.StdErr, rel*r.Value)
	return r
}

// StdDev is the standard deviation of x, 0 of fewer than two values.
func StdDev(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	return stat.StdDev(x, nil)
}

// HalfWidth is half the width of the interval at confidence (0 to 1), relative
// to the value. With few runs Student's t is wider than the normal; successive
// differences carry about two thirds as many degrees of freedom as runs.
func (r Ratio) HalfWidth(confidence float64) float64 {
	if r.Value == 0 || r.StdErr == 0 {
		return 0
	}
	freedom := math.Max(1, 2*float64(r.Runs-1)/3)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(0.5 + confidence/2)
	return t * r.StdErr / r.Value
}

// Normal is how many standard deviations a two-sided interval spans to each
// side at confidence (0 to 1).
func Normal(confidence float64) float64 { return distuv.UnitNormal.Quantile(0.5 + confidence/2) }

// Needed is how many times the sample is needed for a relative half-width of at
// most want, the spread being what it is.
func (r Ratio) Needed(confidence, want float64) float64 {
	h := r.HalfWidth(confidence) / want
	return h * h
}
