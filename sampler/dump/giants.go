package dump

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wtsize/wtsize/sampler"
)

const (
	// mostProbes bounds the places where giants are looked for, a read of a few
	// kilobytes each; probesEach of them for each of the largest documents that
	// the file has room for miss none of a quarter of that size.
	mostProbes, probesEach = 1024, 4
	// giantShare of the budget is read in giants, as much in finding their
	// beginnings, and probeShare in looking for them.
	giantShare, probeShare = 4, 16
	// probeStep is how much of the file a probe reads at a time, bareBytes how much
	// of it has to be free of boundaries before it is taken for a giant's inside.
	probeStep, bareBytes = 4 << 10, 64 << 10
)

// span is where a document lies.
type span struct{ at, end int64 }

// drawnGiant is one to be read, and what it stands for.
type drawnGiant struct {
	span
	stands int64
}

// drawGiants finds giants for runs of a width, and draws from them what the
// budget allows, in the order of the file. From then on runs leave out all giants.
func (s *Runs) drawGiants(b sampler.Budget, width int64, rng *rand.Rand) (drawn []drawnGiant, bytes int64) {
	g := s.findGiants(b, width, rng)
	g.Each(func(at span, stands int64) { drawn = append(drawn, drawnGiant{at, stands}) })
	return drawn, g.Held()
}

func (s *Runs) findGiants(b sampler.Budget, width int64, rng *rand.Rand) *sampler.Giants[span] {
	s.giant = sampler.GiantRuns * width
	drawn := sampler.NewGiants[span](b.Bytes/giantShare, rng)
	if s.Exact {
		for i, at := range s.at {
			end := s.f.end
			if i+1 < len(s.at) {
				end = s.at[i+1]
			}
			if end-at > s.giant {
				drawn.Add(span{at, end}, end-at, float64(end-at))
			}
		}
		return drawn
	}
	bare := min(max(bareBytes, int64(runDocuments*s.mean)), width)
	probes := s.probe(b, bare, rng)
	slices.SortFunc(s.giants, func(a, b span) int { return cmp.Compare(a.at, b.at) })
	for _, g := range s.giants {
		size := float64(g.end - g.at)
		// A probe recognises a giant everywhere but near its end.
		chance := math.Min(1, (size-float64(bare))*float64(probes)/float64(s.f.end))
		drawn.Add(g, g.end-g.at, size/chance)
	}
	return drawn
}

// probe looks into places spread evenly over the file, in random order, and
// gives the number of places. Giants cost far more than places without: there
// it ends where they have taken as much as allowed, and the last of them, which
// decided that, does not count.
func (s *Runs) probe(b sampler.Budget, bare int64, rng *rand.Rand) (done int) {
	left := b.Bytes / giantShare
	f := &finder{r: s.f.r, end: s.f.end, name: s.f.name, first: s.f.first, step: probeStep, read: s.f.read}
	n := min(mostProbes, probesEach*(1+f.end/sampler.MaxDocumentBytes), b.Bytes/probeShare/max(probeStep, int64(3*s.mean)))
	spacing, offset := float64(f.end)/float64(n), rng.Float64()
	for i, k := range rng.Perm(int(n)) {
		at := int64((float64(k) + offset) * spacing)
		if _, known := s.inGiant(at); known || f.near(at, bare) {
			continue
		}
		f.read = func(n int) {
			left -= int64(n)
			s.f.read(n)
		}
		g, ok := f.around(at, bare)
		f.read = s.f.read
		if f.err != nil || left < 0 {
			return i
		}
		if ok && g.end-g.at > s.giant {
			s.giants = append(s.giants, g)
		}
	}
	return int(n)
}

// inGiant is the giant around an offset, if it was found.
func (s *Runs) inGiant(at int64) (span, bool) {
	i := slices.IndexFunc(s.giants, func(g span) bool { return g.at < at && at < g.end })
	if i < 0 {
		return span{}, false
	}
	return s.giants[i], true
}

// near reports whether there is a boundary within so many bytes.
func (f *finder) near(at, bare int64) bool {
	f.start(at)
	last := min(at+bare, f.end)
	_, ok := f.search(at, last, 0)
	return ok || last == f.end
}

// around finds the document around an offset with no boundary near: from one
// further and further before it, documents follow each other to the one that
// holds the offset.
func (f *finder) around(at, bare int64) (span, bool) {
	for back := bare; back <= 2*sampler.MaxDocumentBytes; back *= 2 {
		from := max(0, at-back)
		p, ok := int64(0), from == 0
		if !ok {
			f.start(from)
			p, ok = f.search(from, min(from+bare, at), 0)
		}
		if ok {
			if g, ok := f.holding(p, at); ok {
				return g, true
			}
		}
		if from == 0 {
			break
		}
	}
	return span{}, false
}

// holding follows documents from boundary p to the one that holds the offset. A
// document comes after it, too, or the end of the file.
func (f *finder) holding(p, at int64) (span, bool) {
	for {
		n, ok := f.frame(p)
		if !ok {
			return span{}, false
		}
		if p+n > at {
			f.start(p + n)
			return span{p, p + n}, p+n == f.end || f.document(p+n) != nil
		}
		p += n
	}
}

// readGiants delivers those before an offset, and gives the others.
func (s *Runs) readGiants(all []drawnGiant, before int64, sink sampler.Sink, end *sampler.End) ([]drawnGiant, error) {
	for len(all) > 0 && all[0].at < before {
		g := all[0]
		all = all[1:]
		s.f.start(g.at)
		doc := s.f.document(g.at)
		if doc == nil {
			doc = s.f.odd(g.at)
		}
		if doc == nil {
			end.Fault = &sampler.Fault{Source: s.f.name, Offset: g.at, Err: s.f.err,
				Why: "a large document is not in order", Hint: "the file is damaged here"}
			continue
		}
		err := sink.Run(sampler.Run{Position: float64(g.at) / float64(s.Size()), Stratum: -1, Stands: g.stands})
		if err != nil {
			return all, err
		}
		if err := sink.Document(doc); err != nil {
			return all, err
		}
		end.Documents++
		end.Bytes += int64(len(doc))
		s.meter.Documents(1)
		s.meter.Output(int64(len(doc)))
	}
	return all, nil
}
