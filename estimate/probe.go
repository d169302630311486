package estimate

import (
	"fmt"
	"math"

	"github.com/wtsize/wtsize/sampler"
)

// A probe builds the first documents of a collection under both topologies,
// where nobody said which one holds, to see by how much they differ.
type probe struct {
	builders [2]*builder // standalone, replset
	left     int64
	factors  []float64 // file with windows over file without, by setting
}

// probeBytes of documents are enough: two in-memory pages.
const probeBytes = 16 << 20

// newProbe is nil where the topology is known.
func (k *collector) newProbe() *probe {
	if k.e.opts.Topology != Auto || k.c.Stats != nil {
		return nil
	}
	p := &probe{left: probeBytes}
	t, o := k.t, k.e.opts
	for i, topology := range []string{Standalone, Replset} {
		t.topology = topology
		p.builders[i] = newBuilder(t, o, k.e.pool)
	}
	return p
}

func (p *probe) add(doc []byte) error {
	if p.left -= int64(len(doc)); p.left < 0 {
		return nil
	}
	for _, b := range p.builders {
		if err := b.add(doc); err != nil {
			return err
		}
	}
	return nil
}

// stretches takes documents from all over a sample.
func (p *probe) stretches(all []*stretch) error {
	var held int64
	all = ordinary(all)
	for _, s := range all {
		held += int64(len(s.bytes))
	}
	step := max(1, int(held/probeBytes))
	for i := 0; i < len(all); i += step {
		for j := range all[i].ends {
			if err := p.add(all[i].document(j)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *probe) close() {
	for _, b := range p.builders {
		if b != nil {
			b.close()
		}
	}
}

// worthWarning is the difference between topologies beyond which both figures
// are given.
const worthWarning = 0.02

// finish works out by what factor windows change each setting's file. It may
// be called more than once.
func (p *probe) finish() error {
	if p.factors != nil {
		return nil
	}
	var sizes [2][]built
	for i, b := range p.builders {
		var err error
		if sizes[i], err = b.finish(); err != nil {
			return err
		}
		p.builders[i] = nil
	}
	for i := range sizes[0] {
		p.factors = append(p.factors, float64(sizes[1][i].file.Size)/float64(sizes[0][i].file.Size))
	}
	return nil
}

// apply adds what a replica set would make of the collection.
func (p *probe) apply(r *CollectionResult) {
	most, worst := 0.0, ""
	for i := range r.Compressors {
		c := &r.Compressors[i]
		c.WithTimeWindows = int64(math.Round(float64(c.StorageSize) * p.factors[i]))
		if d := math.Abs(p.factors[i] - 1); d > most {
			most, worst = d, fmt.Sprintf("%s by %+.0f %%", c.Name(), 100*(p.factors[i]-1))
		}
	}
	if most > worthWarning {
		r.Warnings = append(r.Warnings, sampler.Warning{Code: "topology", Text: "a standalone node is assumed; " +
			"pages written on a replica set keep time windows until they are written again, which changes " +
			worst + " (see --topology)"})
	}
}

// info says what an estimate rests on.
func (p population) info(end sampler.End) SampleInfo {
	n := 0
	for _, s := range p.stretches {
		n += len(s.ends)
	}
	method := end.Method
	if method == "all" {
		method = "runs" // all of it came by, some of it was kept
	}
	return SampleInfo{Documents: int64(n), Bytes: p.bytes, Runs: len(p.stretches), Method: method, Partial: end.Fault != nil}
}
