package advise

import (
	"fmt"
	"math"
	"strconv"
)

// The sentences are part of the result, so their figures are written here.

var units = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// size writes bytes with three significant digits.
func size(bytes float64) string {
	u := 0
	for math.Abs(bytes) >= 999.5 && u < len(units)-1 {
		bytes /= 1024
		u++
	}
	return number(bytes) + " " + units[u]
}

// sampleFlag writes bytes as --sample takes them, rounded up to a whole number.
func sampleFlag(bytes float64) string {
	u := 0
	for bytes >= 2*1024 && u < len(units)-1 {
		bytes /= 1024
		u++
	}
	return strconv.FormatFloat(math.Ceil(bytes), 'f', 0, 64) + units[u]
}

// number writes three significant digits, and no exponent.
func number(v float64) string {
	switch abs := math.Abs(v); {
	case abs >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case abs >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v == 0:
		return "0"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// percent writes one decimal below 10 %.
func percent(share float64) string {
	if math.Abs(share) < 0.0995 {
		return fmt.Sprintf("%.1f %%", share*100)
	}
	return fmt.Sprintf("%.0f %%", share*100)
}

func duration(seconds float64) string {
	switch {
	case seconds >= 99.95*60:
		return number(seconds/3600) + " h"
	case seconds >= 99.95:
		return number(seconds/60) + " min"
	case seconds >= 0.09995:
		return number(seconds) + " s"
	case seconds >= 0.0009995:
		return number(seconds*1e3) + " ms"
	}
	return number(seconds*1e6) + " µs"
}
