package cost

import "math"

// Lookup is one step of a logical read: documents of one collection found by an
// index. An embedded design reads with one Lookup, a referenced one with one
// for each collection it has to visit.
type Lookup struct {
	Table Table
	// Index holds the leaf pages of the index that finds the documents.
	Index Class
	// Documents found by one key and read; 1 for a lookup by _id.
	Documents float64
	// Scattered: the documents found lie on pages of their own. Otherwise they
	// are neighbours and come with one page.
	Scattered bool
}

// LogicalRead is the cost of all the steps of one logical read.
type LogicalRead struct {
	// PagesRequested counts the pages asked of the cache, roots excepted.
	PagesRequested float64
	// Misses counts the data pages that were not in cache.
	Misses float64
	// Seconds added by the misses.
	Seconds float64
	// CacheBytes that the misses bring in.
	CacheBytes float64
}

// LogicalRead takes documents of all collections to be equally often read, and
// the collections to share the cache.
func (m Model) LogicalRead(steps []Lookup) LogicalRead {
	var all float64
	for _, s := range steps {
		here := m
		here.IDLeaf = s.Index
		all += here.WorkingSet(s.Table, Load{})
	}
	miss := m.Misses(all, Load{})
	var r LogicalRead
	for _, s := range steps {
		here := m
		here.IDLeaf, here.IDCached = s.Index, true
		one := here.PointRead(s.Table)
		pages := miss
		if s.Scattered {
			pages *= s.Documents
		}
		r.PagesRequested += levels(s.Index.Pages, indexFanout) + s.Documents*levels(s.Table.leafPages(), tableFanout)
		r.Misses += pages
		r.Seconds += pages * one.Seconds
		r.CacheBytes += pages * one.CacheBytes
	}
	return r
}

// Children of an internal page: 4 KB pages of a collection hold 100 to 130, the
// 16 KB pages of an index several hundred (WiredTiger 12.0.0, a million
// documents).
const (
	tableFanout = 115
	indexFanout = 700
)

// levels is how many pages a search passes below the root. Roots grow beyond
// the size of other internal pages before a level is added, hence the rounding.
func levels(leafPages int64, fanout float64) float64 {
	if leafPages < 1 {
		return 0
	}
	return max(1, math.Round(math.Log(float64(leafPages))/math.Log(fanout)))
}

func (t Table) leafPages() int64 {
	var n int64
	for _, c := range t.Leaf {
		n += c.Pages
	}
	return n
}
