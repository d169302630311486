package estimate

import (
	"math/rand/v2"

	"github.com/wtsize/wtsize/sampler"
)

// A stretch is documents that lie next to each other in the collection.
type stretch struct {
	run     sampler.Run
	bytes   []byte // the documents, one after the other
	ends    []int32
	offset  int64 // bytes before it, in a stream
	ordinal int64 // documents before it, in a stream
	number  int64 // stretches before it, in a stream
	stands  int64 // bytes of the collection that a giant stands for, 0 of others
	size    int64 // of the documents, once it is part of a population
	first   int64 // RecordId of the first document, likewise
}

func (s *stretch) document(i int) []byte {
	if i == 0 {
		return s.bytes[:s.ends[0]]
	}
	return s.bytes[s.ends[i-1]:s.ends[i]]
}

// A store keeps documents within a bound. Of a stream whose length nobody
// knows it keeps stretches from everywhere: one of every group of stretches,
// drawn at random. When it is full, one of every two kept ones goes and groups
// become twice as long, so at any moment each group is represented once
// (stratified sampling with one draw per stratum). A source that announces its
// runs has chosen already; they are kept as they come.
type store struct {
	limit  int64
	share  float64 // the limit grows with so much of what comes
	memory *memory
	rng    *rand.Rand

	kept            []*stretch
	held            int64 // bytes of kept and current
	current         *stretch
	wanted          bool  // current is to be kept
	group           int64 // stretches in a group
	opened          int64 // stretches so far
	chosen          int64 // number of the stretch that stands for the group under way
	chosenRuns      bool
	offset, ordinal int64
	giants          *giants // once not everything is held
}

// Stretches are closed at stretchBytes once they hold stretchDocuments, and at
// mostStretchBytes in any case.
const (
	stretchBytes     = 512 << 10
	stretchDocuments = 16
	mostStretchBytes = 8 << 20
	// leastSample is held of a stream before a share of it is counted.
	leastSample = 8 * stretchBytes
	// roomBytes is set aside for a stretch, its last document included.
	roomBytes = stretchBytes + stretchBytes/8
)

func newStore(limit, seed int64, m *memory) *store {
	s := &store{limit: limit, memory: m, rng: rand.New(rand.NewPCG(uint64(seed), 1)), group: 1}
	m.join(s)
	return s
}

// newSample keeps what a budget allows.
func newSample(b sampler.Budget, m *memory) *store {
	if b.Share > 0 {
		b.Bytes = leastSample
	}
	s := newStore(b.Bytes, b.Seed, m)
	s.share = b.Share
	return s
}

// complete reports whether everything that came in is held.
func (s *store) complete() bool { return !s.chosenRuns && s.group == 1 }

// run starts a stretch that the source has chosen.
func (s *store) run(r sampler.Run) {
	s.chosenRuns = true
	s.close()
	s.current, s.wanted = &stretch{run: r, bytes: make([]byte, 0, roomBytes), stands: r.Stands}, true
}

// add takes a document.
func (s *store) add(doc []byte) {
	if s.giants.take(s, doc) {
		return
	}
	if s.current == nil {
		s.open()
	}
	if s.wanted {
		s.current.bytes = append(s.current.bytes, doc...)
		s.hold(int64(len(doc)))
	}
	// A stretch that is passed over is measured all the same.
	s.current.ends = append(s.current.ends, int32(len(s.current.bytes)))
	s.pass(doc)
	if !s.chosenRuns && s.full(s.offset-s.current.offset, len(s.current.ends)) {
		s.close()
		s.limit = max(s.limit, int64(s.share*float64(s.offset)))
		for s.held > s.limit && len(s.kept) > 1 {
			s.halve()
		}
	}
}

// pass counts a document.
func (s *store) pass(doc []byte) {
	s.offset += int64(len(doc))
	s.ordinal++
}

// hold accounts for n more bytes in memory.
func (s *store) hold(n int64) {
	s.held += n
	s.memory.grow(n)
}

func (s *store) full(bytes int64, documents int) bool {
	return bytes >= mostStretchBytes || bytes >= stretchBytes && documents >= stretchDocuments
}

func (s *store) open() {
	number := s.opened
	s.opened++
	if number%s.group == 0 {
		s.chosen = number + s.rng.Int64N(s.group)
	}
	s.current = &stretch{offset: s.offset, ordinal: s.ordinal, number: number}
	if s.wanted = number == s.chosen; s.wanted {
		s.current.bytes = make([]byte, 0, roomBytes)
	}
}

func (s *store) close() {
	if s.current != nil && s.wanted && len(s.current.ends) > 0 {
		s.kept = append(s.kept, s.current)
	}
	s.current = nil
}

// halve makes groups twice as long: each takes what stands for one of its
// halves, drawn at random.
func (s *store) halve() {
	if s.giants == nil {
		s.separate()
	}
	half := s.group
	s.group *= 2
	draw := map[int64]int64{} // by group
	lost := func(number int64) bool {
		g := number / s.group
		if _, ok := draw[g]; !ok {
			draw[g] = s.rng.Int64N(2)
		}
		return number%s.group/half != draw[g]
	}
	var freed int64
	kept := s.kept[:0]
	for _, k := range s.kept {
		if lost(k.number) {
			freed += int64(len(k.bytes))
		} else {
			kept = append(kept, k)
		}
	}
	clear(s.kept[len(kept):])
	s.kept = kept
	// The group under way: its draw may lie behind, at hand or ahead.
	if s.current != nil && s.wanted && lost(s.current.number) {
		freed += int64(len(s.current.bytes))
		s.current.bytes, s.wanted = nil, false
	}
	if first := s.opened / s.group * s.group; s.opened > first {
		switch ahead := s.opened <= first+half; {
		case ahead && lost(first): // the first half stands no more, the second is to come
			s.chosen = first + half + s.rng.Int64N(half)
		case s.chosen >= s.opened && lost(s.chosen):
			s.chosen = -1
		}
	}
	s.hold(-freed)
}

// finish ends the last stretch and gives what is held.
func (s *store) finish() []*stretch {
	s.close()
	s.memory.leave(s)
	return s.giants.join(s.kept)
}
