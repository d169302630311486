package index

import (
	"bytes"
	"slices"

	"github.com/wtsize/wtsize/estimate/keystring"
)

// Sizes of what is built for an estimate.
const (
	windowEntries = 3000    // of the population in a window: several pages
	margin        = 8       // entries, or more, beyond each end whose copies may fall inside
	mostWindows   = 48      //
	windowBudget  = 60_000  // entries made for a window
	coarseBudget  = 150_000 // the same for a population over a thousand samples
)

// A window is a stretch of an index at the population's density.
type window struct {
	entries       float64
	pages         float64 // leaf pages, the last one as a share
	pageDisk      float64 // of a leaf page, mean
	separator     float64 // key bytes per leaf page, mean
	overflowDisk  float64
	overflowPages float64
}

// windows builds stretches spread evenly over the sample's key order.
func (c *cloner) windows(cfg Config, most int) ([]window, error) {
	n := len(c.all)
	core := max(1, int(windowEntries/c.factor))
	count := most
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

// window builds the stretch that blocks from..to stand for.
func (c *cloner) window(cfg Config, from, to int) (window, error) {
	low, high := from, to
	for low > 0 && c.clumps[from].first-c.clumps[low].first < margin {
		low--
	}
	for high < len(c.clumps) && c.clumps[high-1].last-c.clumps[to-1].last < margin {
		high++
	}
	made := c.clumps[high-1].last - c.clumps[low].first + 1
	budget := windowBudget
	if c.factor > 1000 {
		budget = coarseBudget
	}
	factor := min(c.factor, 1+float64(budget)/float64(made))
	if from == 0 && to == len(c.clumps) {
		factor = c.factor
	}
	var all []tableEntry
	c.emit = func(e keystring.Entry) {
		var t tableEntry
		t.key, t.value = c.s.gen.Place(nil, nil, e)
		if t.order = t.key; c.unit != nil {
			t.order = c.unit
		}
		all = append(all, t)
	}
	for i := low; i < high; i++ {
		b := &c.clumps[i]
		for k := b.first; k <= b.last; k++ {
			c.put(k, c.key(k), c.place(&c.all[k]))
		}
		c.copies(b, factor-1)
	}
	first, last := c.bound(from), c.bound(to)
	slices.SortStableFunc(all, func(a, b tableEntry) int { return bytes.Compare(a.order, b.order) })
	b := NewBuilder(cfg)
	var n float64
	for _, e := range all {
		if from > 0 && bytes.Compare(e.order, first) < 0 || to < len(c.clumps) && bytes.Compare(e.order, last) >= 0 {
			continue
		}
		b.Add(e.key, e.value)
		n++
	}
	f, err := b.Finish()
	return measure(cfg, f, n), err
}

// order is where an entry stands: by its key, or with its clump.
type tableEntry struct{ key, value, order []byte }

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
	if b == len(c.clumps) {
		return nil
	}
	o := &c.all[c.clumps[b].first]
	key, _ := c.s.gen.Place(nil, nil, keystring.Entry{Key: c.s.keyOf(o), Record: c.recordID(o, c.place(o))})
	return key
}

// measure counts the last page by how full it is.
func measure(cfg Config, f File, n float64) window {
	full := f.LeafPages - 1
	image := float64(cfg.Table.NewSplit(cfg.Table.LeafStart()).Size)
	w := window{entries: n, overflowDisk: float64(f.OverflowDisk)}
	w.pageDisk = float64(cfg.Table.LeafPageMax)
	if full > 0 {
		image = float64(f.LeafImages-f.LastImage) / float64(full)
		w.pageDisk = float64(f.LeafDisk-f.LastDisk) / float64(full)
		w.separator = float64(f.Separators) / float64(f.LeafPages)
	}
	w.pages = float64(full) + min(1, float64(f.LastImage)/image)
	return w
}
