package reconcile

import (
	"slices"

	"github.com/wtsize/wtsize/estimate/wt"
)

// A Page is one in-memory leaf page: its records as encoded cells.
type Page struct {
	Cells     []byte
	Ends      []int32 // end of each record in Cells
	Footprint int64   // bytes in the engine's cache
	// Documents and Window are the parts of Cells that are BSON and time
	// window fields.
	Documents, Window int64
	// Fresh: this page starts the tree; else its first key is in its parent.
	Fresh bool
	// Tail, where there is any, says that the page was forced out: it is written
	// before its turn, and these cells behind its own as the last image. They are
	// read back and begin the next page, with which they are written once more.
	Tail []byte

	windows []wt.TimeWindow // one a record, or none at all
}

// Windows bounds the time windows of a chunk of the page.
func (p *Page) Windows(c Chunk) (a wt.TimeAggregate) {
	if len(p.windows) > 0 {
		for _, w := range p.windows[c.First : c.First+c.Records] {
			a.Add(w)
		}
	}
	return a
}

// Records is the number of records on the page.
func (p *Page) Records() int { return len(p.Ends) }

// Value is the document of record i, a part of Cells.
func (p *Page) Value(i int) []byte {
	cells := p.Cells[p.Start(i):p.Ends[i]]
	return wt.LeafValue(cells[wt.KeyCellLen(0, len(wt.LeafKey(cells))):])
}

// Forced reports whether the page is written before its turn.
func (p *Page) Forced() bool { return len(p.Tail) > 0 }

// window is how many bytes of record i are time window fields.
func (p *Page) window(i int) int64 {
	cells, value := p.Cells[p.Start(i):p.Ends[i]], len(p.Value(i))
	return int64(len(cells) - wt.KeyCellLen(0, len(wt.LeafKey(cells))) - wt.ValueHeadLen(value) - value)
}

// take moves the records of another page from number at on to p, which is empty.
// Both go on using the same array. Footprints are the caller's.
func (p *Page) take(from *Page, at int) {
	start := from.Start(at)
	p.Cells = slices.Clip(from.Cells[start:])
	p.Ends = make([]int32, 0, from.Records()+from.Records()/8)
	for i, end := range from.Ends[at:] {
		p.Ends = append(p.Ends, end-int32(start))
		document, window := int64(len(from.Value(at+i))), from.window(at+i)
		p.Documents, from.Documents = p.Documents+document, from.Documents-document
		p.Window, from.Window = p.Window+window, from.Window-window
	}
	if len(from.windows) > 0 {
		p.windows = append(p.windows, from.windows[at:]...)
		from.windows = from.windows[:at]
	}
	from.Cells, from.Ends = from.Cells[:start], from.Ends[:at]
}

// Start is where record i begins in Cells.
func (p *Page) Start(i int) int {
	if i == 0 {
		return 0
	}
	return int(p.Ends[i-1])
}
