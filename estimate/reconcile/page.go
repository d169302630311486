package reconcile

import "github.com/wtsize/wtsize/estimate/wt"

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

// Start is where record i begins in Cells.
func (p *Page) Start(i int) int {
	if i == 0 {
		return 0
	}
	return int(p.Ends[i-1])
}
