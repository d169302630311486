package generate

var (
	logIndexes   = []index{{keys: []key{{"ts", 1}}}, {keys: []key{{"svc", 1}, {"ts", -1}}}}
	driftIndexes = []index{{keys: []key{{"customer", 1}}}}
	heavyIndexes = []index{{keys: []key{{"kind", 1}}}}
	tinyIndexes  = []index{{keys: []key{{"v", 1}}}}
)

func writeLog(s *Stream) {
	d, r := &s.doc, &s.rng
	s.identify()
	d.date("ts", (firstSecond+s.made)*1000+int64(r.below(1000)))
	d.string("lvl", r.one(levels[:]))
	d.string("svc", r.one(services[:]))
	d.string("path", r.one(routes[:]))
	d.int32("status", []int32{200, 200, 200, 200, 201, 304, 404, 500}[r.below(8)])
	d.double("ms", float64(r.lognormal(40_000, 98_304))/1000)
	d.beginString("ip")
	d.b = append(d.b, "10."...)
	d.digits(int64(r.below(256)), 1)
	d.b = append(d.b, '.')
	d.digits(int64(r.below(256)), 1)
	d.endString()
	d.string("msg", r.one(messages[:]))
	d.beginString("trace")
	d.hex(r.word())
	d.hex(r.word())
	d.endString()
}

// randomPayload makes documents of 1,110 bytes: 20,000 of them are the
// 22,200,000 bytes of the published measurement.
const randomPayload = 1110 - 5 - 17 - 14

func writeRandom(s *Stream) {
	s.identify()
	s.doc.beginBinary("payload", randomPayload)
	s.doc.b = s.rng.bytes(s.doc.b, randomPayload)
}

// writeDrift makes short flat documents, then long nested ones: a sample from
// the head says nothing about the second half.
func writeDrift(s *Stream) {
	d, r := &s.doc, &s.rng
	s.identify()
	if s.made < s.expect/2 {
		s.coded("customer", 'c', 2_000)
		d.int32("amount", int32(r.between(1, 9_999)))
		d.string("state", r.one(states[:]))
		d.string("note", r.one(sentences[:]))
		return
	}
	d.int32("schema", 2)
	s.coded("customer", 'c', 9_000)
	d.beginDocument("amount")
	d.double("value", float64(r.between(1, 999_999))/100)
	d.string("currency", "VND")
	d.end()
	s.writeItems()
	s.writeShipping()
	d.beginBinary("signature", 64)
	d.b = r.bytes(d.b, 64)
}

func beginHeavy(s *Stream) {
	s.giant = int64(mix(s.seed) % uint64(s.expect))
}

// maxBody bounds the ordinary documents of shape heavy, so that the giant is alone.
const maxBody = 256 << 10

// writeHeavy makes sizes of a long tail: median 200 bytes, one in 40 above
// 1 KB. Document number giant fills the 16 MiB that a server allows.
func writeHeavy(s *Stream) {
	d, r := &s.doc, &s.rng
	s.identify()
	d.string("kind", r.one(services[:]))
	target := min(r.lognormal(200, 81_920), maxBody)
	if s.made == s.giant {
		target = maxDocument
	}
	// A string named body costs 11 bytes around its text, the document's end one.
	s.fillText("body", target-len(d.b)-12)
}

// fillText writes a string of n bytes of words, or an empty one.
func (s *Stream) fillText(name string, n int) {
	d := &s.doc
	d.beginString(name)
	end := len(d.b) + max(n, 0)
	for len(d.b) < end {
		w := s.rng.word()
		for range 3 {
			d.b = append(d.b, messages[w&7]...)
			d.b = append(d.b, ' ')
			d.b = append(d.b, syllables[w>>3&31]...)
			d.b = append(d.b, syllables[w>>8&31]...)
			d.b = append(d.b, ' ')
			w >>= 16
		}
	}
	d.b = d.b[:end]
	d.endString()
}

func writeTiny(s *Stream) {
	s.doc.int32("_id", int32(s.made))
	s.doc.double("v", float64(s.rng.below(10_000))/4)
	s.doc.bool("ok", s.rng.below(8) > 0)
}

const (
	minLarge    = 100 << 10
	maxDocument = 16 << 20
)

// writeLarge spreads sizes evenly over their logarithm; a third of the bytes is
// random, the rest text.
func writeLarge(s *Stream) {
	d, r := &s.doc, &s.rng
	// 2^7.356 is 16 MiB / 100 KiB.
	size := min(minLarge*exp2(int64(r.below(482_083)))>>16, maxDocument)
	s.identify()
	s.coded("name", 'f', 10_000)
	blob := int(size) / 3
	d.beginBinary("blob", blob)
	d.b = r.bytes(d.b, blob)
	s.fillText("text", int(size)-len(d.b)-12)
}
