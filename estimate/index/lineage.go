package index

import "math"

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
func newLineage(s *Sample, all []sampled) *lineage {
	l := &lineage{s: s, all: all, shared: make([]int32, len(all))}
	for i := 1; i < len(all); i++ {
		l.shared[i] = int32(commonPrefix(l.key(i-1), l.key(i)))
	}
	return l.know()
}

// part is the lineage of the entries of some runs.
func (l *lineage) part(has func(run int32) bool) *lineage {
	p := &lineage{s: l.s}
	least := int32(math.MaxInt32) // shared since the last one taken
	for i := range l.all {
		least = min(least, l.shared[i])
		if has(l.all[i].run) {
			p.all, p.shared = append(p.all, l.all[i]), append(p.shared, least)
			least = math.MaxInt32
		}
	}
	if len(p.all) > 0 {
		p.shared[0] = 0
	}
	return p.know()
}

// know finds out what a lineage is to know of its entries.
func (l *lineage) know() *lineage {
	s := l.s
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
	return l.shared[i] == int32(l.all[i].key) && l.all[i-1].key == l.all[i].key
}

// leastOrdered is how many entries of a run must stand together to tell how one
// follows the other: two or three that do are often closer than is usual.
const leastOrdered = 4

// cut makes the clumps.
func (l *lineage) cut() {
	ordered := l.follows()
	if !ordered {
		l.clumps = make([]clump, 0, l.most())
	}
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

// most is how many clumps there are where keys do not follow the order.
func (l *lineage) most() (n int) {
	for i := range l.all {
		if i == 0 || !l.same(i) || l.all[i].run != l.all[i-1].run {
			n++
		}
	}
	return n
}

// clump adds entries at..end, of the entries first..behind of one run.
func (l *lineage) clump(at, end, first, behind int) {
	b := clump{first: at, last: end - 1, within: len(l.key(at))}
	for i := at + 1; i < end; i++ {
		b.within = min(b.within, int(l.shared[i]))
	}
	if first > 0 {
		b.apart = l.common(first-1, at)
	}
	if behind < len(l.all) {
		b.apart = max(b.apart, l.common(end-1, behind))
	}
	l.clumps = append(l.clumps, b)
}

// common is how many leading bytes two entries share.
func (l *lineage) common(a, b int) int {
	if b == a+1 {
		return int(l.shared[b])
	}
	return commonPrefix(l.key(a), l.key(b))
}

// follows reports whether keys follow the order of the collection, at least
// piecewise: entries of a run that stand together are then in the order of its
// documents, or close to it, and nothing of another run comes between. Several
// entries of one document, such as the words of an array, tell nothing of that,
// and of a value's entries the first one counts: from its last one to the next
// value it goes back where values repeat.
func (l *lineage) follows() bool {
	var up, down, close float64
	first := 0 // entry of the value before in its run
	for i := 1; i < len(l.all); i++ {
		a, b := &l.all[first], &l.all[i]
		if a.run == b.run && l.same(i) {
			continue
		}
		same := l.same(i)
		first = i
		if a.run != b.run || same || a.doc == b.doc {
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
	met := make([]int32, levels*len(l.clumps))
	for i := range l.clumps {
		l.clumps[i].met = met[i*levels : i*levels : (i+1)*levels]
	}
	for level := range levels {
		if level > 0 && l.alike(level) {
			l.species = append(l.species, l.species[level-1])
			continue
		}
		l.species = append(l.species, fitSpecies(l.countLevel(level), l.sampledRuns))
	}
}

// alike reports whether a level ends where the one before does in all entries, as
// those of a component without parts do, and then takes over what is known.
func (l *lineage) alike(level int) bool {
	for i := range l.all {
		ends := l.s.endsOf(&l.all[i])
		if level < len(ends) && ends[level] != ends[level-1] || level == len(ends) {
			return false
		}
	}
	for i := range l.clumps {
		if k := &l.clumps[i]; len(k.met) == level && level < int(l.all[k.first].levels) {
			k.met = append(k.met, k.met[level-1])
		}
	}
	return true
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
