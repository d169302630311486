package reconcile

import "github.com/wtsize/wtsize/estimate/wt"

// Encode puts records on one page, however many there are. It is for sampled
// neighbours, whose place in the engine's pages nobody knows.
func Encode(r wt.Release, n int, next func(i int) (key []byte, w wt.TimeWindow, value []byte)) *Page {
	p := Pager{limit: 1 << 62, most: 1 << 62, release: r, skip: wt.NewSkipList(), page: &Page{}}
	for i := range n {
		key, w, value := next(i)
		p.Add(key, w, value) // below the limit nothing is emitted and nothing fails
	}
	return p.page
}
