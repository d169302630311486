package report

import (
	"math"
	"testing"
)

func TestByteScale(t *testing.T) {
	for _, c := range []struct {
		values []int64
		exact  bool
		want   []string
		unit   string
	}{
		{[]int64{0}, false, []string{"0"}, "B"},
		{[]int64{1}, false, []string{"1"}, "B"},
		{[]int64{1023}, false, []string{"1,023"}, "B"},
		{[]int64{1024}, false, []string{"1.00"}, "KiB"},
		{[]int64{4096, 32768}, false, []string{"4.00", "32.00"}, "KiB"},
		{[]int64{1<<20 - 1}, false, []string{"1,024"}, "KiB"},
		{[]int64{1 << 20}, false, []string{"1.00"}, "MiB"},
		{[]int64{100 << 20}, false, []string{"100"}, "MiB"},
		{[]int64{110 << 20, 449 << 20}, false, []string{"110", "449"}, "MiB"},
		{[]int64{114 << 20, 2384 << 20}, false, []string{"114", "2,384"}, "MiB"},
		{[]int64{5 << 40}, false, []string{"5.00"}, "TiB"},
		{[]int64{4096, 10 << 30}, false, []string{"<0.1", "10.0"}, "GiB"},
		{[]int64{123456789}, true, []string{"123,456,789"}, "B"},
		{[]int64{-5 << 20, 50 << 20}, false, []string{"−5.00", "50.00"}, "MiB"},
		{[]int64{math.MaxInt64}, false, []string{"8,388,608"}, "TiB"},
	} {
		s := byteScale(c.exact, c.values...)
		if s.unit != c.unit {
			t.Errorf("%v: unit %s, want %s", c.values, s.unit, c.unit)
		}
		for i, v := range c.values {
			if got := s.bytes(v); got != c.want[i] {
				t.Errorf("%d of %v is %q, want %q", v, c.values, got, c.want[i])
			}
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0.0"}, {-0.0001, "0.0"}, {0.0004, "0.0"}, {0.502, "50.2"}, {0.9994, "99.9"}, {0.9996, "100"},
		{1.02, "102"}, {-1.04, "−104"}, {-0.0072, "−0.7"}, {12.345, "1,234"},
		{math.NaN(), dash}, {math.Inf(1), dash},
	} {
		if got := percentNumber(c.in); got != c.want {
			t.Errorf("percentNumber(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

// An interval is never printed narrower than it is.
func TestPlusMinus(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "± 0 %"}, {-1, "± 0 %"}, {1e-9, "± 0.1 %"}, {0.0213, "± 2.2 %"}, {0.021, "± 2.1 %"},
		{0.0999, "± 10.0 %"}, {0.1, "± 10 %"}, {0.2143, "± 22 %"}, {20, "± 2,000 %"},
	} {
		if got := plusMinus(c.in); got != replaceSpaces(c.want) {
			t.Errorf("plusMinus(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func replaceSpaces(s string) string {
	out := ""
	for _, r := range s {
		if r == ' ' {
			out += nbsp
			continue
		}
		out += string(r)
	}
	return out
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{rateText(125e6), "125 MB/s"}, {rateText(1.5e9), "1.5 GB/s"}, {rateText(0), "0 B/s"},
		{secondsText(0.001), "1.00 ms"}, {secondsText(0.000168), "168 µs"}, {secondsText(4.09), "4.09 s"},
		{short(32 * kib), "32 KiB"}, {short(1536), "1.5 KiB"},
		{plural(1, "run", "runs"), "1 run"}, {plural(0, "run", "runs"), "0 runs"}, {plural(1234, "run", "runs"), "1,234 runs"},
		{integer(math.MinInt64), "−9,223,372,036,854,775,808"}, {integer(-999), "−999"}, {integer(1000), "1,000"},
	} {
		if c.got != replaceSpaces(c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
