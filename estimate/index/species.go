package index

import "math"

// species describes how values repeat: a two-parameter (Pitman-Yor) urn, fitted
// to how often each value was met in the sample.
//
// In units of meetings of a value in a run: after n meetings of k values, the
// next one is of a value met r times with probability (r - discount)/(n +
// strength), else new. A discount between 0 and 1 makes ever more values, as a
// power of n (names, words); 1 makes every value new (ids); a negative one
// stands for a fixed stock of values, -strength/discount of them, about equally
// frequent (states, users).
//
// J. Pitman, "Combinatorial Stochastic Processes" (2006), section 3.2.
//
// Only values met seldom are taken for such draws. Those met in many of the runs
// keep the share they have.
type species struct {
	discount, strength float64
	n, k               float64 // meetings and values in the sample, of the rare
	rare               int     // met at most so often
}

// fitSpecies takes how many values were met in one run, two, ...: counts[r-1].
func fitSpecies(counts []float64, runs int) species {
	s := species{rare: max(2, min(10, runs/3))}
	counts = counts[:min(len(counts), s.rare)]
	for i, f := range counts {
		s.n += float64(i+1) * f
		s.k += f
	}
	if s.k == s.n {
		s.discount = 1 // nothing repeats
		return s
	}
	best := math.Inf(-1)
	try := func(d, t float64) {
		if l := s.likelihood(counts, d, t); l > best {
			best, s.discount, s.strength = l, d, t
		}
	}
	for _, d := range []float64{0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999} {
		for t := 0.1; t < 1e9; t *= 2 {
			try(d, t)
		}
	}
	for shape := 0.1; shape < 2000; shape *= 2 { // of the frequencies of a fixed stock
		for m := s.k; m < 1e9; m *= 1.3 {
			try(-shape, m*shape)
		}
	}
	s.refine(try)
	return s
}

// refine walks from the best point of the grid with ever shorter steps.
func (s *species) refine(try func(d, t float64)) {
	for step := 0.5; step > 0.01; step /= 1.6 {
		d, t := s.discount, s.strength
		for _, f := range []float64{1 - step, 1, 1 + step} {
			for _, g := range []float64{1 - step, 1, 1 + step} {
				if d < 0 {
					m := max(s.k, t/-d*g)
					try(d*f, m*-d*f)
					continue
				}
				try(1-min(1, (1-d)*f), t*g)
			}
		}
	}
}

// likelihood is the log of the urn's probability of the counts.
func (s *species) likelihood(counts []float64, d, t float64) float64 {
	l := lgamma(t+1) - lgamma(t+s.n)
	switch {
	case d > 0:
		l += (s.k-1)*math.Log(d) + lgamma(t/d+s.k) - lgamma(t/d+1)
	case d == 0:
		l += (s.k - 1) * math.Log(t)
	default:
		m := t / -d
		if m < s.k {
			return math.Inf(-1)
		}
		l += (s.k-1)*math.Log(-d) + lgamma(m) - lgamma(m-s.k+1)
	}
	base := lgamma(1 - d)
	for i, f := range counts {
		if f > 0 {
			l += f * (lgamma(float64(i+1)-d) - base)
		}
	}
	if l != l {
		return math.Inf(-1)
	}
	return l
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// stays is the share of what one meeting stands for that is of the same value,
// where the value was met r times.
func (s *species) stays(r float64) float64 {
	switch {
	case r > float64(s.rare):
		return 1
	case s.discount >= 1:
		return 0
	}
	if s.discount < 0 {
		// How often a value of a stock was met says little about how often it
		// will be: all meetings keep the share that is not new.
		return min(1, (s.n-s.k*s.discount)/(s.n+s.strength))
	}
	return max(0, (r-s.discount)/r*s.n/(s.n+s.strength))
}

// groupSize is how often, on average, a value that the sample does not have is
// met in a population f times the sample.
func (s *species) groupSize(f float64) float64 {
	if s.discount >= 1 || f <= 1 {
		return 1
	}
	more := (f - 1) * s.n
	mass := more * (s.strength + s.k*s.discount) / (s.n + s.strength)
	fresh := s.values(f) - s.k
	if fresh <= 0 || mass <= fresh {
		return 1
	}
	return mass / fresh
}

// values is how many distinct values a population f times the sample has.
func (s *species) values(f float64) float64 {
	if s.discount >= 1 {
		return s.n * f
	}
	d, t, n, big := s.discount, s.strength, s.n, s.n*f
	switch {
	case math.Abs(d) < 1e-6:
		return s.k + t*(math.Log(t+big)-math.Log(t+n))
	default:
		grow := math.Exp(lgamma(t+big+d) - lgamma(t+n+d) + lgamma(t+n) - lgamma(t+big))
		return s.k + (s.k+t/d)*(grow-1)
	}
}
