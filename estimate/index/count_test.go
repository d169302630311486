package index

import (
	"math"
	"testing"
)

// TestCount: long documents have more entries, and a sample has too many of them
// by its bytes; documents and bytes of the population are known.
func TestCount(t *testing.T) {
	all := func(int32) bool { return true }
	s := &Sample{runs: []sampledRun{{}}} // one that nothing was seen of
	for i := range 16 {
		short, long := int64(100-6*i), int64(2*i)
		s.runs = append(s.runs, sampledRun{docs: int32(short + long), bytes: 100*short + 300*long, made: short + 3*long})
	}
	pop := Population{Documents: 10_000 + 1000, Bytes: 100*10_000 + 300*1000}
	if got := s.count(pop, all); math.Abs(got-13_000) > 1e-6 {
		t.Errorf("%f entries, want 13,000", got)
	}
	for name, few := range map[string]func(int32) bool{
		"few runs": func(run int32) bool { return run <= 7 },
		"no runs":  func(run int32) bool { return run == 0 },
	} {
		var docs, made float64
		for i, r := range s.runs {
			if few(int32(i)) {
				docs, made = docs+float64(r.docs), made+float64(r.made)
			}
		}
		if got, want := s.count(pop, few), 11_000*made/max(1, docs); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %f entries, want %f", name, got, want)
		}
	}
	pop.Bytes = 0
	if got := s.count(pop, all); got < 14_000 {
		t.Errorf("%f entries by documents alone: of these the sample has too long ones", got)
	}
}

// TestCountPlain: with one entry a document the number is exact.
func TestCountPlain(t *testing.T) {
	s := &Sample{}
	for i := range int64(50) {
		s.runs = append(s.runs, sampledRun{docs: int32(100 + i%7), bytes: 500_000 + i*i, made: 100 + i%7})
	}
	got := s.count(Population{Documents: 123_456_789, Bytes: 1e12}, func(int32) bool { return true })
	if math.Round(got) != 123_456_789 {
		t.Errorf("%f entries", got)
	}
}

// TestProjected: where documents were projected, some of the runs give others.
func TestProjected(t *testing.T) {
	s := &Sample{runs: []sampledRun{{docs: 10, bytes: 1000}, {docs: 30, bytes: 1000}}}
	second := func(run int32) bool { return run == 1 }
	for _, v := range []struct {
		pop  Population
		want int64
	}{
		{Population{Documents: 2000, Bytes: 100_000, Projected: true}, 3000},
		{Population{Documents: 2000, Bytes: 100_000}, 2000},
		{Population{Documents: 2000, Projected: true}, 2000},
	} {
		if got := s.projected(v.pop, second).Documents; got != v.want {
			t.Errorf("%+v: %d documents, want %d", v.pop, got, v.want)
		}
	}
}
