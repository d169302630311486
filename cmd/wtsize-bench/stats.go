package main

import (
	"math"
	"slices"
)

// quantile is the smallest of the values that a share of them does not exceed;
// NaN of none.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// absolute drops the signs.
func absolute(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Abs(v)
	}
	return out
}

// average is NaN of none.
func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
