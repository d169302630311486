package live

import (
	"context"

	"github.com/wtsize/wtsize/sampler"
)

// Plan is what Read would read: everything a dry run can tell.
type Plan struct {
	Host, Product, Release, Topology string
	Collections                      []PlannedCollection
	Skipped                          []PlannedSkip
}

// PlannedCollection is one collection of a Plan.
type PlannedCollection struct {
	NS   sampler.Namespace
	Type sampler.Type
	// Count and Size are the server's figures; 0 when not known.
	Count, Size int64
	// Method is the way of reading that was found to work.
	Method string
	// Hosts are the members read from, one, or one of each shard.
	Hosts []string
	// Bytes and Commands are about what reading takes; Bytes is 0 when the size
	// of the collection is not known and everything is wanted.
	Bytes, Commands int64
	// Runs of neighbours; 0 for a complete read.
	Runs     int64
	Warnings []sampler.Warning
}

// PlannedSkip is a namespace that has no documents to read, or none that may be.
type PlannedSkip struct {
	NS    sampler.Namespace
	Fault *sampler.Fault
}

// Plan connects, probes and measures as Read does, with the same few small
// commands, and reads no documents beyond those that probing takes.
func (s *Source) Plan(ctx context.Context, b sampler.Budget) (Plan, error) {
	se, l, err := s.begin(ctx)
	if err != nil {
		return Plan{}, stopped(ctx, s.Name(), sampler.Namespace{}, err)
	}
	defer se.close()
	p := Plan{Host: se.front.host, Product: se.server.Product, Release: se.server.Release, Topology: se.server.Topology}
	for _, skip := range l.skipped {
		p.Skipped = append(p.Skipped, PlannedSkip{skip.ns, skip.fault})
	}
	for _, t := range l.targets {
		ready, err := se.prepare(ctx, t, withDefaults(b))
		if err != nil {
			f := stopped(ctx, se.front.host, t.ns, err)
			if ctx.Err() != nil || ifFinal(err) != nil {
				return p, f
			}
			p.Skipped = append(p.Skipped, PlannedSkip{t.ns, f})
			continue
		}
		p.Collections = append(p.Collections, ready.planned())
	}
	return p, nil
}

func (p *prepared) planned() PlannedCollection {
	c := PlannedCollection{NS: p.coll.NS, Type: p.coll.Type, Count: p.total.Count, Size: p.total.Size, Warnings: p.coll.Warnings}
	for _, part := range p.parts {
		e := part.c.way.effort(part.r)
		c.Method = lower(c.Method, part.c.way.method())
		c.Hosts = append(c.Hosts, part.r.n.host)
		c.Bytes += e.bytes
		c.Runs += e.runs
		c.Commands += e.commands
	}
	return c
}

// effort is about what a way of reading takes.
type effort struct{ bytes, runs, commands int64 }

// effortOfRuns: each run is a command, and some take a second one.
func effortOfRuns(r *reading, p *plan) effort {
	return effort{bytes: r.goal, runs: p.runs, commands: p.runs + p.runs/8}
}

func effortOfAll(r *reading) effort {
	return effort{bytes: r.f.Size, commands: r.f.Size/allReply + 1}
}

// effort of the ways.
func (w *natural) effort(r *reading) effort  { return effortOfRuns(r, w.plan(r)) }
func (w *ranges) effort(r *reading) effort   { return effortOfRuns(r, w.plan(r)) }
func (allByToken) effort(r *reading) effort  { return effortOfAll(r) }
func (allByKey) effort(r *reading) effort    { return effortOfAll(r) }
func (allByCursor) effort(r *reading) effort { return effortOfAll(r) }

func (single) effort(r *reading) effort {
	most := min(singleMost, r.limit(r.goal))
	each := max(r.sampleSize(min(most, r.limit(singleReply))), 1)
	bytes := min(most*max(r.f.avg(), 1), r.goal)
	return effort{bytes: bytes, runs: (bytes + r.runBytes - 1) / r.runBytes, commands: (most + each - 1) / each}
}

func (w head) effort(r *reading) effort {
	e := effort{bytes: w.share(r), runs: 1, commands: 1}
	if w.tailNatural || w.tailByID {
		e = effort{bytes: 2 * e.bytes, runs: 2, commands: 2}
	}
	return e
}
