package index

import (
	"math"
	"math/rand/v2"

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

// Project estimates the file of a bulk-built index over the whole collection.
// confidence is that of the interval, 0.95 for example; the same seed gives the
// same figures.
func (s *Sample) Project(cfg Config, pop Population, confidence float64, seed int64) (Projection, error) {
	if len(s.entries) == 0 || s.docs == 0 {
		empty := wt.Align(1, cfg.Table.AllocationSize)
		return Projection{Size: empty, Low: empty, High: empty}, nil
	}
	entries := float64(pop.Documents) * float64(s.made) / float64(s.docs)
	size, err := s.estimate(cfg, s.subset(func(int32) bool { return true }), entries, float64(pop.Documents), mostWindows, seed)
	if err != nil {
		return Projection{}, err
	}
	return Projection{Size: size, Low: size, High: size, Entries: int64(math.Round(entries))}, nil
}

// estimate sizes the index from a part of the sample.
func (s *Sample) estimate(cfg Config, part []sampled, entries, docs float64, most int, seed int64) (int64, error) {
	l := newLineage(s, part)
	c := &cloner{lineage: l, factor: max(1, entries/float64(len(part))), docs: docs, rng: rand.New(rand.NewPCG(uint64(seed), 1))}
	ws, err := c.windows(cfg, most)
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
