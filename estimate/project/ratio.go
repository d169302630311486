package project

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Ratio is an estimate of sum(y)/sum(x) over a population.
type Ratio struct {
	Value  float64
	StdErr float64
	Runs   int // with anything in them
}

// NewRatio estimates the ratio from runs in the order of their places, one run
// from each stratum. The sums are combined, not the runs' own ratios: a run
// with one huge document weighs as much as it holds.
//
// One run a stratum leaves nothing to measure the variance within strata with;
// the differences between neighbours stand in for it, which hides neither a
// drift nor a change half way (Wolter, Introduction to Variance Estimation,
// section 8.2, estimator v2, on the linearised residuals). sampled is the share
// of the population that was read: what has been seen varies no more.
func NewRatio(y, x []float64, sampled float64) Ratio {
	var sy, sx float64
	r := Ratio{}
	for i := range x {
		sy += y[i]
		sx += x[i]
		if x[i] > 0 {
			r.Runs++
		}
	}
	if sx == 0 {
		return r
	}
	r.Value = sy / sx
	n := float64(len(x))
	if n < 2 {
		r.StdErr = math.Inf(1)
		return r
	}
	var squares, last float64
	for i := range x {
		e := y[i] - r.Value*x[i]
		if i > 0 {
			squares += (e - last) * (e - last)
		}
		last = e
	}
	// The variance of a total of n runs is n times that of one.
	variance := squares / (2 * (n - 1)) * n
	r.StdErr = math.Sqrt(variance*math.Max(0, 1-sampled)) / sx
	return r
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
