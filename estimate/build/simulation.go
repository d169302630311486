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
}

func newSimulation(p *Population, overlap float64) *simulation {
	s := &simulation{
		p: p, run: newRun(p.cfg, overlap), visits: make(Visits, len(p.grid)),
		rng: rand.New(rand.NewPCG(p.cfg.Seed, math.Float64bits(overlap))),
	}
	return s
}

// place is one in-memory page of the population.
type place struct {
	run   int
	cells float64 // bytes
}

// places lays the in-memory pages of the population out over the runs: a run's
// pages hold as many cell bytes as fit the footprint at its documents' sizes.
func (s *simulation) places() (places []place, weight float64) {
	limit := float64(s.p.cfg.Table.SplitFootprint(s.p.cfg.CacheBytes))
	total := s.p.cellBytes()
	perPage := make([]float64, len(s.p.runs))
	var pages float64
	for i, r := range s.p.runs {
		perPage[i] = math.Max(1, limit*float64(len(r.Page.Cells))/float64(r.Page.Footprint))
		pages += total * r.Share / perPage[i]
	}
	weight = math.Max(1, pages/mostPages)
	// A page may span runs: it takes the one in which it begins, and what is
	// left of a run carries over to the next.
	carry := 0.0
	for i, r := range s.p.runs {
		carry += total * r.Share / perPage[i] / weight
		for ; carry >= 1; carry-- {
			places = append(places, place{i, perPage[i]})
		}
	}
	if carry > 0 && len(s.p.runs) > 0 {
		last := len(s.p.runs) - 1
		places = append(places, place{last, carry * perPage[last]})
	}
	return places, weight
}

func (s *simulation) file() (File, error) {
	places, weight := s.places()
	var loaded, dirty float64
	foot := float64(s.p.cfg.Table.SplitFootprint(s.p.cfg.CacheBytes))
	target := float64(s.p.cfg.CacheBytes) * dirtyTargetPct / 100
	loaded = foot * weight * float64(len(places))
	dirty = math.Min(loaded, target) / foot
	for i, pl := range places {
		evicting := loaded > target && float64(len(places)-i) > dirty
		if err := s.page(pl, evicting); err != nil {
			return File{}, err
		}
	}
	return s.finish(), nil
}

// page reconciles one in-memory page made of measured blocks.
func (s *simulation) page(pl place, evicting bool) error {
	size := s.run.advance(evicting)
	lo, hi, f := s.p.nearest(size)
	chunks, blocks, err := s.draw(pl, size, lo, hi, f)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		s.run.tally(b)
	}
	s.visits[lo] += (1 - f) * pl.cells
	s.visits[hi] += f * pl.cells
	s.run.evicting.start(chunks, blocks)
	s.run.period = pl.cells / s.run.overlap
	return nil
}

// draw fills a page with blocks of its run, in the order in which they lie
// there, from the nearer grid point, scaled to the page size at hand.
func (s *simulation) draw(pl place, size int64, lo, hi int, f float64) ([]reconcile.Chunk, []block.Block, error) {
	near, err := s.p.at(hi)
	if err != nil {
		return nil, nil, err
	}
	grid, stretch := s.p.grid[hi], 1.0
	if lo != hi {
		other, err := s.p.at(lo)
		if err != nil {
			return nil, nil, err
		}
		ratio := other.ratio + f*(near.ratio-other.ratio)
		if f < 0.5 {
			near, grid = other, s.p.grid[lo]
		}
		stretch = ratio / near.ratio
	}
	length := float64(size) / float64(grid)
	measured := near.blocks[pl.run]
	at := s.rng.IntN(len(measured))
	var chunks []reconcile.Chunk
	var blocks []block.Block
	for left := pl.cells; left > 0; at++ {
		b := scaled(measured[at%len(measured)], length, stretch, s.p.cfg.Table.AllocationSize)
		cells := float64(b.Image - wt.HeaderBytes)
		if rest := left - cells; rest < float64(s.p.cfg.Table.NewSplit(size).Page-b.Image) {
			// The last chunk: what remains, merged where it fits the page.
			b = scaled(b, left/cells, 1, s.p.cfg.Table.AllocationSize)
			cells = left
		}
		left -= cells
		chunks = append(chunks, reconcile.Chunk{Last: left <= 0})
		blocks = append(blocks, b)
	}
	return chunks, blocks, nil
}

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
	o, runs := &s.run.out, s.p.sampled()
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
	o.Records = scaleBy(runs.records, s.p.scale)
	o.Ledger.Documents = scaleBy(runs.documents, s.p.scale)
	o.Ledger.TimeWindows = scaleBy(runs.windows, s.p.scale)
	o.Ledger.Cells = scaleBy(runs.cells, s.p.scale) - o.Ledger.Documents - o.Ledger.TimeWindows
	o.Ledger.Headers = o.LeafPages * wt.HeaderBytes
	o.Images = o.Ledger.Documents + o.Ledger.TimeWindows + o.Ledger.Cells + o.Ledger.Headers
	o.LeafDisk = wt.Align(times(o.LeafDisk), alloc)
	o.Ledger.Rounding = times(o.Ledger.Rounding)
	o.Ledger.CompressionSaved = o.LeafDisk - o.Ledger.Rounding - o.Images
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

type sums struct{ records, documents, windows, cells int64 }

func (p *Population) sampled() (s sums) {
	for _, r := range p.runs {
		s.records += int64(r.Page.Records())
		s.documents += r.Page.Documents
		s.windows += r.Page.Window
		s.cells += int64(len(r.Page.Cells))
	}
	return s
}

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
