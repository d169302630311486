package index

import "github.com/wtsize/wtsize/estimate/keystring"

// Sizes of what is built for an estimate, in entries of the population where
// nothing else is said.
const (
	windowEntries = 3000    // in a window, at least
	windowPages   = 3       // about, in a window, at least
	longPages     = 10      // the same where keys follow the order of insertion
	margin        = 8       // of the sample, beyond each end: copies of them may fall inside
	mostWindows   = 48      //
	leastWindows  = 4       //
	windowBudget  = 60_000  // made for a window
	coarseBudget  = 150_000 // the same for a population over a thousand samples
	windowBytes   = 24 << 20
	leastMade     = 64
	mainBudget    = 160_000 // made for an estimate
	hereBudget    = 60_000  // made for that of the sample itself
	halfBudget    = 20_000  // made for that of a half-sample
)

// A window is a stretch of an index at the population's density.
type window struct {
	entries      float64
	pages        float64 // leaf pages, the last one as a share
	pageDisk     float64 // of a leaf page, mean
	separator    float64 // key bytes per leaf page, mean
	overflowDisk float64
	size         float64 // of the file, where this is all of it
}

// windows builds stretches spread evenly over the sample's key order, of budget
// entries in all.
func (c *cloner) windows(cfg Config, budget float64) ([]window, error) {
	n := len(c.all)
	core := max(1, int(float64(c.room.entries)/c.factor))
	made := min(float64(c.room.made), float64(core+core/2+2*margin)*c.factor)
	if l := c.clumps[len(c.clumps)/2]; c.long(&l) {
		made = float64((longPages + 4) * c.room.page)
	}
	count := max(leastWindows, min(mostWindows, int(budget/made)))
	if count*core >= n || float64(n)*c.factor <= budget {
		w, err := c.window(cfg, 0, len(c.clumps))
		return []window{w}, err
	}
	var out []window
	step := float64(n) / float64(count)
	start := c.rng.Float64() * step
	b := 0
	for i := range count {
		at := int(start + float64(i)*step)
		for b+1 < len(c.clumps) && c.clumps[b+1].first <= at {
			b++
		}
		end := b + 1
		for end < len(c.clumps) && c.clumps[end-1].last-c.clumps[b].first+1 < core {
			end++
		}
		w, err := c.window(cfg, b, end)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// A room is how many entries a page holds, roughly, how many a window has and how
// many are made for it: fewer where keys are long.
type room struct{ page, entries, made int }

func (l *lineage) room(cfg Config, factor float64) room {
	var whole, stored int
	for i := range l.all {
		n := int(l.all[i].key) + int(l.all[i].record)
		whole += n
		stored += n - int(l.shared[i])
	}
	n := max(1, len(l.all))
	r := room{page: int(cfg.Table.LeafPageMax)/(stored/n+3) + 1, made: windowBudget} // and 3 of cells
	r.entries = max(windowEntries, windowPages*r.page)
	if factor > 1000 {
		r.made = coarseBudget
	}
	r.made = max(leastMade, min(r.made, windowBytes/(whole/n+1)))
	r.entries = max(leastMade, min(r.entries, r.made/2))
	return r
}

// window builds the stretch that clumps from..to stand for.
func (c *cloner) window(cfg Config, from, to int) (window, error) {
	whole := from == 0 && to == len(c.clumps)
	if b := &c.clumps[from]; !whole && c.long(b) {
		return c.longWindow(cfg, b)
	}
	low, high := from, to
	for low > 0 && c.clumps[from].first-c.clumps[low].first < margin {
		low--
	}
	core := c.clumps[to-1].last - c.clumps[from].first + 1
	built := core/2 + int(float64(c.room.entries/2)/c.factor) + 1
	beyond := max(margin, built)
	for high < len(c.clumps) && c.clumps[high-1].last-c.clumps[to-1].last < beyond {
		high++
	}
	made := c.clumps[high-1].last - c.clumps[low].first + 1
	factor := min(c.factor, 1+float64(c.room.made)/float64(made))
	if whole {
		factor = c.factor
	}
	c.start()
	if !whole {
		c.low, c.high = c.bound(from), c.bound(c.behind(to, built))
	}
	for i := low; i < high; i++ {
		c.original(&c.clumps[i])
	}
	for i := low; i < high; i++ {
		c.copies(i, factor-1)
	}
	c.made.sort()
	return c.build(cfg, c.bound(from), c.bound(to))
}

// behind is the clump that begins n entries or more behind clump b.
func (c *cloner) behind(b, n int) int {
	for first := c.clumps[b-1].last + 1; b < len(c.clumps) && c.clumps[b].first < first+n; {
		b++
	}
	return b
}

// start empties the list of entries made.
func (c *cloner) start() {
	c.made.reset()
	c.unitAt, c.unitSize, c.owed = 0, 0, c.rng.Float64()
	clear(c.taken)
	c.low, c.high = nil, nil
}

// original emits a clump's own entries.
func (c *cloner) original(b *clump) {
	for k := b.first; k <= b.last; k++ {
		c.put(k, c.key(k), c.place(&c.all[k]))
		before := uint32(0)
		for _, end := range c.s.endsOf(&c.all[k]) {
			if end > before {
				c.claim(c.key(k)[:end])
			}
			before = end
		}
	}
}

// long reports whether what a run in the order of the collection stands for
// fills many windows, so that its ends hardly count.
func (c *cloner) long(b *clump) bool {
	n := float64(b.last - b.first + 1)
	return c.ordered(b) && n*c.factor > 4*float64(c.room.entries)
}

// longWindow builds a stretch inside what one run stands for.
func (c *cloner) longWindow(cfg Config, b *clump) (window, error) {
	n := b.last - b.first + 1
	start := c.rng.IntN(n)
	c.start()
	c.original(b)
	c.open(b)
	stop := start + (longPages+1)*c.room.page
	for c.made.len() < stop+3*c.room.page {
		before := c.made.len()
		if c.tile(b); c.made.len() == before {
			break // no room for longer keys
		}
	}
	return c.buildFrom(cfg, start, stop)
}

// build builds the entries from the one of order first to that of order last,
// nil for all. It starts somewhere among them and goes on as far behind last,
// to the end of a page: where pages begin must not depend on where the sample
// has its runs.
func (c *cloner) build(cfg Config, first, last []byte) (window, error) {
	start, stop := 0, c.made.len()
	if first != nil {
		start = c.made.find(first)
	}
	if last != nil {
		stop = c.made.find(last)
		shift := c.rng.IntN(max(1, (stop-start)/2))
		start, stop = start+shift, stop+shift
	}
	return c.buildFrom(cfg, start, stop)
}

// buildFrom builds the entries from start on. The first page is not counted: it
// begins anywhere, where others begin behind one that was full. The page that
// holds the entry at stop is built to its end, as it can only be told then how
// large a share of it lies before: to count it whole would prefer pages that hold
// much, and to count its bytes so far would take its beginning for the rest.
func (c *cloner) buildFrom(cfg Config, start, stop int) (window, error) {
	b := NewBuilder(cfg)
	counted, begun, share := start, start, 0.0
	for i := start; i < c.made.len(); i++ {
		pages := b.pages()
		e := &c.made.list[i]
		b.Add(c.made.keyOf(e), c.made.valueOf(e))
		if b.pages() == pages {
			continue
		}
		if pages == 0 && start > 0 {
			counted = i
			stop = max(stop, counted+(stop-start)/2)
		} else if i >= stop {
			share = float64(stop-begun) / float64(i-begun)
			break
		}
		begun = i
	}
	f, err := b.Finish()
	w := measure(cfg, f)
	if c.grower != nil && c.grower.room() {
		c.grower.stretch(c.made, c.s.gen.RecordInKey(), start, min(stop, c.made.len()))
	}
	if c.recent != nil && err == nil {
		err = c.recent.stretch(c.made, c.s.gen.RecordInKey(), start, min(stop, c.made.len()))
	}
	if start == 0 && stop == c.made.len() {
		w.size = float64(f.Size)
	}
	if share > 0 { // the last page of the file has one entry, of no concern
		w.pages = float64(f.LeafPages-2) + share
		if counted > start {
			w.pages--
		}
		w.entries = float64(stop - counted)
		w.overflowDisk *= w.entries / float64(f.Entries)
	}
	return w, err
}

// place is where a sampled entry's document lies in the population, from 0.
func (c *cloner) place(o *sampled) float64 {
	r := &c.s.runs[o.run]
	if r.recordID > 0 {
		return float64(r.recordID-1) + float64(o.doc)
	}
	return r.position*c.docs + float64(o.doc)
}

// bound is the table key of the first entry of a block.
func (c *cloner) bound(b int) []byte {
	if b == 0 || b == len(c.clumps) {
		return nil
	}
	o := &c.all[c.clumps[b].first]
	key, _ := c.s.gen.Place(nil, nil, keystring.Entry{Key: c.s.keyOf(o), Record: c.recordID(o, c.place(o))})
	return key
}

// measure takes the pages of a stretch but for the last one, which counts by how
// full it is, against the others.
func measure(cfg Config, f File) window {
	full := f.LeafPages - 1
	image := float64(cfg.Table.NewSplit(cfg.Table.LeafStart()).Size)
	w := window{entries: float64(f.Entries), overflowDisk: float64(f.OverflowDisk)}
	w.pageDisk = float64(cfg.Table.LeafPageMax)
	if full > 0 {
		image = float64(f.LeafImages-f.LastImage) / float64(full)
		w.pageDisk = float64(f.LeafDisk-f.LastDisk) / float64(full)
		w.separator = float64(f.Separators) / float64(f.LeafPages)
	}
	w.pages = float64(full) + min(1, float64(f.LastImage)/image)
	return w
}
