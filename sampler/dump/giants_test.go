package dump

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// withGiants is a file of small documents with large ones at some of them.
func withGiants(bytes int, giants map[int]int) []byte {
	return filled(bytes, func(i int) int {
		if n := giants[i]; n > 0 {
			return n
		}
		return 200 + i*7919%300
	})
}

// giantBudget makes giants of what is larger than 256 KiB.
var giantBudget = sampler.Budget{Bytes: 8 << 20, RunBytes: 64 << 10}

// TestDrawGiants: what is found is one of the giants, whole; what all of them
// stand for is right in the mean; no run delivers one.
func TestDrawGiants(t *testing.T) {
	sizes := map[int]int{20_000: 3 << 20, 50_000: 1 << 20, 50_001: 700 << 10, 90_000: 6 << 20, 120_000: 300 << 10}
	data := withGiants(64<<20, sizes)
	var total float64
	ends := map[int64]int64{}
	all := boundaries(data)
	for i, at := range all[:len(all)-1] {
		if n := all[i+1] - at; n > 256<<10 {
			ends[at], total = all[i+1], total+float64(n)
		}
	}
	const seeds = 40
	var found, mean, squares float64
	for seed := range uint64(seeds) {
		s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
		b := giantBudget
		rng := rand.New(rand.NewPCG(seed, 5))
		plan := planFor(b, s.mean)
		giants, held := s.drawGiants(b, plan.width, rng)
		if len(giants) > 1 && held > b.Bytes/giantShare {
			t.Fatalf("seed %d: %d bytes of giants", seed, held)
		}
		stands := 0.0
		for _, g := range giants {
			if ends[g.at] != g.end {
				t.Fatalf("seed %d: %d to %d is none of the giants", seed, g.at, g.end)
			}
			stands += float64(g.stands)
		}
		found += float64(len(s.giants))
		mean += stands / seeds
		squares += stands * stands / seeds
		if seed > 3 {
			continue
		}
		var end sampler.End
		if _, err := s.readAll(t.Context(), plan, nil, rng, noGiants{t}, &end); err != nil || end.Fault != nil {
			t.Fatal(err, end.Fault)
		}
	}
	deviation := math.Sqrt((squares - mean*mean) / seeds)
	t.Logf("%.1f of %d giants found, for %.0f ± %.0f of %.0f bytes", found/seeds, len(ends), mean, deviation, total)
	if math.Abs(mean-total) > 3.5*deviation || found == 0 {
		t.Errorf("giants of %.0f bytes are stood for by %.0f ± %.0f in the mean", total, mean, deviation)
	}
}

type noGiants struct{ t *testing.T }

func (noGiants) Run(sampler.Run) error { return nil }
func (n noGiants) Document(doc []byte) error {
	if len(doc) > 256<<10 {
		n.t.Errorf("a run delivers a document of %d bytes", len(doc))
	}
	return nil
}

// The only giant of the largest size is found by every seed, and stands for
// about itself: it is missed by none of the probes but those near its end.
func TestOneGiant(t *testing.T) {
	data := withGiants(48<<20, map[int]int{70_000: 16 << 20})
	for seed := range uint64(20) {
		s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
		giants, _ := s.drawGiants(giantBudget, planFor(giantBudget, s.mean).width, rand.New(rand.NewPCG(seed, 6)))
		if len(giants) != 1 || giants[0].end-giants[0].at != 16<<20 || giants[0].stands != 16<<20 {
			t.Errorf("seed %d: %+v", seed, giants)
		}
	}
}

// Where all boundaries are known, all giants are.
func TestGiantsOfFewDocuments(t *testing.T) {
	data := filled(40<<20, func(i int) int {
		if i%50 == 7 {
			return 2 << 20
		}
		return 20_000
	})
	s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
	giants, held := s.drawGiants(giantBudget, 64<<10, rand.New(rand.NewPCG(1, 7)))
	stands := int64(0)
	for _, g := range giants {
		stands += g.stands
	}
	number := int64(len(data) / (2<<20 + 49*20_000))
	if !s.Exact || held > giantBudget.Bytes/giantShare || stands/(2<<20) < number-1 || stands/(2<<20) > number+1 {
		t.Errorf("%d giants stand for %d MiB; there are about %d of 2 MiB; exact %v", len(giants), stands>>20, number, s.Exact)
	}
}

// Documents in a row inside a giant are not taken for giants, nor for its end.
func TestGiantOfDocuments(t *testing.T) {
	inner := func(i int) any { return bson.D{{Key: "_id", Value: i}, {Key: "x", Value: "some text in here"}} }
	giant := nested(t, 60_000, inner)
	data := append(append(filled(12<<20, func(int) int { return 300 }), giant...), filled(12<<20, func(int) int { return 300 })...)
	for seed := range uint64(20) {
		s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
		giants, _ := s.drawGiants(giantBudget, 64<<10, rand.New(rand.NewPCG(seed, 8)))
		for _, g := range giants {
			if g.end-g.at != int64(len(giant)) {
				t.Errorf("seed %d: a giant of %d bytes, not of %d", seed, g.end-g.at, len(giant))
			}
		}
	}
}
