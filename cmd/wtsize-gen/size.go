package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units by suffix; the empty one comes last, so that a plain number is bytes.
var units = [...]struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// parseSize reads a whole number of bytes with an optional unit: 10GiB, 500MB.
func parseSize(s string) (int64, error) {
	for _, u := range units {
		number, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n <= 0 || n > math.MaxInt64/u.bytes {
			break
		}
		return n * u.bytes, nil
	}
	return 0, fmt.Errorf("%q is no size such as 500MB or 10GiB", s)
}
