package index

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wtsize/wtsize/estimate/keystring"
)

// A cloner makes up the entries of the population that the sample does not
// have. Every block stands for as many blocks as the population is larger than
// the sample; the others are like it: with its value at the levels where values
// repeat, with a new value near its own where they do not.
type cloner struct {
	*lineage
	factor float64 // population by sample
	docs   float64 // documents of the population
	rng    *rand.Rand
	buffer []byte
	record []byte
	emit   func(keystring.Entry)
	made   []tableEntry
	arena  []byte
	// serial numbers the copies of one clump.
	serial, copied int
	// unit is where the entries of a clump stand that keeps together, before the
	// key that its next entry follows.
	unit, before []byte
	taken        map[uint64]bool // hashes of values in use
	hash         maphash.Seed    // tells values apart; results do not depend on it
}

// copies makes the other clumps that b stands for, count on average.
func (c *cloner) copies(b *clump, count float64) {
	c.copied = c.round(count)
	c.serial = 0
	for left := c.copied; left > 0; {
		c.serial++
		left -= c.clone(b, left)
	}
}

// round keeps the mean of a fractional number.
func (c *cloner) round(x float64) int {
	n := int(x)
	if c.rng.Float64() < x-float64(n) {
		n++
	}
	return n
}

// clone makes one block, or a group of them that share a new value, and says how
// many of those that are left it took.
func (c *cloner) clone(b *clump, left int) int {
	if b.within < len(c.key(b.first)) {
		c.tile(b)
		return 1
	}
	level := c.newLevel(b)
	if level == len(b.met) {
		c.repeat(b)
		return 1
	}
	size := c.groupSize(level)
	if size > left {
		if c.rng.IntN(size) >= left { // too many for what is left: all or none
			return left
		}
	}
	c.group(b, level, size)
	return min(size, left)
}

// newLevel draws the first level at which a clone has another value than b;
// len(b.met) when all that b's entries share stays.
func (c *cloner) newLevel(b *clump) int {
	before := 1.0
	for level, met := range b.met {
		stays := min(before, c.species[level].stays(float64(met)))
		if c.rng.Float64()*before >= stays {
			return level
		}
		before = stays
	}
	return len(b.met)
}

// groupSize draws how many blocks share a new value of a level.
func (c *cloner) groupSize(level int) int {
	mean := c.species[level].groupSize(c.factor)
	if mean <= 1.001 {
		return 1
	}
	// Geometric from 1.
	return 1 + int(math.Log(1-c.rng.Float64())/math.Log(1-1/mean))
}

// repeat makes a clump of the same keys elsewhere in the collection.
func (c *cloner) repeat(b *clump) {
	base := c.elsewhere(b)
	for i := b.first; i <= b.last; i++ {
		c.put(i, c.key(i), base+float64(c.all[i].doc))
	}
}

// elsewhere is the start of a run that b's value is met in again. A value met in
// most runs takes its turn through the part of the collection that b's run
// stands for; others keep the distances seen in the sample.
func (c *cloner) elsewhere(b *clump) float64 {
	run := &c.s.runs[c.all[b.first].run]
	kept := float64(c.kept(run))
	met := b.met[len(b.met)-1]
	if int(met)*2 >= c.sampledRuns {
		share := c.docs / float64(c.sampledRuns)
		place := run.position*c.docs + share*float64(c.serial)/float64(c.copied+1)
		return math.Mod(place, max(1, c.docs-kept))
	}
	return math.Floor(c.near(run.position)/kept) * kept
}

// near draws a place for another meeting of a value met at position: values may
// keep to one part of the collection.
func (c *cloner) near(position float64) float64 {
	if len(c.steps) == 0 {
		return c.rng.Float64() * c.docs
	}
	step := c.steps[c.rng.IntN(len(c.steps))] * c.rng.Float64()
	if c.rng.IntN(2) == 0 {
		step = -step
	}
	if position+step < 0 || position+step > 1 {
		step = -step
	}
	return min(1, max(0, position+step)) * c.docs
}

// tile makes the runs that come before the next one of the sample, where the key
// follows the order of the collection: they go on where b ends. A step between
// two of them is like one inside b, and what b's entries share with each other
// stays as it is.
func (c *cloner) tile(b *clump) {
	if c.serial == 1 {
		c.before = append(c.before[:0], c.key(b.last)...)
	}
	run := &c.s.runs[c.all[b.first].run]
	base := run.position*c.docs + float64(c.serial)*float64(c.kept(run))
	last := &c.all[b.last]
	c.unit, _ = c.s.gen.Place(nil, nil, keystring.Entry{Key: c.s.keyOf(last), Record: c.recordID(last, c.place(last))})
	c.unit = binary.BigEndian.AppendUint32(c.unit, uint32(c.serial))
	like := c.pattern(b)
	shared := int(c.shared[b.first+1+c.rng.IntN(b.last-b.first)])
	for i := like.first; i <= like.last; i++ {
		if i > like.first {
			shared = int(c.shared[i])
		}
		own := c.key(i)
		shared = min(shared, len(own), len(c.before))
		key := append(append(c.buffer[:0], c.before[:shared]...), own[shared:]...)
		if i == like.first && shared < len(key) && shared < len(c.before) && key[shared] == c.before[shared] {
			key[shared]++
		}
		c.buffer = key
		c.before = append(c.before[:0], key...)
		c.put(i, key, base+float64(c.all[i].doc))
	}
	c.unit = nil
}

// pattern draws a run near b that follows the order of the collection as b does:
// what is seldom, such as a carry into a higher byte, is then as seldom.
func (c *cloner) pattern(b *clump) *clump {
	at := c.indexOf(b)
	for range tries {
		if k := c.clumpNear(at); k.last > k.first && k.within < len(c.key(k.first)) && alike(b, k) {
			return k
		}
	}
	return b
}

// alike: neither clump has more than twice the entries of the other.
func alike(b, k *clump) bool {
	n, m := b.last-b.first+1, k.last-k.first+1
	return n <= 2*m && m <= 2*n
}

// kept is how many documents of a run the sample keeps.
func (c *cloner) kept(run *sampledRun) int32 {
	if c.s.perRun > 0 {
		return min(run.docs, c.s.perRun)
	}
	return run.docs
}

// group makes size blocks that share a new value at a level: the start of b's
// value, as far as it has that in common with other runs, and the rest of
// another value. What follows comes from entries nearby.
func (c *cloner) group(b *clump, level, size int) {
	e := &c.all[b.first]
	ends := c.s.endsOf(e)
	from, to := 0, int(ends[level])
	if level > 0 {
		from = int(ends[level-1])
	}
	split := b.apart
	if split < from || split >= to {
		split = from
	}
	head := c.newValue(b.first, level, from, split)
	at := c.indexOf(b)
	fresh := c.freshValues(level)
	like := b
	for i := range size {
		if i > 0 && c.rng.Float64() < fresh || i == 0 && level+1 < int(e.levels) && b.first == b.last {
			if k := c.clumpNear(at); alike(b, k) {
				like = k
			}
		}
		c.under(head, level, like)
	}
}

// freshValues is the share of the members of a new value of a level, after the
// first, that have a value of their own at the last level.
func (c *cloner) freshValues(level int) float64 {
	last := len(c.species) - 1
	size := c.species[level].groupSize(c.factor)
	if level >= last || size <= 1 {
		return 1
	}
	per := c.species[last].values(c.factor) / max(1, c.species[level].values(c.factor))
	return min(1, max(0, (per-1)/(size-1)))
}

// under emits the entries of a clump with another start, elsewhere.
func (c *cloner) under(head []byte, level int, like *clump) {
	base := c.rng.Float64() * c.docs
	for i := like.first; i <= like.last; i++ {
		o := &c.all[i]
		key := append(c.buffer[:0], head...)
		if level < int(o.levels) {
			key = append(key, c.key(i)[c.s.endsOf(o)[level]:]...)
		} else {
			key = append(key, 0x04)
		}
		c.buffer = key
		c.put(i, key, base+float64(o.doc-c.all[like.first].doc))
	}
}

// indexOf is the number of a clump.
func (c *cloner) indexOf(b *clump) int {
	at, _ := slices.BinarySearchFunc(c.clumps, b.first, func(k clump, first int) int { return k.first - first })
	return at
}

// clumpNear draws a clump close to another in key order.
func (c *cloner) clumpNear(at int) *clump {
	const reach = 16 // clumps
	low, high := max(0, at-reach), min(len(c.clumps)-1, at+reach)
	return &c.clumps[low+c.rng.IntN(high-low+1)]
}

// newValue gives a key up to and including the level, with a value of it that
// nothing else has yet. Where values are dense, as small whole numbers are, most
// that come up are taken: then the next free one is.
func (c *cloner) newValue(i, level, from, split int) []byte {
	var head []byte
	for try := range tries {
		pieces := 1 // a new combination of what there is
		if try >= tries/2 {
			pieces = 3
		}
		head = append(append(head[:0], c.key(i)[:split]...), c.otherValue(i, level, from, split, pieces)...)
		if c.claim(head) {
			return head
		}
	}
	for range 1000 {
		step(head[from+1:])
		if c.claim(head) {
			break
		}
	}
	return head
}

// step adds to a value the least that keeps its form: 2 to a number, 1 to the
// last letter of a text.
func step(v []byte) {
	by := byte(2)
	if n := len(v); n > 1 && (v[n-1] == 0 || v[n-1] == 0xFF) {
		v, by = v[:n-1], 1
	}
	for i := len(v) - 1; i >= 0; i-- {
		if v[i] += by; v[i] >= by {
			return
		}
		by = 1
	}
}

// claim takes a value; false if it was taken before.
func (c *cloner) claim(head []byte) bool {
	h := maphash.Bytes(c.hash, head)
	if c.taken[h] {
		return false
	}
	c.taken[h] = true
	return true
}

// otherValue gives the end of a new value of the level, to stand after the bytes
// from..split of entry i's. It starts with pieces of other values, each from one
// whose bytes before agree with those it is put behind.
func (c *cloner) otherValue(i, level, from, split, pieces int) []byte {
	value := append([]byte(nil), c.key(i)[from:split]...)
	for piece := 1; ; piece++ {
		donor := c.donorValue(i, level, value)
		if donor == nil {
			break
		}
		at, n := len(value), 2+c.rng.IntN(3)
		if piece == pieces || at+n >= len(donor)-1 {
			value = append(value, donor[at:]...)
			break
		}
		value = append(value, donor[at:at+n]...)
	}
	return value[split-from:]
}

// tries is how many entries are looked at to find a fitting one.
const tries = 8

// donorValue draws another value of the level that is longer than what value
// has so far: of several, the one whose bytes there agree best.
func (c *cloner) donorValue(i, level int, value []byte) []byte {
	own, n := c.levelOf(i, level), len(value)
	var best []byte
	bestFit := -1
	for range tries {
		v := c.levelOf(c.rng.IntN(len(c.all)), level)
		if len(v) <= n || n > 0 && v[0] != value[0] || bytes.Equal(v, own) {
			continue
		}
		fit := 0
		for fit < n && fit < 3 && v[n-1-fit] == value[n-1-fit] {
			fit++
		}
		if fit > bestFit {
			best, bestFit = v, fit
		}
	}
	if best == nil && n < len(own) {
		return own
	}
	return best
}

// levelOf is entry i's value at a level; nil where it has none.
func (c *cloner) levelOf(i, level int) []byte {
	e := &c.all[i]
	if level >= int(e.levels) {
		return nil
	}
	ends := c.s.endsOf(e)
	if level == 0 {
		return c.key(i)[:ends[0]]
	}
	return c.key(i)[ends[level-1]:ends[level]]
}

// put emits an entry like i with another key, at a place in the collection.
func (c *cloner) put(i int, key []byte, place float64) {
	o := &c.all[i]
	c.emit(keystring.Entry{Key: key, Record: c.recordID(o, place), Bits: c.s.bitsOf(o)})
}

// recordID is the RecordId of a place, as bytes; a clustered collection's are
// keys, and stay those of the entry.
func (c *cloner) recordID(o *sampled, place float64) []byte {
	if c.s.clustered() {
		return c.s.recordOf(o)
	}
	c.record = keystring.AppendRecordID(c.record[:0], 1+int64(place))
	return c.record
}
