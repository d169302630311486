package estimate

import (
	"fmt"
	"strings"
	"testing"
)

// The sample that a wide interval asks for is no larger than the collection.
func TestDoubtsAskForNoMoreThanThereIs(t *testing.T) {
	o := testOptions(t, "snappy,zstd:1")
	asked := map[string]int{}
	for seed := range uint64(4) {
		for _, o.SampleBytes = range []int64{500 << 10, 1500 << 10} {
			c := made(t, "groups", "grouped", seed, 4<<20)
			c.runBytes = 128 << 10
			r := estimateOne(t, o, c)
			for _, w := range r.Warnings {
				if w.Code != "wide-interval" {
					continue
				}
				_, cure, _ := strings.Cut(w.Text, "--sample ")
				var mib int64
				if n, _ := fmt.Sscanf(cure, "%dMiB", &mib); n == 0 {
					asked["all"]++
				} else if asked["part"]++; mib<<20 > r.Size+1<<20 {
					t.Errorf("%s: the collection has %d bytes", w.Text, r.Size)
				}
			}
		}
	}
	if asked["all"] == 0 {
		t.Errorf("nothing asked for all: %v", asked)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
