package generate

var groupedIndexes = []index{{keys: []key{{"source", 1}}}}

// groupsExpected is about how many groups the expected documents fall into.
const groupsExpected = 40

// group is one source of a grouped collection. Its text, its field count and
// its sizes are its own, as when many feeds were loaded one after another.
type group struct {
	number int
	left   int64 // documents still to make
	words  [64]string
	names  [12]string
	fields int
	median int // bytes of text
	random int // bytes that do not compress
}

// nextGroup draws a group. Lengths differ by a factor of about 20.
func (s *Stream) nextGroup() {
	r, g := &s.rng, &s.group
	*g = group{number: g.number + 1}
	g.left = int64(max(r.lognormal(int(max(s.expect/groupsExpected, 1)), 65_536), 1))
	for i := range g.words {
		g.words[i] = r.made(r.between(1, 4))
	}
	for i := range g.names {
		g.names[i] = r.made(r.between(1, 3)) + string(rune('a'+i))
	}
	g.fields = r.between(2, len(g.names))
	g.median = r.lognormal(160, 98_304)
	g.random = max(r.between(-24, 24), 0)
}

// made makes a word up.
func (r *rng) made(parts int) string {
	var word string
	for range parts {
		word += r.one(syllables[:])
	}
	return word
}

func writeGrouped(s *Stream) {
	if s.group.left == 0 {
		s.nextGroup()
	}
	d, r, g := &s.doc, &s.rng, &s.group
	g.left--
	s.identify()
	d.int32("source", int32(g.number))
	for i := range g.fields {
		if i%3 == 2 {
			d.int32(g.names[i], int32(r.below(1_000*(i+1))))
			continue
		}
		d.string(g.names[i], g.words[r.below(16)])
	}
	if g.random > 0 {
		d.beginBinary("key", g.random)
		d.b = r.bytes(d.b, g.random)
	}
	d.beginString("text")
	for end := len(d.b) + r.lognormal(g.median, 32_768); len(d.b) < end; {
		d.b = append(d.b, g.words[r.below(len(g.words))]...)
		d.b = append(d.b, ' ')
	}
	d.endString()
}
