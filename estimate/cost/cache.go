package cost

// usable is the share of the cache that holds pages in the long run: eviction
// starts at eviction_target, 80 % of the configured size. A cache of 512 MB was
// seen to settle at 411 to 448 MB. WiredTiger: src/conn/conn_api.c,
// eviction_target.
const usable = 0.8

// WorkingSet is the cache that the documents read need: their bytes in the page
// images and the bookkeeping per record, and their share of the _id index.
//
// It takes the documents of the working set to be neighbours. Where they are
// scattered, whole pages come with them: see Table.PagesTouched.
func (m Model) WorkingSet(t Table, l Load) float64 {
	share := l.workingSet()
	data := t.ImageBytes() + float64(t.Count)*m.CPU.PerRecordCacheBytes
	index := float64(m.IDLeaf.Pages) * m.IDLeaf.ImageBytes
	return share * (data + index)
}

func (l Load) workingSet() float64 {
	if l.WorkingSet <= 0 || l.WorkingSet > 1 {
		return 1
	}
	return l.WorkingSet
}

// Misses is how many data pages a read of the working set has to fetch, between
// 0 and 1. Without skew every document is equally likely to be in cache. With
// skew the hot documents stay in cache as far as they fit, and the others
// share what is left.
func (m Model) Misses(workingSet float64, l Load) float64 {
	room := usable * float64(m.CacheBytes)
	if l.HotData <= 0 || l.HotReads <= 0 || l.HotData >= 1 {
		return missing(room, workingSet)
	}
	hot := l.HotData * workingSet
	hotReads := min(l.HotReads, 1)
	return hotReads*missing(room, hot) + (1-hotReads)*missing(room-hot, workingSet-hot)
}

// missing is the share of a set that does not fit into the room there is.
func missing(room, set float64) float64 {
	if set <= 0 || room >= set {
		return 0
	}
	return 1 - max(room, 0)/set
}
