package estimate

import (
	"fmt"
	"math"

	"github.com/wtsize/wtsize/estimate/build"
	"github.com/wtsize/wtsize/sampler"
)

// A probe builds the first documents of a collection under both topologies,
// where nobody said which one holds, to see by how much they differ.
type probe struct {
	builders [2]*builder // standalone, replset
	left     int64
}

// probeBytes of documents are enough: two in-memory pages.
const probeBytes = 16 << 20

func newProbe(t table, o Options, pool *build.Pool) *probe {
	p := &probe{left: probeBytes}
	o.NoTimings = true
	for i, topology := range []string{Standalone, Replset} {
		t.topology = topology
		p.builders[i] = newBuilder(t, o, pool)
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

func (p *probe) close() {
	for _, b := range p.builders {
		b.close()
	}
}

// worthWarning is the difference between topologies beyond which both figures
// are given.
const worthWarning = 0.02

// otherTopology adds what a replica set would make of the collection.
func (k *collector) otherTopology(r *CollectionResult) error {
	var sizes [2][]built
	for i, b := range k.other.builders {
		var err error
		if sizes[i], err = b.finish(); err != nil {
			return err
		}
	}
	most, worst := 0.0, ""
	for i := range r.Compressors {
		c := &r.Compressors[i]
		ratio := float64(sizes[1][i].file.Size) / float64(sizes[0][i].file.Size)
		c.WithTimeWindows = int64(math.Round(float64(c.StorageSize) * ratio))
		if d := math.Abs(ratio - 1); d > most {
			most, worst = d, fmt.Sprintf("%s by %+.0f %%", c.Name(), 100*(ratio-1))
		}
	}
	if most > worthWarning {
		r.Warnings = append(r.Warnings, sampler.Warning{Code: "topology", Text: "a standalone node is assumed; " +
			"pages written on a replica set keep time windows until they are written again, which changes " +
			worst + " (see --topology)"})
	}
	return nil
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
	return SampleInfo{Documents: int64(n), Bytes: p.sampledBytes(), Runs: len(p.stretches), Method: method, Partial: end.Fault != nil}
}
