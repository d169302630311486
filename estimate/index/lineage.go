package index

import "bytes"

// A clump is a piece of one run that stays together in key order. In a key that
// follows the order of insertion it is a whole run; in a random key, one entry;
// of a value that repeats, the entries that one run has of it.
type clump struct {
	first, last int     // entries, in key order
	apart       int     // leading key bytes shared with the nearest entry of another run
	within      int     // leading key bytes that all its entries share
	met         []int32 // per level it shares: in how many runs the value was met
}

// A lineage is a sorted sample in blocks, with what is known of how the values
// at each level (first component, first two, ...) repeat.
type lineage struct {
	s           *Sample
	all         []sampled // in key order
	shared      []int32   // key bytes shared with the entry before; a whole key if equal
	clumps      []clump
	species     []species // per level
	sampledRuns int       // that have entries here
	steps       []float64 // distances, in shares of the collection, between meetings of one value
}

// newLineage takes entries in key order.
func newLineage(s *Sample, part []sampled) *lineage {
	l := &lineage{s: s, all: part}
	l.shared = make([]int32, len(l.all))
	for i := 1; i < len(l.all); i++ {
		l.shared[i] = int32(commonPrefix(l.key(i-1), l.key(i)))
	}
	seen := make([]bool, len(s.runs))
	for i := range l.all {
		if r := l.all[i].run; !seen[r] {
			seen[r] = true
			l.sampledRuns++
		}
	}
	l.cut()
	l.meet()
	return l
}

func (l *lineage) key(i int) []byte { return l.s.keyOf(&l.all[i]) }

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// same reports whether entry i has the key of the one before.
func (l *lineage) same(i int) bool {
	return int(l.shared[i]) == len(l.key(i)) && bytes.Equal(l.key(i-1), l.key(i))
}

// leastOrdered is how many entries of a run must stand together to tell how one
// follows the other: two or three that do are often closer than is usual.
const leastOrdered = 4

// cut makes the clumps.
func (l *lineage) cut() {
	ordered := l.follows()
	for at := 0; at < len(l.all); {
		end := at + 1
		for end < len(l.all) && l.all[end].run == l.all[at].run {
			end++
		}
		if ordered && end-at >= leastOrdered {
			l.clump(at, end, at, end)
			at = end
			continue
		}
		for first := at; at < end; { // values that happen to stand together
			next := at + 1
			for next < end && l.same(next) {
				next++
			}
			l.clump(at, next, first, end)
			at = next
		}
	}
}

// clump adds entries at..end, of the entries first..behind of one run.
func (l *lineage) clump(at, end, first, behind int) {
	b := clump{first: at, last: end - 1, within: len(l.key(at))}
	for i := at + 1; i < end; i++ {
		b.within = min(b.within, int(l.shared[i]))
	}
	if first > 0 {
		b.apart = commonPrefix(l.key(first-1), l.key(at))
	}
	if behind < len(l.all) {
		b.apart = max(b.apart, commonPrefix(l.key(end-1), l.key(behind)))
	}
	l.clumps = append(l.clumps, b)
}

// follows reports whether keys follow the order of the collection, at least
// piecewise: entries of a run that stand together are then in the order of its
// documents, or close to it, and nothing of another run comes between.
func (l *lineage) follows() bool {
	var up, down, close float64
	for i := 1; i < len(l.all); i++ {
		a, b := &l.all[i-1], &l.all[i]
		if a.run != b.run || l.same(i) {
			continue
		}
		step := b.doc - a.doc
		switch reach := l.s.runs[a.run].docs / 20; {
		case step >= -reach && step <= reach:
			close++
		case step > 0:
			up++
		default:
			down++
		}
	}
	return max(up, down)+close > 0.8*(up+down+close) && up+down+close > 0
}

// meet counts, for every level, in how many runs each value was met.
func (l *lineage) meet() {
	levels := 0
	for i := range l.all {
		levels = max(levels, int(l.all[i].levels))
	}
	for level := range levels {
		counts := l.countLevel(level)
		l.species = append(l.species, fitSpecies(counts, l.sampledRuns))
	}
}

// countLevel visits the groups of entries that share their first components.
func (l *lineage) countLevel(level int) (counts []float64) {
	stamp := make([]int32, len(l.s.runs))
	group := int32(0)
	b := 0
	for at := 0; at < len(l.all); {
		end := l.groupEnd(at, level)
		group++
		met := int32(0)
		before := float64(-1)
		for i := at; i < end; i++ {
			if run := l.all[i].run; stamp[run] != group {
				stamp[run] = group
				met++
				if p := l.s.runs[run].position; before >= 0 {
					l.steps = append(l.steps, max(p-before, before-p))
				}
				before = l.s.runs[run].position
			}
		}
		for int(met) > len(counts) {
			counts = append(counts, 0)
		}
		counts[met-1]++
		for ; b < len(l.clumps) && l.clumps[b].first < end; b++ {
			k := &l.clumps[b]
			e := &l.all[k.first]
			if level < int(e.levels) && int(l.s.endsOf(e)[level]) <= k.within {
				k.met = append(k.met, met)
			}
		}
		at = end
	}
	return counts
}

// groupEnd is the end of the group of entries that share the components up to
// and including level with entry at.
func (l *lineage) groupEnd(at, level int) int {
	e := &l.all[at]
	n := int(e.key)
	if level < int(e.levels) {
		n = int(l.s.endsOf(e)[level])
	}
	end := at + 1
	for end < len(l.all) && int(l.shared[end]) >= n {
		end++
	}
	return end
}
