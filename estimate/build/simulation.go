package build

import (
	"math"
	"math/rand/v2"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// simulation lets the feedback go over a whole population.
type simulation struct {
	p      *Population
	run    *run
	rng    *rand.Rand
	visits Visits
	next   []int // by run: the block to draw next, so that neighbours stay such
	stand  []int // by run: the run whose blocks stand for it
}

func newSimulation(p *Population, overlap float64) *simulation {
	s := &simulation{
		p: p, run: newRun(p.cfg, overlap), visits: make(Visits, len(p.grid)),
		rng:  rand.New(rand.NewPCG(p.cfg.Seed, math.Float64bits(overlap))),
		next: make([]int, len(p.runs)), stand: make([]int, len(p.runs)),
	}
	for i := range s.stand {
		s.stand[i] = i
	}
	return s
}

// resample lets each run be stood for by itself or a neighbour, and begin
// anywhere: what another draw of runs from the same strata might have given.
// Giants stand for themselves.
func (s *simulation) resample(seed uint64) {
	s.rng = rand.New(rand.NewPCG(s.p.cfg.Seed, seed))
	for i, r := range s.p.runs {
		by := min(max(0, i-1+s.rng.IntN(3)), len(s.stand)-1)
		if r.Drawn == 0 && s.p.runs[by].Drawn == 0 {
			s.stand[i] = by
		}
		s.next[i] = s.rng.IntN(1 << 20)
	}
}

// segment is a part of an in-memory page: so many cell bytes of a run's kind.
type segment struct {
	run   int
	cells float64
}

// pages lays the in-memory pages of the population out over the runs, each run
// standing for its share. Of a population larger than mostPages every n-th page
// is laid out.
func (s *simulation) pages() (pages [][]segment) {
	limit := float64(s.p.cfg.Table.SplitFootprint(s.p.cfg.CacheBytes))
	total := s.p.cellBytes()
	total /= math.Max(1, s.p.footprint()/limit/mostPages)
	room := limit
	var page []segment
	for i, r := range s.p.runs {
		// What a cell byte of this run takes in the cache.
		footprint := float64(r.Page.Footprint) / math.Max(1, float64(len(r.Page.Cells)))
		for left := total * s.p.cellShare(i); left > 0; {
			part := math.Min(left, room/footprint)
			page = append(page, segment{i, part})
			left -= part
			if room -= part * footprint; room < 1 {
				pages, page, room = append(pages, page), nil, limit
			}
		}
	}
	if len(page) > 0 {
		pages = append(pages, page)
	}
	return pages
}

func (s *simulation) file() (File, error) {
	pages := s.pages()
	limit := float64(s.p.cfg.Table.SplitFootprint(s.p.cfg.CacheBytes))
	target := float64(s.p.cfg.CacheBytes) * dirtyTargetPct / 100
	loaded := s.p.footprint()
	for i, page := range pages {
		evicting := loaded > target && float64(len(pages)-i)*limit > target
		if err := s.page(page, evicting); err != nil {
			return File{}, err
		}
	}
	return s.finish(), nil
}

// page reconciles one in-memory page made of measured blocks.
func (s *simulation) page(page []segment, evicting bool) error {
	size := s.run.advance(evicting)
	d, err := s.p.drawer(size)
	if err != nil {
		return err
	}
	chunks, blocks := s.draw(page, d)
	var cells float64
	for _, b := range blocks {
		s.run.tally(b)
		cells += float64(b.Image)
	}
	s.visits[d.lo] += (1 - d.f) * cells
	s.visits[d.hi] += d.f * cells
	s.run.evicting.start(chunks, blocks)
	s.run.period = cells / s.run.overlap
	return nil
}

// draw fills a page with blocks of its runs, in the order in which they lie
// there. Its end follows the packing: what remains is merged with the chunk
// before where both fit the page.
func (s *simulation) draw(page []segment, d drawer) (chunks []reconcile.Chunk, blocks []block.Block) {
	var left float64
	for _, g := range page {
		left += g.cells
	}
	expected := int(left/float64(d.split.Size)) + len(page) + 1
	chunks, blocks = make([]reconcile.Chunk, 0, expected), make([]block.Block, 0, expected)
	debt := 0.0 // what a block took beyond its segment
	for _, g := range page {
		here := g.cells - debt
		for here > 0 && left > 0 {
			b := d.scaled(s.take(g.run, d))
			cells := float64(b.Image - wt.HeaderBytes)
			room := left
			if s.p.runs[g.run].Drawn > 0 {
				room = here // a giant is alone: what it takes too much would be missing elsewhere
			}
			if room-cells < float64(max(0, d.split.Page-b.Image)) {
				b = scaled(b, room/cells, 1, d.alloc)
				cells = room
			}
			left -= cells
			here -= cells
			chunks = append(chunks, reconcile.Chunk{})
			blocks = append(blocks, b)
		}
		debt = -here
	}
	if n := len(chunks); n > 0 {
		chunks[n-1].Last = true
	}
	return chunks, blocks
}

// take gives the next block of a run.
func (s *simulation) take(run int, d drawer) block.Block {
	measured := d.near.blocks[s.stand[run]]
	for {
		m := measured[s.next[run]%len(measured)]
		s.next[run]++
		if m.weight == 1 || s.rng.Float64() < m.weight {
			return m.Block
		}
	}
}

// A drawer gives blocks at one page size: those of the nearest grid point,
// scaled.
type drawer struct {
	lo, hi  int     // grid points around the size
	f       float64 // how far the size lies from the one to the other
	near    *measurement
	length  float64 // of a block's cells, against the measured ones
	stretch float64 // of its compression ratio
	split   wt.Split
	alloc   int64
}

func (p *Population) drawer(size int64) (drawer, error) {
	d := drawer{split: p.cfg.Table.NewSplit(size), alloc: p.cfg.Table.AllocationSize, stretch: 1}
	d.lo, d.hi, d.f = p.around(size)
	near, err := p.at(d.hi)
	if err != nil {
		return d, err
	}
	grid := p.grid[d.hi]
	if d.lo != d.hi {
		other, err := p.at(d.lo)
		if err != nil {
			return d, err
		}
		ratio := other.ratio + d.f*(near.ratio-other.ratio)
		if d.f < 0.5 {
			near, grid = other, p.grid[d.lo]
		}
		d.stretch = ratio / near.ratio
	}
	d.near = near
	d.length = float64(d.split.Size) / float64(p.cfg.Table.NewSplit(grid).Size)
	return d, nil
}

func (d drawer) scaled(b block.Block) block.Block { return scaled(b, d.length, d.stretch, d.alloc) }

// scaled is a block of length times the cells whose compression ratio is
// stretch times as large.
func scaled(b block.Block, length, stretch float64, alloc int64) block.Block {
	if length == 1 && stretch == 1 {
		return b
	}
	image := wt.HeaderBytes + int64(math.Round(float64(b.Image-wt.HeaderBytes)*length))
	out := block.Block{Image: image, Checksum: b.Checksum}
	if b.Stored != 0 {
		out.Stored = max(wt.CompressSkip, int64(math.Round(float64(b.Stored)*float64(image)/float64(b.Image)*stretch)))
		if out.Stored >= image {
			out.Stored = 0
		}
	}
	out.Disk = wt.Align(out.Content(), alloc)
	return out
}

// finish scales the simulated leaves to the population, puts internal pages
// above them and adds what every file has.
func (s *simulation) finish() File {
	o := &s.run.out
	simulated := float64(o.Images - o.Ledger.Headers)
	total := s.p.cellBytes()
	k := total / math.Max(1, simulated)
	times := func(n int64) int64 { return scaleBy(n, k) }
	alloc := s.p.cfg.Table.AllocationSize

	for size, n := range o.Blocks {
		o.Blocks[size] = times(n)
		o.LeafPages += o.Blocks[size]
	}
	for size, n := range o.Crossed {
		o.Crossed[size] = times(n)
	}
	o.Records = int64(math.Round(s.p.total(func(r *reconcile.Page) int64 { return int64(r.Records()) })))
	o.Ledger.Documents = int64(math.Round(s.p.total(func(r *reconcile.Page) int64 { return r.Documents })))
	o.Ledger.TimeWindows = int64(math.Round(s.p.total(func(r *reconcile.Page) int64 { return r.Window })))
	o.Ledger.Cells = int64(math.Round(total)) - o.Ledger.Documents - o.Ledger.TimeWindows
	o.Ledger.Headers = o.LeafPages * wt.HeaderBytes
	o.Images = o.Ledger.Documents + o.Ledger.TimeWindows + o.Ledger.Cells + o.Ledger.Headers
	// Rounding takes what the scaled labels leave, so that they still add up.
	o.Ledger.CompressionSaved = times(o.Ledger.CompressionSaved)
	o.LeafDisk = wt.Align(max(times(o.LeafDisk), o.Images+o.Ledger.CompressionSaved), alloc)
	o.Ledger.Rounding = o.LeafDisk - o.Images - o.Ledger.CompressionSaved
	o.Uncompressed, o.Up, o.Down = times(o.Uncompressed), times(o.Up), times(o.Down)

	o.InternalPages = internalPages(s.p.cfg.Table, o.LeafPages, s.p.entryBytes(o.LeafPages, o.LeafDisk))
	o.Ledger.Internal = o.InternalPages * wt.Align(s.p.cfg.Table.InternalPageMax, alloc)
	f := block.NewFile(alloc)
	f.Checkpoint()
	o.Ledger.File = f.Size()
	o.Size = o.Ledger.Sum()
	return *o
}

func scaleBy(n int64, k float64) int64 { return int64(math.Round(float64(n) * k)) }

// entryBytes is the mean size of a leaf's entry in its parent.
func (p *Population) entryBytes(leaves, disk int64) float64 {
	const positions = 16
	alloc := p.cfg.Table.AllocationSize
	var total, n float64
	for i := range positions {
		r := p.runs[i*len(p.runs)/positions].Page
		mid := r.Records() / 2
		key := wt.LeafKey(r.Cells[r.Start(mid):])
		if mid > 0 {
			key = reconcile.Separator(wt.LeafKey(r.Cells[r.Start(mid-1):]), key)
		}
		offset := wt.Align(disk*(2*int64(i)+1)/(2*positions), alloc) + alloc
		cookie := wt.AppendCookie(nil, offset, disk/max(1, leaves), alloc, math.MaxUint32)
		cell := wt.AppendKeyCell(nil, 0, key)
		cell = wt.AppendAddrCell(cell, p.cfg.Release, wt.ChildLeaf, r.Windows(reconcile.Chunk{Records: r.Records()}), cookie)
		total += float64(len(cell))
		n++
	}
	return total / n
}
