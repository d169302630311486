package build

import (
	"math"
	"time"

	"github.com/wtsize/wtsize/estimate/project"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// A Run is sampled neighbours, encoded as one page, and the share of the
// population that it stands for.
type Run struct {
	Page  *reconcile.Page
	Share float64 // of the population's bytes; all shares add up to 1
	Drawn float64 // probability with which a giant was drawn; 0: one of a stratum
}

// A Population is a collection of which only runs are known. It measures how
// blocks of the runs come out at the page sizes that the feedback visits, and
// lets the feedback go over as many in-memory pages as the whole collection
// has, each made of the blocks of the run that stands for its place. Blocks are
// rounded one by one, never on average.
type Population struct {
	cfg  Config
	pool *Pool
	runs []Run
	// scale is population bytes over sampled bytes.
	scale float64
	grid  []int64 // page sizes at which blocks are measured
	// measured blocks by grid point; nil where not yet needed.
	measured []*measurement
	known    []map[*reconcile.Page][]weighted // by grid point
	spent    time.Duration
	kept     keeper
}

// gridPoints page sizes, from the page maximum to the largest image, are
// measured; what lies between is interpolated.
const gridPoints = 4

// NewPopulation describes a collection scale times as large as its runs.
func NewPopulation(cfg Config, pool *Pool, runs []Run, scale float64) *Population {
	cfg.Table.Compressor = cfg.Setting.Name
	p := &Population{cfg: cfg, pool: pool, runs: runs, scale: scale, kept: newKeeper(cfg)}
	low, high := cfg.Table.LeafPageMax, cfg.Table.LeafStart()
	n := gridPoints
	if low == high {
		n = 1
	}
	for i := range n {
		at := high
		if n > 1 {
			at = low + (high-low)*int64(i)/int64(n-1)
		}
		p.grid = append(p.grid, at)
		p.known = append(p.known, map[*reconcile.Page][]weighted{})
	}
	p.measured = make([]*measurement, n)
	return p
}

// With is the same collection known by other runs, of which those that were
// measured already are not measured again.
func (p *Population) With(runs []Run, scale float64) *Population {
	q := *p
	q.runs, q.scale, q.measured = runs, scale, make([]*measurement, len(p.grid))
	return &q
}

// Images are the leaf images kept for timing.
func (p *Population) Images() [][]byte { return p.kept.images }

// CodecTime is the time spent compressing, summed over all cores.
func (p *Population) CodecTime() time.Duration { return p.spent }

// mostPages bounds how many in-memory pages are simulated. Fewer of a larger
// collection change nothing but the noise.
const mostPages = 4000

// Files gives one file for each overlap, in their order, and where the last
// one's feedback spent its time.
func (p *Population) Files() ([]File, Visits, error) {
	overlaps := p.cfg.Overlaps
	if !p.cfg.Table.LeafFeedback() || len(overlaps) == 0 {
		overlaps = []float64{1}
	}
	files := make([]File, len(overlaps))
	var visits Visits
	for i, o := range overlaps {
		s := newSimulation(p, o)
		f, err := s.file()
		if err != nil {
			return nil, nil, err
		}
		files[i], visits = f, s.visits.shares()
	}
	return files, visits, nil
}

// Replicates gives the sizes that n resampled populations come to under the
// last overlap, relative to f's. Of many in-memory pages the course of the
// feedback averages out, so there are none of a large population: the spread
// between runs says all.
func (p *Population) Replicates(n int, f File) ([]float64, error) {
	if p.footprint() > fewPages*float64(p.cfg.Table.SplitFootprint(p.cfg.CacheBytes)) || len(p.runs) < 2 {
		return nil, nil
	}
	overlap := 1.0
	if len(p.cfg.Overlaps) > 0 {
		overlap = p.cfg.Overlaps[len(p.cfg.Overlaps)-1]
	}
	out := make([]float64, n)
	for i := range out {
		s := newSimulation(p, overlap)
		s.resample(uint64(i) + 1)
		g, err := s.file()
		if err != nil {
			return nil, err
		}
		out[i] = float64(g.Size)/float64(f.Size) - 1
	}
	return out, nil
}

// fewPages is how many in-memory pages make a large population.
const fewPages = 200

// PhaseBytes is the standard deviation of a file's size that comes from not
// knowing where in-memory pages end: each ends with a block that is, evenly
// distributed, between nothing and a whole one. Its share of the sample is
// known.
func (p *Population) PhaseBytes(f File) float64 {
	pages := math.Ceil(p.footprint() / float64(p.cfg.Table.SplitFootprint(p.cfg.CacheBytes)))
	return math.Sqrt(pages/12) * float64(f.LeafDisk) / math.Max(1, float64(f.LeafPages))
}

// RunCosts gives, for each run, its share of the population (X) and what of the
// file that takes (Y), up to a factor, at the page sizes where the feedback spent
// its time: what the interval is made from.
func (p *Population) RunCosts(visits Visits) ([]project.Run, error) {
	out := make([]project.Run, len(p.runs))
	for i, r := range p.runs {
		out[i] = project.Run{X: r.Share, Drawn: r.Drawn}
	}
	for g, share := range visits {
		if share == 0 {
			continue
		}
		m, err := p.at(g)
		if err != nil {
			return nil, err
		}
		for i, blocks := range m.blocks {
			var image, d float64
			for _, b := range blocks {
				image += float64(b.Image) * b.weight
				d += float64(b.Disk) * b.weight
			}
			if image > 0 {
				out[i].Y += share * d / image * p.runs[i].Share
			}
		}
	}
	return out, nil
}

// Visits is which share of the bytes was packed at each grid point.
type Visits []float64

func (v Visits) shares() Visits {
	var sum float64
	for _, x := range v {
		sum += x
	}
	for i := range v {
		v[i] /= math.Max(sum, 1)
	}
	return v
}

// total is the sum over the population of what of gives for a page: what each
// run has of it per byte of document, times the bytes that the run stands for.
func (p *Population) total(of func(*reconcile.Page) int64) float64 {
	var documents, perByte float64
	for _, r := range p.runs {
		documents += float64(r.Page.Documents)
		perByte += r.Share * float64(of(r.Page)) / math.Max(1, float64(r.Page.Documents))
	}
	return documents * p.scale * perByte
}

func (p *Population) cellBytes() float64 {
	return p.total(func(r *reconcile.Page) int64 { return int64(len(r.Cells)) })
}

// cellShare is the share of the population's cell bytes that run i stands for.
func (p *Population) cellShare(i int) float64 {
	r := p.runs[i]
	own := r.Share * float64(len(r.Page.Cells)) / math.Max(1, float64(r.Page.Documents))
	var all float64
	for _, r := range p.runs {
		all += r.Share * float64(len(r.Page.Cells)) / math.Max(1, float64(r.Page.Documents))
	}
	return own / all
}

// footprint is what the population takes in the engine's cache.
func (p *Population) footprint() float64 {
	return p.total(func(r *reconcile.Page) int64 { return r.Footprint })
}

// around gives the grid points around a page size and how far it lies from
// the first to the second.
func (p *Population) around(size int64) (lo, hi int, f float64) {
	for hi < len(p.grid)-1 && p.grid[hi] < size {
		hi++
	}
	lo = max(0, hi-1)
	if p.grid[hi] <= size || lo == hi {
		return hi, hi, 0
	}
	return lo, hi, float64(size-p.grid[lo]) / float64(p.grid[hi]-p.grid[lo])
}

// internalPages is how many internal pages stand above leaves, given the mean
// size of an entry. It follows the packing: pages fill to the split size.
func internalPages(t wt.Table, leaves int64, entry float64) int64 {
	if leaves == 0 {
		return 0
	}
	split := t.NewSplit(t.InternalStart())
	per := math.Max(math.Floor(float64(split.Size-wt.HeaderBytes)/entry), wt.MinInternalCells/2)
	most := math.Max(math.Floor(float64(split.Page-wt.HeaderBytes)/entry), per)
	total := int64(0)
	for n := float64(leaves); ; {
		if n <= most {
			return total + 1
		}
		pages := math.Ceil(n / per)
		if n-(pages-1)*per+per <= most && pages > 1 {
			pages-- // the last two merge
		}
		total += int64(pages)
		n = pages
	}
}
