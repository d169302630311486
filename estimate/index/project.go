package index

import (
	"math"
	"math/rand/v2"

	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
)

// Population is what a sample stands for.
type Population struct {
	Documents int64 // of the collection
}

// Projection is an index file sized from a sample. Sizes in bytes.
type Projection struct {
	Size, Low, High int64
	Entries         int64
}

// Sizes of the interval's parts.
const (
	replicates  = 8     // half-samples
	modelError  = 0.006 // of the size: what the model is off where all is well
	perDoubling = 0.003 // and more for every time the population doubles the sample
)

// Project estimates the file of a bulk-built index over the whole collection.
// confidence is that of the interval, 0.95 for example; the same seed gives the
// same figures.
//
// The interval has three parts: how far estimates from random halves of the runs
// lie from that of all (its square is the sampling variance), what the model is
// off in general, and a page, since files grow by pages.
func (s *Sample) Project(cfg Config, pop Population, confidence float64, seed int64) (Projection, error) {
	if len(s.entries) == 0 || s.docs == 0 {
		empty := wt.Align(1, cfg.Table.AllocationSize)
		return Projection{Size: empty, Low: empty, High: empty}, nil
	}
	if s.docs >= pop.Documents && len(s.entries) == int(s.made) {
		return s.exact(cfg)
	}
	docs := float64(pop.Documents)
	entries := docs * float64(s.made) / float64(s.docs)
	rng := rand.New(rand.NewPCG(uint64(seed), 2))
	size, err := s.estimate(cfg, s.subset(func(int32) bool { return true }), entries, docs, mainBudget, rng)
	if err != nil {
		return Projection{}, err
	}
	p := Projection{Size: size, Low: size, High: size, Entries: int64(math.Round(entries))}
	variance, err := s.variance(cfg, float64(size), entries, docs, rng)
	if err != nil {
		return Projection{}, err
	}
	model := modelError + perDoubling*math.Log2(max(1, entries/float64(len(s.entries))))
	z := math.Sqrt2 * math.Erfinv(confidence)
	page := float64(cfg.Table.LeafPageMax) / 2
	width := z * math.Sqrt(variance+math.Pow(model*float64(size), 2)+page*page)
	p.Low = max(cfg.Table.AllocationSize, size-int64(width))
	p.High = size + int64(width)
	return p, nil
}

// exact builds the index of a sample that is the whole collection.
func (s *Sample) exact(cfg Config) (Projection, error) {
	all := s.subset(func(int32) bool { return true })
	s.order(all)
	b := NewBuilder(cfg)
	for i := range all {
		e := &all[i]
		b.Add(s.gen.Place(nil, nil, keystring.Entry{Key: s.keyOf(e), Record: s.placed(e), Bits: s.bitsOf(e)}))
	}
	f, err := b.Finish()
	return Projection{Size: f.Size, Low: f.Size, High: f.Size, Entries: f.Entries}, err
}

// placed is the RecordId of an entry of a complete sample: documents are
// numbered as they came, where the source does not say.
func (s *Sample) placed(e *sampled) []byte {
	if s.clustered() {
		return s.recordOf(e)
	}
	r := &s.runs[e.run]
	id := r.recordID + int64(e.doc)
	if r.recordID == 0 {
		id = r.before + int64(e.doc) + 1
	}
	return keystring.AppendRecordID(nil, id)
}

// variance is the mean square of how far half-samples lie from size.
func (s *Sample) variance(cfg Config, size, entries, docs float64, rng *rand.Rand) (float64, error) {
	sum, n := 0.0, 0.0
	half := make([]bool, len(s.runs))
	for range replicates / 2 {
		for i := 0; i < len(half); i += 2 { // one of each pair of neighbours
			half[i] = rng.IntN(2) == 0
			if i+1 < len(half) {
				half[i+1] = !half[i]
			}
		}
		for _, side := range []bool{false, true} {
			part := s.subset(func(run int32) bool { return half[run] == side })
			if len(part) == 0 {
				continue
			}
			x, err := s.estimate(cfg, part, entries, docs, halfBudget, rng)
			if err != nil {
				return 0, err
			}
			sum += (float64(x) - size) * (float64(x) - size)
			n++
		}
	}
	if n == 0 { // one run only: nothing is known
		return size * size / 4, nil
	}
	return sum / n, nil
}

// estimate sizes the index from a part of the sample.
func (s *Sample) estimate(cfg Config, part []sampled, entries, docs, budget float64, rng *rand.Rand) (int64, error) {
	l := newLineage(s, part)
	c := newCloner(l, max(1, entries/float64(len(part))), docs, rng, &s.work)
	ws, err := c.windows(cfg, budget)
	if err != nil {
		return 0, err
	}
	return fileSize(cfg, ws, entries), nil
}

// fileSize puts a file together from windows.
func fileSize(cfg Config, ws []window, entries float64) int64 {
	var n, pages, disk, separators, overflow float64
	for _, w := range ws {
		n += w.entries
		pages += w.pages
		disk += w.pages * w.pageDisk
		separators += w.pages * w.separator
		overflow += w.overflowDisk
	}
	if n == 0 {
		return cfg.Table.AllocationSize
	}
	scale := entries / n
	alloc := cfg.Table.AllocationSize
	leaves := pages * scale
	size := alloc + int64(disk*scale) + int64(overflow*scale)
	size += internalSize(cfg, leaves, separators/pages, size)
	const lists = 2
	return wt.Align(size, alloc) + lists*alloc
}

// internalSize is the blocks of the internal pages above leaves.
func internalSize(cfg Config, leaves, separator float64, file int64) (size int64) {
	t := cfg.Table
	cookie := wt.AppendCookie(nil, wt.Align(file/2, t.AllocationSize)+t.AllocationSize, t.LeafPageMax, t.AllocationSize, 1<<31)
	cell := float64(len(wt.AppendAddrCell(nil, cfg.Release, wt.ChildLeaf, wt.TimeAggregate{}, cookie)))
	cell += float64(wt.KeyCellLen(0, int(separator)))
	room := float64(t.NewSplit(t.InternalStart()).Size - wt.HeaderBytes)
	for n := max(1, math.Ceil(leaves)); ; {
		pages := math.Ceil(n * cell / room)
		if pages <= 1 {
			return size + wt.Align(int64(n*cell)+wt.HeaderBytes, t.AllocationSize)
		}
		size += int64(pages) * wt.Align(t.NewSplit(t.InternalStart()).Size, t.AllocationSize)
		n = pages
	}
}
