package reconcile

import "github.com/wtsize/wtsize/estimate/wt"

// Encode puts records on one page, however many there are. It is for sampled
// neighbours, whose place in the engine's pages nobody knows. bytes is how long
// their values are together.
func Encode(r wt.Release, n, bytes int, next func(i int) (key []byte, w wt.TimeWindow, value []byte)) *Page {
	p := Pager{limit: 1 << 62, most: 1 << 62, release: r, skip: wt.NewSkipList(), page: &Page{}}
	p.page.Cells = make([]byte, 0, bytes+n*recordRoom)
	p.page.Ends = make([]int32, 0, n)
	for i := range n {
		key, w, value := next(i)
		p.Add(key, w, value) // below the limit nothing is emitted and nothing fails
	}
	return p.page
}

// recordRoom is about what a record's cells take beside its value.
const recordRoom = 12
