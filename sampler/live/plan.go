package live

// plan divides a goal into runs, one in each of as many equal parts (strata) of
// the collection.
type plan struct {
	runs  int64
	goal  int64
	tops  int64   // commands left for runs that came out short
	width float64 // a run's share of the collection, 0 when not known
	slow  int     // runs in a row that took too long
}

func newPlan(r *reading) *plan {
	p := &plan{runs: r.wantedRuns(), goal: r.goal}
	p.tops = p.runs
	if r.f.Size > 0 {
		p.width = float64(r.goal) / float64(p.runs) / float64(r.f.Size)
	}
	return p
}

// shrink makes do with fewer places to start from: runs become fewer and longer.
func (p *plan) shrink(places int64) {
	if places < p.runs {
		places = max(places, 1)
		p.width *= float64(p.runs) / float64(places)
		p.runs, p.tops = places, places
	}
}

// draw gives a share of the collection within stratum i, such that a run from
// there on ends within the stratum where it can.
func (p *plan) draw(r *reading, i int64) float64 {
	stratum := 1 / float64(p.runs)
	room := max(stratum-p.width, 0)
	return float64(i)*stratum + r.rng.Float64()*room
}

// target is the size of run i: what is left, spread over the runs that are left,
// so that large documents early on shorten later runs and do not end the read.
func (p *plan) target(r *reading, i int64) int64 {
	even := p.goal / p.runs
	left := (p.goal - r.end.Bytes) / max(p.runs-i, 1)
	return min(max(left, even/2, 1), even)
}

// topUp says whether a run that has got bytes of target is worth another
// command: one under four fifths is, while there are commands left.
func (p *plan) topUp(got, target int64) bool {
	if got*5 >= target*4 || p.tops == 0 {
		return false
	}
	p.tops--
	return true
}

// slowMost is how many runs in a row may exceed maxTimeMS before reading ends.
const slowMost = 3

// pass says whether to go on after a run that failed: one that took too long is
// left out, unless the ones before it were, too.
func (p *plan) pass(err error) bool {
	if err == nil {
		p.slow = 0
		return true
	}
	if codeOf(err) != codeMaxTimeMSExpired {
		return false
	}
	p.slow++
	return p.slow <= slowMost
}
