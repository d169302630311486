package main

import (
	"context"
	"math"
	"os"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
)

// Samples of one collection from several places, such as its shards, are read as
// one: their counts and sizes add up, and their documents count by how much each
// place holds. Of a place that was sampled more densely than the others, runs are
// left out evenly until all are equally dense, since an estimate takes every
// document that it is given for the same share of the collection.

// joint is one collection in several samples.
type joint struct {
	places  []sampler.End // of each sample, in the order of reading
	next    int           // place that is read next
	size    int64         // of all places
	density float64       // sampled share of bytes, least of all places
	sink    sampler.Sink
	end     sampler.End // of what has been read
	before  int64       // bytes of the places before the one that is read
	c       sampler.Collection
}

// survey looks for collections that are in more than one of the samples given.
func (f *sourceFlags) survey(ctx context.Context, inputs []*input) map[sampler.Namespace]*joint {
	all := map[sampler.Namespace]*joint{}
	if len(inputs) < 2 {
		return all
	}
	v := &surveyor{all}
	for _, in := range inputs {
		info, err := os.Stat(in.name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		src, err := dump.Open(in.name, dump.Options{Select: f.selected})
		if err == nil && src.Kind() == "sample" {
			_ = src.Read(ctx, sampler.Budget{}, v) // a fault comes again when it is read
		}
	}
	for ns, j := range all {
		if len(j.places) < 2 {
			delete(all, ns)
		}
	}
	return all
}

// surveyor notes how collections end.
type surveyor struct {
	all map[sampler.Namespace]*joint
}

func (s *surveyor) Begin(sampler.Collection) (sampler.Sink, error) { return nowhere{}, nil }

func (s *surveyor) End(c sampler.Collection, end sampler.End) error {
	j := s.all[c.NS]
	if j == nil {
		j = &joint{density: 1, end: sampler.End{CountMeasured: true, Method: end.Method}}
		s.all[c.NS] = j
	}
	j.places = append(j.places, end)
	j.size += end.Size
	j.density = min(j.density, density(end))
	return nil
}

func (s *surveyor) Skip(sampler.Namespace, *sampler.Fault) {}

// density is the share of a place's bytes that are in its sample.
func density(e sampler.End) float64 {
	return min(1, float64(e.Bytes)/math.Max(1, float64(e.Size)))
}

type nowhere struct{}

func (nowhere) Run(sampler.Run) error { return nil }
func (nowhere) Document([]byte) error { return nil }

// joiner makes one collection of each that is in several samples.
type joiner struct {
	sampler.Visitor
	joints map[sampler.Namespace]*joint
}

// Begin is part of sampler.Visitor.
func (v *joiner) Begin(c sampler.Collection) (sampler.Sink, error) {
	j := v.joints[c.NS]
	if j == nil || j.next >= len(j.places) {
		return v.Visitor.Begin(c)
	}
	if j.sink == nil {
		var err error
		j.c = c
		if j.sink, err = v.Visitor.Begin(c); err != nil || j.sink == nil {
			return nil, err
		}
	}
	place := j.places[j.next]
	return &placeSink{j: j, number: j.next, size: place.Size, share: j.density / density(place), due: 1}, nil
}

// End is part of sampler.Visitor.
func (v *joiner) End(c sampler.Collection, end sampler.End) error {
	j := v.joints[c.NS]
	if j == nil || j.next >= len(j.places) {
		return v.Visitor.End(c, end)
	}
	j.next++
	j.before += end.Size
	j.end.Count += end.Count
	j.end.Size += end.Size
	j.end.CountStdErr = math.Hypot(j.end.CountStdErr, end.CountStdErr)
	j.end.CountMeasured = j.end.CountMeasured && end.CountMeasured
	if end.Fault != nil {
		j.end.Fault = end.Fault
	}
	if j.next < len(j.places) {
		return nil
	}
	return v.Visitor.End(c, j.end)
}

// finish ends what some places are missing of, since they were not read.
func (v *joiner) finish() error {
	for _, j := range v.joints {
		if j.sink == nil || j.next >= len(j.places) {
			continue
		}
		if j.end.Fault == nil {
			j.end.Fault = &sampler.Fault{NS: j.c.NS.String(), Offset: -1, Why: "not read: the other places of the collection"}
		}
		j.next = len(j.places)
		if err := v.Visitor.End(j.c, j.end); err != nil {
			return err
		}
	}
	return nil
}

// placeSink takes the documents of one place.
type placeSink struct {
	j      *joint
	number int
	size   int64
	share  float64 // of its runs that pass
	due    float64 // a run passes when this reaches 1
	passes bool
	chosen bool  // the sample is made of runs
	bytes  int64 // of documents so far
	cut    int64 // bytes at which the next piece of a whole collection begins
}

// strataOfPlace keeps the strata of places apart.
const strataOfPlace = 1 << 20

// Run is part of sampler.Sink.
func (s *placeSink) Run(r sampler.Run) error {
	s.chosen = true
	if s.passes = r.Stands > 0 || s.due >= 1; r.Stands == 0 {
		if s.passes {
			s.due--
		}
		s.due += s.share
	}
	if !s.passes {
		return nil
	}
	r.Position = (float64(s.j.before) + r.Position*float64(s.size)) / math.Max(1, float64(s.j.size))
	r.Stratum += s.number * strataOfPlace
	return s.j.sink.Run(r)
}

// Document is part of sampler.Sink. A collection that is whole where others are
// not goes by in pieces as long as a run.
func (s *placeSink) Document(doc []byte) error {
	switch {
	case s.j.density == 1:
		s.passes = true
	case !s.chosen && s.bytes >= s.cut:
		if err := s.Run(sampler.Run{Position: float64(s.bytes) / math.Max(1, float64(s.size))}); err != nil {
			return err
		}
		s.chosen, s.cut = false, s.bytes+runBytes
	}
	s.bytes += int64(len(doc))
	if !s.passes {
		return nil
	}
	s.j.end.Documents++
	s.j.end.Bytes += int64(len(doc))
	return s.j.sink.Document(doc)
}
