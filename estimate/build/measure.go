package build

import (
	"math"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/reconcile"
)

// measurement is every run's blocks at one page size.
type measurement struct {
	blocks [][]weighted // by run
	// ratio is stored bytes over image bytes, all runs together.
	ratio float64
}

// weighted is a block and the share of it that no other block of its run holds.
type weighted struct {
	block.Block
	weight float64
}

// at gives the measurement at grid point g, made when first asked for.
func (p *Population) at(g int) (*measurement, error) {
	if p.measured[g] != nil {
		return p.measured[g], nil
	}
	if err := p.measure(g); err != nil {
		return nil, err
	}
	m := &measurement{}
	var image, stored float64
	for _, r := range p.runs {
		blocks := p.known[g][r.Page]
		for _, w := range blocks {
			image += float64(w.Image) * w.weight
			stored += float64(w.Content()) * w.weight
		}
		m.blocks = append(m.blocks, blocks)
	}
	m.ratio = stored / math.Max(1, image)
	p.measured[g] = m
	return m, nil
}

// measure compresses the blocks of the runs that are not known at grid point g.
func (p *Population) measure(g int) error {
	split := p.cfg.Table.NewSplit(p.grid[g])
	var images [][]byte
	var pages []*reconcile.Page
	var rings [][]ringChunk
	for _, r := range p.runs {
		if _, known := p.known[g][r.Page]; known {
			continue
		}
		chunks := ring(r.Page, split, p.cfg.Table.AllocationSize)
		pages, rings = append(pages, r.Page), append(rings, chunks)
		for _, c := range chunks {
			images = append(images, c.cells)
			p.kept.offer(c.cells)
		}
	}
	j := &job{setting: p.cfg.Setting, alloc: p.cfg.Table.AllocationSize, rule: block.Rule{SaveUnit: p.cfg.Release.SavesUnit()}}
	all, err := p.pool.write(j, images)
	p.spent += j.spent
	if err != nil {
		return err
	}
	for i, chunks := range rings {
		blocks := make([]weighted, len(chunks))
		for k, c := range chunks {
			blocks[k] = weighted{all[k], c.weight}
		}
		p.known[g][pages[i]] = blocks
		all = all[len(chunks):]
	}
	return nil
}
