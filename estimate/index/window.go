package index

import "github.com/wtsize/wtsize/estimate/keystring"

// Sizes of what is built for an estimate, in entries of the population where
// nothing else is said.
const (
	windowEntries = 3000    // in a window: several pages
	margin        = 8       // of the sample, beyond each end: copies of them may fall inside
	mostWindows   = 48      //
	leastWindows  = 6       //
	windowBudget  = 60_000  // made for a window
	coarseBudget  = 150_000 // the same for a population over a thousand samples
	windowBytes   = 24 << 20
	leastMade     = 64
	mainBudget    = 200_000 // made for an estimate
	halfBudget    = 40_000  // made for that of a half-sample
)

// A window is a stretch of an index at the population's density.
type window struct {
	entries      float64
	pages        float64 // leaf pages, the last one as a share
	pageDisk     float64 // of a leaf page, mean
	separator    float64 // key bytes per leaf page, mean
	overflowDisk float64
}

// windows builds stretches spread evenly over the sample's key order, of budget
// entries in all.
func (c *cloner) windows(cfg Config, budget float64) ([]window, error) {
	n := len(c.all)
	core := max(1, int(float64(c.room.entries)/c.factor))
	made := min(float64(c.room.made), float64(core+core/2+2*margin)*c.factor)
	count := max(leastWindows, min(mostWindows, int(budget/made)))
	if count*core >= n {
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

// A room is how many entries a window has and how many are made for it: fewer
// where keys are long.
type room struct{ entries, made int }

func (l *lineage) room(factor float64) room {
	var bytes int
	for i := range l.all {
		bytes += int(l.all[i].key) + int(l.all[i].record)
	}
	r := room{windowEntries, windowBudget}
	if factor > 1000 {
		r.made = coarseBudget
	}
	each := max(1, bytes/max(1, len(l.all)))
	r.made = max(leastMade, min(r.made, windowBytes/each))
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
	beyond := max(margin, core/2+int(float64(c.room.entries/2)/c.factor)+1)
	for high < len(c.clumps) && c.clumps[high-1].last-c.clumps[to-1].last < beyond {
		high++
	}
	made := c.clumps[high-1].last - c.clumps[low].first + 1
	factor := min(c.factor, 1+float64(c.room.made)/float64(made))
	if whole {
		factor = c.factor
	}
	c.start()
	for i := low; i < high; i++ {
		c.original(&c.clumps[i])
	}
	for i := low; i < high; i++ {
		c.copies(&c.clumps[i], factor-1)
	}
	c.made.sort()
	return c.build(cfg, c.bound(from), c.bound(to))
}

// start empties the list of entries made.
func (c *cloner) start() {
	c.made.reset()
	c.unitAt, c.unitSize = 0, 0
	clear(c.taken)
}

// original emits a clump's own entries.
func (c *cloner) original(b *clump) {
	for k := b.first; k <= b.last; k++ {
		c.put(k, c.key(k), c.place(&c.all[k]))
		for _, end := range c.s.endsOf(&c.all[k]) {
			c.claim(c.key(k)[:end])
		}
	}
}

// long reports whether what a run in the order of the collection stands for
// fills many windows, so that its ends hardly count.
func (c *cloner) long(b *clump) bool {
	n := float64(b.last - b.first + 1)
	return b.last > b.first && b.within < len(c.key(b.first)) && n*c.factor > 4*float64(c.room.entries)
}

// longWindow builds a stretch inside what one run stands for.
func (c *cloner) longWindow(cfg Config, b *clump) (window, error) {
	n := b.last - b.first + 1
	start := c.rng.IntN(n)
	c.start()
	c.original(b)
	c.serial = 0
	for want := start + 2*c.room.entries; c.made.len() < want; {
		before := c.made.len()
		c.serial++
		if c.tile(b); c.made.len() == before {
			break // no room for longer keys
		}
	}
	return c.buildFrom(cfg, start, start+c.room.entries)
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

func (c *cloner) buildFrom(cfg Config, start, stop int) (window, error) {
	b := NewBuilder(cfg)
	closed := false
	for i := start; i < c.made.len(); i++ {
		pages := b.pages()
		e := &c.made.list[i]
		b.Add(c.made.keyOf(e), c.made.valueOf(e))
		if i >= stop && b.pages() > pages {
			closed = true
			break
		}
	}
	f, err := b.Finish()
	return measure(cfg, f, closed), err
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

// measure takes whole pages where the window was closed by the end of one: how
// much a page holds depends on where it began, so that a part of a page says
// little. Otherwise the last page counts by how full it is.
func measure(cfg Config, f File, closed bool) window {
	full := f.LeafPages - 1
	image := float64(cfg.Table.NewSplit(cfg.Table.LeafStart()).Size)
	w := window{entries: float64(f.Entries), overflowDisk: float64(f.OverflowDisk)}
	w.pageDisk = float64(cfg.Table.LeafPageMax)
	if full > 0 {
		image = float64(f.LeafImages-f.LastImage) / float64(full)
		w.pageDisk = float64(f.LeafDisk-f.LastDisk) / float64(full)
		w.separator = float64(f.Separators) / float64(f.LeafPages)
	}
	w.pages = float64(full)
	if closed {
		w.entries -= float64(f.LastEntries)
	} else {
		w.pages += min(1, float64(f.LastImage)/image)
	}
	return w
}
