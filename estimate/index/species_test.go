package index

import (
	"math"
	"math/rand/v2"
	"testing"
)

// countsOf draws n values and says how many came once, twice, ...
func countsOf(n int, draw func() int) (counts []float64) {
	met := map[int]int{}
	for range n {
		met[draw()]++
	}
	for _, r := range met {
		for r > len(counts) {
			counts = append(counts, 0)
		}
		counts[r-1]++
	}
	return counts
}

// TestSpecies: from a sample of 20,000, how many values a population ten times
// as large has.
func TestSpecies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	zipf := rand.NewZipf(r, 1.3, 10, 1<<40)
	for _, v := range []struct {
		name      string
		draw      func() int
		tolerance float64
	}{
		{"a stock of 5,000", func() int { return r.IntN(5000) }, 0.02},
		{"a stock of 50,000", func() int { return r.IntN(50000) }, 0.05},
		{"all different", func() int { return int(r.Int64()) }, 0.001},
		{"power law", func() int { return int(zipf.Uint64()) }, 0.25},
	} {
		s := fitSpecies(countsOf(20000, v.draw), 1<<20)
		population := map[int]bool{}
		for range 200000 {
			population[v.draw()] = true
		}
		got := s.values(10)
		want := float64(len(population))
		if math.Abs(got/want-1) > v.tolerance {
			t.Errorf("%s: %.0f values, want %.0f (discount %.3f, strength %.1f)", v.name, got, want, s.discount, s.strength)
		}
		if g := s.groupSize(10); g < 1 {
			t.Errorf("%s: groups of %f", v.name, g)
		}
		for _, n := range []float64{1, 2, 10, 1e6} {
			if p := s.stays(n); p < 0 || p > 1 {
				t.Errorf("%s: stays(%v) = %f", v.name, n, p)
			}
		}
	}
}

// TestSpeciesNothingRare: values that are met in every run repeat for ever.
func TestSpeciesNothingRare(t *testing.T) {
	s := fitSpecies([]float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5}, 16)
	if s.stays(16) != 1 || s.groupSize(100) != 1 {
		t.Errorf("%+v: stays %f", s, s.stays(16))
	}
}
