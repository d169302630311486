package dump

import (
	"context"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
)

const (
	// runDocuments is how many documents a run has in the mean, at least:
	// compression works on neighbours, and a page of large documents is few.
	runDocuments = 16
	// leastStrata is kept even where that makes runs of large documents shorter.
	leastStrata = 8
	// headBytes at the start of a file tell what its documents are like.
	headBytes     = 1 << 20
	headDocuments = 64
)

// Runs reads a plain .bson file in part.
type Runs struct {
	f     *finder
	meter *stream.Meter
	// Tail is why the file ends before its last byte; nil when it is in order.
	Tail *sampler.Fault
	// Exact: every document's place is known, and so is their number.
	Exact bool
	at    []int64 // where documents start, if Exact
	mean  float64 // size of the first documents
	// Documents larger than giant stay out of runs; some of them are known.
	giant  int64
	giants []span
}

// Count is the number of documents in the file, if Exact.
func (s *Runs) Count() int64 { return int64(len(s.at)) }

// Finding is what one run was.
type Finding struct {
	At, End          int64 // offsets of the first document and after the last
	Documents, Bytes int64
	Giants           int64 // documents among them that were passed over
}

// NewRuns prepares random access to the size bytes of r, which hold BSON and
// nothing else. It reads the start of the file and its end.
func NewRuns(r io.ReaderAt, size int64, name string, m *stream.Meter) *Runs {
	f := &finder{r: r, end: size, name: name, step: windowStep, read: func(n int) { m.Input(int64(n)) }}
	s := &Runs{f: f, meter: m, giant: sampler.MaxDocumentBytes}
	s.head()
	if !s.hop() {
		s.Tail = f.tail()
	}
	return s
}

// Size is the length of the part of the file that is in order.
func (s *Runs) Size() int64 { return s.f.end }

// head learns from the first documents: their mean size, and the field they
// all start with.
func (s *Runs) head() {
	s.f.start(0)
	var docs, p int64
	var common []byte
	for p < headBytes && docs < headDocuments || docs == 0 && p < s.f.end {
		doc := s.f.document(p)
		if doc == nil {
			break
		}
		if first := firstField(doc); docs == 0 {
			common = first
		} else if string(first) != string(common) {
			common = nil
		}
		s.f.met.add(len(doc))
		p += int64(len(doc))
		docs++
	}
	if docs > 0 {
		s.mean = float64(p) / float64(docs)
	}
	s.f.first = common
}

// firstField is the name of a document's first field with its zero; nil for an
// empty document.
func firstField(doc []byte) []byte {
	for i := minDocument; i < len(doc)-1; i++ {
		if doc[i] == 0 {
			return append([]byte{}, doc[minDocument:i+1]...)
		}
	}
	return nil
}

// ReadRun finds the first document at or after the offset and delivers the
// documents that start within width bytes of the offset. A giant around the
// offset may leave none.
func (s *Runs) ReadRun(at, width int64, begin func(at int64) error, sink sampler.Sink) (Finding, error) {
	p, ok := s.first(at, width)
	if !ok {
		return Finding{}, &sampler.Fault{Source: s.f.name, Offset: at, Err: s.f.err,
			Why: "no document boundary found from here on", Hint: "the file is damaged here"}
	}
	run := Finding{At: p, End: p}
	for run.End < min(at+width, s.f.end) {
		if run.End-s.f.base > headBytes {
			s.f.drop(run.End)
		}
		if n := int64(s.f.length(run.End)); n > s.giant {
			run.Giants++
			run.End += n
			s.f.start(run.End)
			continue
		}
		doc := s.f.document(run.End)
		if doc == nil {
			doc = s.f.odd(run.End)
		}
		if doc == nil {
			return run, &sampler.Fault{Source: s.f.name, Offset: run.End, Err: s.f.err, Why: "no document follows here",
				Hint: "the file is damaged here"}
		}
		if run.Documents == 0 {
			if err := begin(p); err != nil {
				return run, err
			}
		}
		if err := sink.Document(doc); err != nil {
			return run, err
		}
		s.f.met.add(len(doc))
		run.Documents++
		run.Bytes += int64(len(doc))
		run.End += int64(len(doc))
	}
	return run, nil
}

// first is the first boundary at or after the offset, for a run of a width.
func (s *Runs) first(at, width int64) (int64, bool) {
	if s.Exact {
		p := s.boundary(at)
		s.f.start(p)
		return p, true
	}
	if g, ok := s.inGiant(at); ok {
		s.f.start(g.end)
		return g.end, true
	}
	return s.f.find(at, width)
}

// plan is where to read: strata of equal width, a run of the same width at a
// random place in each.
type plan struct {
	strata int
	width  int64
}

// planFor spends the budget on as many runs as it allows.
func planFor(b sampler.Budget, mean float64) plan {
	width := max(b.RunBytes, min(int64(runDocuments*mean), b.Bytes/leastStrata), 1)
	return plan{strata: int(max(1, b.Bytes/width)), width: width}
}

// place is the offset of the run of stratum i in a file of size bytes.
func (p plan) place(i int, size int64, rng *rand.Rand) int64 {
	stratum := float64(size) / float64(p.strata)
	room := max(0, stratum-float64(p.width))
	return int64(float64(i)*stratum + rng.Float64()*room)
}

// readRuns samples a plain file.
func (f *File) readRuns(ctx context.Context, file *os.File, b sampler.Budget, v sampler.Visitor) error {
	s := NewRuns(file, f.Size, f.Path, f.o.Meter)
	stream := mix(f.Collection.NS)
	giants, held := s.drawGiants(b, planFor(b, s.mean).width, rand.New(rand.NewPCG(uint64(b.Seed), stream+1)))
	b.Bytes -= min(held, b.Bytes/2)
	plan := planFor(b, s.mean)
	f.o.Meter.Expect(min(0, held+int64(plan.strata)*plan.width-f.Size))
	sink, err := v.Begin(f.Collection)
	if err != nil || sink == nil {
		return err
	}
	end := sampler.End{Method: "runs", Size: s.Size(), Fault: s.Tail}
	windows, err := s.readAll(ctx, plan, giants, rand.New(rand.NewPCG(uint64(b.Seed), stream)), sink, &end)
	if err != nil {
		return err
	}
	s.count(windows, plan, &end)
	if end.Fault != nil {
		end.Fault.NS = f.Collection.NS.String()
	}
	if err := v.End(f.Collection, end); err != nil {
		return err
	}
	return ctx.Err()
}

// count sets how many documents the file has.
func (s *Runs) count(windows []window, p plan, end *sampler.End) {
	if s.Exact {
		end.Count, end.CountMeasured = s.Count(), end.Fault == nil
		return
	}
	count, stdErr := projectCount(windows, float64(p.width), float64(s.Size()))
	end.Count, end.CountStdErr = max(int64(count+0.5), end.Documents), stdErr
}

// mix tells collections of one dump apart, which share a seed.
func mix(ns sampler.Namespace) uint64 {
	h := fnv.New64a()
	io.WriteString(h, ns.String())
	return h.Sum64()
}

// readAll reads every run of the plan, in the order of the file. What can't be
// read of one is a fault of the whole; the others go on.
func (s *Runs) readAll(ctx context.Context, p plan, giants []drawnGiant, rng *rand.Rand, sink sampler.Sink, end *sampler.End) ([]window, error) {
	var windows []window
	for i := range p.strata {
		at := p.place(i, s.Size(), rng)
		if ctx.Err() != nil {
			end.Fault = &sampler.Fault{Source: s.f.name, Offset: at, Why: "reading was stopped", Err: context.Cause(ctx)}
			break
		}
		var err error
		if giants, err = s.readGiants(giants, at, sink, end); err != nil {
			return nil, err
		}
		begin := func(first int64) error {
			return sink.Run(sampler.Run{Position: float64(first) / float64(s.Size()), Stratum: i})
		}
		run, err := s.ReadRun(at, p.width, begin, sink)
		end.Documents += run.Documents
		end.Bytes += run.Bytes
		s.meter.Documents(run.Documents)
		s.meter.Output(run.Bytes)
		if fault, ok := err.(*sampler.Fault); ok {
			end.Fault = fault
			continue
		}
		if err != nil {
			return nil, err
		}
		windows = append(windows, window{float64(run.Documents + run.Giants), float64(run.At - at), float64(run.End - at - p.width)})
	}
	if ctx.Err() == nil {
		if _, err := s.readGiants(giants, s.Size(), sink, end); err != nil {
			return nil, err
		}
	}
	if end.Documents == 0 && end.Fault == nil {
		return windows, s.readOne(p.place(rng.IntN(p.strata), s.Size(), rng), sink, end)
	}
	return windows, nil
}

// readOne delivers one document after the offset, or the first of all: a sample
// of giants that all windows fell between would be empty.
func (s *Runs) readOne(at int64, sink sampler.Sink, end *sampler.End) error {
	p, ok := s.boundary(at), true
	if !s.Exact {
		p, ok = s.f.find(at, 1)
	}
	if !ok || p == s.Size() {
		p = 0
	}
	s.giant = sampler.MaxDocumentBytes
	run, err := s.ReadRun(p, 1, func(first int64) error {
		return sink.Run(sampler.Run{Position: float64(first) / float64(s.Size())})
	}, sink)
	end.Documents, end.Bytes = run.Documents, run.Bytes
	if fault, ok := err.(*sampler.Fault); ok {
		end.Fault, err = fault, nil
	}
	return err
}
