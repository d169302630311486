package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/wtsize/wtsize/sampler"
)

// parseBytes reads 64MiB, 64MB (powers of 1024 both, as MongoDB's tools take
// them), 2G or a plain number of bytes.
func parseBytes(s string) (int64, error) {
	t := strings.ToLower(strings.TrimSpace(s))
	for _, unit := range []string{"ib", "b"} {
		if cut, ok := strings.CutSuffix(t, unit); ok {
			t = cut
			break
		}
	}
	shift := 0
	if n := len(t); n > 0 {
		if i := strings.IndexByte("kmgtp", t[n-1]); i >= 0 {
			shift, t = 10*(i+1), t[:n-1]
		}
	}
	x, err := strconv.ParseFloat(t, 64)
	if err != nil || !(x > 0 && x < float64(int64(1)<<62>>shift)) {
		return 0, errors.New("not a size")
	}
	return max(1, int64(x*float64(int64(1)<<shift))), nil
}

// amount is how much of each collection is read: bytes, a share, or, where both
// are zero, everything.
type amount struct {
	bytes int64
	share float64
}

func parseAmount(s string) (amount, error) {
	if s == "all" {
		return amount{}, nil
	}
	number, percent := strings.CutSuffix(s, "%")
	if !percent {
		n, err := parseBytes(s)
		return amount{bytes: n}, err
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(x > 0 && x <= 100) {
		return amount{}, errors.New("not a percentage")
	}
	if x == 100 {
		return amount{}, nil
	}
	return amount{share: x / 100}, nil
}

// budget is what a source may read.
func (l limits) budget(seed int64) sampler.Budget {
	return sampler.Budget{Bytes: l.sample.bytes, Share: l.sample.share, RunBytes: runBytes, Seed: seed}
}
