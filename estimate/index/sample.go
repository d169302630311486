package index

import (
	"bytes"

	"github.com/wtsize/wtsize/estimate/keystring"
)

// A Sample holds the index entries of sampled documents in their parts. It
// keeps within its bounds by shortening every run alike, so that what it keeps
// stays a sample of neighbours.
type Sample struct {
	gen     *keystring.Generator
	limits  Limits
	arena   []byte
	ends    []uint32
	entries []sampled
	runs    []sampledRun
	perRun  int32 // documents kept of a run; 0: all
	stride  int32 // every how many-th run is kept
	docs    int64 // documents seen
	made    int64 // entries they made
	work    maker // of windows
}

// Limits bound a Sample, which takes 44 bytes an entry besides the keys; and
// Project takes about 50 MiB. Zero means the default. Indexes that are sampled
// together share a bound of memory: divide it among them.
type Limits struct {
	Entries int // 200,000
	Bytes   int // of keys, 24 MiB
}

// A sampled entry refers to its key (components and end byte), type bits and
// RecordId in the arena.
type sampled struct {
	at           uint32
	key          uint32 // length
	bits, record uint16 // lengths
	ends         uint32 // first of its component ends
	levels       uint16 // how many
	run, doc     int32  // which document of which run
}

type sampledRun struct {
	position float64 // share of the collection before it
	recordID int64   // of its first document; 0: not known
	before   int64   // documents of earlier runs
	docs     int32
	// made counts the entries, kept or not, of documents of so many bytes.
	made, bytes int64
}

// NewSample returns an empty sample of an index.
func NewSample(gen *keystring.Generator, limits Limits) *Sample {
	if limits.Entries == 0 {
		limits.Entries = 200_000
	}
	if limits.Bytes == 0 {
		limits.Bytes = 24 << 20
	}
	return &Sample{gen: gen, limits: limits, stride: 1}
}

// Run starts a run of neighbouring documents at a share of the collection;
// recordID is of its first document, 0 where that is not known.
func (s *Sample) Run(position float64, recordID int64) {
	s.runs = append(s.runs, sampledRun{position: position, recordID: recordID, before: s.docs})
}

// Document takes the entries of the next document of the run.
func (s *Sample) Document(doc []byte) error {
	if len(s.runs) == 0 {
		s.Run(0, 0)
	}
	number := int32(len(s.runs) - 1)
	run := &s.runs[number]
	run.docs++
	run.bytes += int64(len(doc))
	s.docs++
	keep := (s.perRun == 0 || run.docs <= s.perRun) && number%s.stride == 0
	err := s.gen.Parts(doc, int64(run.docs), func(e keystring.Entry) {
		s.made++
		run.made++
		if keep && len(e.Record) < 1<<16 && len(e.Bits) < 1<<16 {
			s.add(e, number, run.docs-1)
		}
	})
	if len(s.entries) > s.limits.Entries || len(s.arena) > s.limits.Bytes {
		s.shorten()
	}
	return err
}

func (s *Sample) add(e keystring.Entry, run, doc int32) {
	s.entries = append(s.entries, sampled{
		at: uint32(len(s.arena)), key: uint32(len(e.Key)), bits: uint16(len(e.Bits)), record: uint16(len(e.Record)),
		ends: uint32(len(s.ends)), levels: uint16(levelsPerComponent * len(e.Ends)), run: run, doc: doc,
	})
	s.arena = append(append(append(s.arena, e.Key...), e.Bits...), e.Record...)
	start := 0
	for _, end := range e.Ends {
		s.ends = appendLevels(s.ends, e.Key[start:end], start)
		start = end
	}
}

// shorten halves what is kept of every run.
func (s *Sample) shorten() {
	longest := int32(1)
	for _, r := range s.runs {
		longest = max(longest, r.docs)
	}
	if s.perRun != 0 {
		longest = s.perRun
	}
	if longest == 1 { // runs cannot be shortened: keep fewer
		s.stride *= 2
		s.filter(func(e sampled) bool { return e.run%s.stride == 0 })
		return
	}
	s.perRun = longest / 2
	s.filter(func(e sampled) bool { return e.doc < s.perRun })
}

func (s *Sample) filter(keep func(sampled) bool) {
	old := *s
	s.arena, s.ends, s.entries = nil, nil, nil
	for _, e := range old.entries {
		if keep(e) {
			n := e
			n.at, n.ends = uint32(len(s.arena)), uint32(len(s.ends))
			s.arena = append(s.arena, old.arena[e.at:e.at+e.key+uint32(e.bits)+uint32(e.record)]...)
			s.ends = append(s.ends, old.ends[e.ends:e.ends+uint32(e.levels)]...)
			s.entries = append(s.entries, n)
		}
	}
}

func (s *Sample) keyOf(e *sampled) []byte { return s.arena[e.at : e.at+e.key] }

func (s *Sample) bitsOf(e *sampled) []byte {
	at := e.at + e.key
	return s.arena[at : at+uint32(e.bits)]
}

func (s *Sample) recordOf(e *sampled) []byte {
	at := e.at + e.key + uint32(e.bits)
	return s.arena[at : at+uint32(e.record)]
}

func (s *Sample) endsOf(e *sampled) []uint32 { return s.ends[e.ends : e.ends+uint32(e.levels)] }

// sorted gives the entries as an index would have them: by key, then by place,
// as they came in.
func (s *Sample) sorted() []sampled {
	common := 0
	if len(s.entries) > 0 {
		common = int(s.entries[0].key)
	}
	for i := range s.entries {
		common = commonPrefix(s.keyOf(&s.entries[i]), s.keyOf(&s.entries[0])[:common])
	}
	ranks := make([]rank, len(s.entries))
	for i := range s.entries {
		ranks[i] = rank{head(s.keyOf(&s.entries[i])[common:]), uint32(i)}
	}
	sortRanks(ranks, func(a, b uint32) int {
		return bytes.Compare(s.keyOf(&s.entries[a]), s.keyOf(&s.entries[b]))
	})
	all := make([]sampled, len(ranks))
	for i, r := range ranks {
		all[i] = s.entries[r.at]
	}
	return all
}

// Entries is how many entries a document makes, and how many bytes one has.
func (s *Sample) Entries() (perDocument, each float64) {
	return float64(s.made) / float64(max(1, s.docs)), float64(len(s.arena)) / float64(max(1, len(s.entries)))
}

// kept is how many documents of a run the sample keeps.
func (s *Sample) kept(run *sampledRun) int32 {
	if s.perRun > 0 {
		return min(run.docs, s.perRun)
	}
	return run.docs
}

// clustered: RecordIds are keys.
func (s *Sample) clustered() bool { return s.gen.Clustered() }

// levelsPerComponent is how many levels a component of a key counts for.
const levelsPerComponent = 3

// appendLevels appends where the levels of a component end: a text's part up to
// its first separator, up to its last one, and all of it. Names, addresses and
// paths repeat by such parts.
func appendLevels(dst []uint32, c []byte, at int) []uint32 {
	first, last := len(c), len(c)
	if isText(c) {
		flip := byte(0)
		if c[0] == textDown {
			flip = 0xFF
		}
		for i := 1; i < len(c)-1; i++ {
			if separates(c[i] ^ flip) {
				last = i + 1
				first = min(first, last)
			}
		}
	}
	return append(dst, uint32(at+first), uint32(at+last), uint32(at+len(c)))
}

// Type bytes of strings, ascending and descending.
const (
	text     = 60
	textDown = 255 - text
)

// isText tells by its type byte whether a component, or its first level, is a
// string.
func isText(c []byte) bool { return len(c) > 0 && (c[0] == text || c[0] == textDown) }

func separates(c byte) bool {
	switch c {
	case ' ', '-', '_', '.', '/', ':', '@', '#', '|', ',':
		return true
	}
	return false
}
