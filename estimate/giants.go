package estimate

import (
	"slices"

	"github.com/wtsize/wtsize/sampler"
)

// giants are the documents of a stream that are too large for stretches: all of
// them are measured, and some are held, as stretches of one document.
type giants struct {
	*sampler.Giants[*stretch]
	least int64 // a giant has more bytes
}

// giantShare of a store's bytes is for giants.
const giantShare = 4

// separate takes the giants out of what is held, and from then on out of what
// comes: until now everything was held, as it came.
func (s *store) separate() {
	mean := s.offset / max(1, s.ordinal)
	s.giants = &giants{
		Giants: sampler.NewGiants[*stretch](s.limit/giantShare, s.rng),
		least:  sampler.GiantRuns * min(max(stretchBytes, stretchDocuments*mean), mostStretchBytes),
	}
	before := s.held
	for _, k := range s.kept {
		s.held += s.purge(k)
	}
	if s.current != nil && s.wanted {
		s.held += s.purge(s.current)
	}
	s.kept = slices.DeleteFunc(s.kept, func(k *stretch) bool { return len(k.ends) == 0 })
	s.held += s.giants.Held()
	s.memory.grow(s.held - before)
}

// purge moves the giants of a stretch to where giants are, and gives how many
// bytes more the stretch holds.
func (s *store) purge(k *stretch) int64 {
	var bytes []byte
	var ends []int32
	offset := k.offset
	for i := range k.ends {
		doc := k.document(i)
		if int64(len(doc)) > s.giants.least {
			s.giants.add(doc, offset, k.ordinal+int64(i))
		} else {
			bytes = append(bytes, doc...)
			ends = append(ends, int32(len(bytes)))
		}
		offset += int64(len(doc))
	}
	if len(ends) == len(k.ends) {
		return 0
	}
	more := int64(len(bytes) - len(k.bytes))
	k.bytes, k.ends = bytes, ends
	return more
}

// take holds a giant, or passes it over, and reports whether doc is one.
func (g *giants) take(s *store, doc []byte) bool {
	if g == nil || int64(len(doc)) <= g.least {
		return false
	}
	before := g.Held()
	g.Limit(s.limit / giantShare)
	g.add(doc, s.offset, s.ordinal)
	s.pass(doc)
	s.hold(g.Held() - before)
	return true
}

func (g *giants) add(doc []byte, offset, ordinal int64) {
	k := &stretch{bytes: slices.Clone(doc), ends: []int32{int32(len(doc))}, offset: offset, ordinal: ordinal}
	g.Add(k, int64(len(doc)), float64(len(doc)))
}

// join adds the giants held to the other stretches.
func (g *giants) join(all []*stretch) []*stretch {
	if g == nil {
		return all
	}
	g.Each(func(k *stretch, stands int64) {
		k.stands = stands
		all = append(all, k)
	})
	return all
}

// ordinary gives the stretches that are no giants, unless all are.
func ordinary(all []*stretch) []*stretch {
	out := slices.DeleteFunc(slices.Clone(all), func(k *stretch) bool { return k.stands > 0 })
	if len(out) == 0 {
		return all
	}
	return out
}
