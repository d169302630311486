package report

import (
	"math"
	"strconv"
	"strings"
)

// Byte units are IEC: 1 KiB is 1024 bytes. Rates of disks and codecs are decimal
// megabytes, as their makers and benchmarks state them.
const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
	tib = 1 << 40
	mb  = 1e6
)

// digits is how many significant digits a figure keeps at least.
const digits = 3

// maxDecimals bounds the decimals of a column that spans many magnitudes, and
// maxWhole the integer part that a smaller unit may lead to.
const (
	maxDecimals = 3
	maxWhole    = 1e5
)

// nbsp keeps a number and its unit on one line. Writers of plain text print it
// as a space.
const nbsp = "\u00a0"

// A scale prints the numbers of one column in one unit with one number of
// decimals.
type scale struct {
	unit     string
	divisor  float64
	decimals int
}

var byteUnits = []scale{{"B", 1, 0}, {"KiB", kib, 0}, {"MiB", mib, 0}, {"GiB", gib, 0}, {"TiB", tib, 0}}

var secondUnits = []scale{{"ns", 1e-9, 0}, {"µs", 1e-6, 0}, {"ms", 1e-3, 0}, {"s", 1, 0}}

// byteScale is the common scale for some byte counts; exact asks for integers.
func byteScale(exact bool, values ...int64) scale {
	if exact {
		return byteUnits[0]
	}
	f := make([]float64, len(values))
	for i, v := range values {
		f[i] = float64(v)
	}
	return commonScale(byteUnits, f)
}

func secondScale(values ...float64) scale { return commonScale(secondUnits, values) }

// plainScale is for numbers without a unit.
func plainScale(values ...float64) scale { return commonScale([]scale{{"", 1, 0}}, values) }

// commonScale takes the largest unit in which the smallest value is at least 1,
// or a larger one where that would make the largest value too long to read, and
// as many decimals as the smallest value needs for three digits. Values under a
// thousandth of the largest have no say: they may show fewer digits.
func commonScale(units []scale, values []float64) scale {
	low, high := extent(values)
	best := 0
	for i, u := range units {
		if high >= u.divisor {
			best = i
		}
	}
	for best > 0 && low < units[best].divisor && high/units[best-1].divisor < maxWhole {
		best--
	}
	s := units[best]
	s.decimals = min(decimalsFor(low/s.divisor), maxDecimals)
	if s.divisor == 1 && s.unit == "B" {
		s.decimals = 0
	}
	return s
}

// extent gives the largest magnitude and the smallest that is at least a
// thousandth of it; zero for none.
func extent(values []float64) (low, high float64) {
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			high = max(high, math.Abs(v))
		}
	}
	low = high
	for _, v := range values {
		if v = math.Abs(v); v > 0 && v >= high/1000 {
			low = min(low, v)
		}
	}
	return low, high
}

func decimalsFor(v float64) int {
	if v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	return max(digits-1-int(math.Floor(math.Log10(v))), 0)
}

// number prints v in the column's unit, without the unit.
func (s scale) number(v float64) string {
	x := v / s.divisor
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return dash
	}
	if step := math.Pow10(-s.decimals); x != 0 && math.Abs(x) < step/2 {
		return "<" + strconv.FormatFloat(step, 'f', s.decimals, 64)
	}
	return grouped(strconv.FormatFloat(x, 'f', s.decimals, 64))
}

func (s scale) bytes(v int64) string {
	if s.divisor == 1 {
		return integer(v)
	}
	return s.number(float64(v))
}

// dash stands for a figure that is not known or does not apply.
const dash = "–"

// bytesText is one byte count with its unit.
func bytesText(v int64, exact bool) string {
	s := byteScale(exact, v)
	if exact {
		return integer(v) + nbsp + "bytes"
	}
	return s.bytes(v) + nbsp + s.unit
}

// secondsText is one duration with its unit.
func secondsText(v float64) string {
	s := secondScale(v)
	return s.number(v) + nbsp + s.unit
}

// rateText is a throughput: "125 MB/s", "1.50 GB/s".
func rateText(bytesPerSecond float64) string {
	s := commonScale([]scale{{"B/s", 1, 0}, {"kB/s", 1e3, 0}, {"MB/s", mb, 0}, {"GB/s", 1e9, 0}},
		[]float64{bytesPerSecond})
	return trimZeros(s.number(bytesPerSecond)) + nbsp + s.unit
}

// percent prints a share with three digits below 10 %, else one decimal.
func percent(share float64) string {
	return percentNumber(share) + nbsp + "%"
}

func percentNumber(share float64) string {
	x := share * 100
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return dash
	case math.Abs(x) >= 99.95:
		return signed(grouped(strconv.FormatFloat(x, 'f', 0, 64)))
	}
	return signed(strconv.FormatFloat(x, 'f', 1, 64))
}

// plusMinus prints half of an interval as a share, rounded up to two digits so
// that it never claims more than it holds.
func plusMinus(share float64) string {
	x := share * 100
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "±" + nbsp + "?"
	case x <= 0:
		return "±" + nbsp + "0" + nbsp + "%"
	}
	text := strconv.FormatFloat(max(math.Ceil(x*10-1e-9)/10, 0.1), 'f', 1, 64)
	if x >= 10 {
		text = grouped(strconv.FormatFloat(math.Ceil(x-1e-9), 'f', 0, 64))
	}
	return "±" + nbsp + text + nbsp + "%"
}

// integer prints v with thousands separated by commas.
func integer(v int64) string { return grouped(strconv.FormatInt(v, 10)) }

// grouped puts commas into the integer part of a decimal number and writes a
// minus sign for a hyphen.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = minus, s[1:]
	}
	whole, frac, found := strings.Cut(s, ".")
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	if found {
		b.WriteString("." + frac)
	}
	return sign + b.String()
}

// minus is the minus sign; a hyphen is shorter and sits lower.
const minus = "−"

// signed replaces a leading hyphen, and drops the sign of a rounded zero.
func signed(s string) string {
	if !strings.HasPrefix(s, "-") {
		return s
	}
	if strings.Trim(s, "-0.") == "" {
		return s[1:]
	}
	return minus + s[1:]
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// plural gives "1 run", "2 runs".
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1" + nbsp + one
	}
	return integer(n) + nbsp + many
}

// trimUnit drops the zeros of a round figure that someone typed: "1 GiB".
func trimUnit(s string) string {
	n, unit, _ := strings.Cut(s, nbsp)
	return trimZeros(n) + nbsp + unit
}
