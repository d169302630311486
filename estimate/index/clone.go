package index

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/rand/v2"

	"github.com/wtsize/wtsize/estimate/keystring"
)

// A cloner makes up the entries of the population that the sample does not
// have. Every clump stands for as many clumps as the population is larger than
// the sample; the others are like it: with its value at the levels where values
// repeat, with a new value near its own where they do not.
type cloner struct {
	*lineage
	factor float64 // population by sample
	docs   float64 // documents of the population
	rng    *rand.Rand
	pools  []*pool // per level
	buffer []byte  // of a key
	record []byte  // of a RecordId
	value  []byte  // of a new value
	head   []byte  // of a key up to it
	room   room
	made   *maker
	grower *Grower // grows what is built; nil: not asked for
	recent *recent // builds it with time windows; nil: not asked for
	// serial numbers the copies of one clump.
	serial, copied int
	// unitAt and unitSize are where the entries of a clump stand that keeps
	// together, before the key that its next entry follows.
	unitAt, unitSize uint32
	before           []byte
	gap              gap
	// Nothing is made that stands before low or from high on; nil: no bound.
	low, high []byte
	owed      float64             // copies
	taken     map[uint64]struct{} // hashes of values in use
	hash      maphash.Seed        // tells values apart; results do not depend on it

	sizes []float64 // per level: how often a new value is met, on average
	// fresh is, per level, the share of the meetings of a new value, after the
	// first, that bring a value of their own at the last level.
	fresh []float64
}

func newCloner(cfg Config, l *lineage, factor, docs float64, rng *rand.Rand, made *maker) *cloner {
	c := &cloner{
		lineage: l, factor: factor, docs: docs, rng: rng, room: l.room(cfg, factor), made: made,
		taken: map[uint64]struct{}{}, hash: maphash.MakeSeed(),
	}
	last := len(l.species) - 1
	for i := range l.species {
		size := l.species[i].groupSize(factor)
		fresh := 1.0
		if i < last && size > 1 && l.species[last].discount < 1 {
			per := l.species[last].values(factor) / max(1, l.species[i].values(factor))
			fresh = min(1, max(0, (per-1)/(size-1)))
		}
		c.sizes, c.fresh = append(c.sizes, size), append(c.fresh, fresh)
	}
	return c
}

// copies makes the other clumps that one stands for, count on average. What is
// left of a fraction is owed to the next clump.
func (c *cloner) copies(at int, count float64) {
	b := &c.clumps[at]
	c.owed += count
	c.copied = int(c.owed)
	c.owed -= float64(c.copied)
	if c.ordered(b) {
		c.open(b)
		for range c.copied {
			c.tile(b)
		}
		c.close(b)
		return
	}
	c.serial = 0
	for left := c.copied; left > 0; {
		c.serial++
		left -= c.clone(at, left)
	}
}

// ordered reports whether b's keys follow the order of the collection.
func (c *cloner) ordered(b *clump) bool { return b.within < len(c.key(b.first)) }

// clone makes one clump, or a group of them that share a new value, and says how
// many of those that are left it took.
func (c *cloner) clone(at, left int) int {
	b := &c.clumps[at]
	level := c.newLevel(b)
	if level == len(b.met) {
		if !c.outside(c.key(b.first)) {
			c.repeat(b)
		}
		return 1
	}
	size := c.groupSize(level)
	if size > left {
		if c.rng.IntN(size) >= left { // too many for what is left: all or none
			return left
		}
	}
	if from, split := c.split(b, level); !c.outside(c.key(b.first)[:split]) {
		c.group(at, level, size, from, split)
	}
	return min(size, left)
}

// outside reports whether no key that begins so is wanted.
func (c *cloner) outside(start []byte) bool {
	low, high := c.low, c.high
	return low != nil && bytes.Compare(start, low[:min(len(start), len(low))]) < 0 ||
		high != nil && bytes.Compare(start, high[:min(len(start), len(high))]) > 0
}

// split is where a value of a level begins, and where one that is new begins to
// differ from b's: behind what that has in common with other runs.
func (c *cloner) split(b *clump, level int) (from, split int) {
	ends := c.s.endsOf(&c.all[b.first])
	if level > 0 {
		from = int(ends[level-1])
	}
	if b.apart < from || b.apart >= int(ends[level]) {
		return from, from
	}
	return from, b.apart
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

// groupSize draws how many clumps share a new value of a level.
func (c *cloner) groupSize(level int) int {
	mean := c.sizes[level]
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
	kept := float64(c.s.kept(run))
	if n := len(b.met); n > 0 && int(b.met[n-1])*2 >= c.sampledRuns {
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

// group makes size clumps that share a new value at a level: the start of b's
// value, from..split of the key, and the rest of another value. What follows
// comes from entries nearby.
func (c *cloner) group(at, level, size, from, split int) {
	b := &c.clumps[at]
	e := &c.all[b.first]
	head := c.newValue(b.first, level, from, split)
	fresh := c.fresh[level]
	like := b
	for i := range size {
		if i > 0 && c.rng.Float64() < fresh || i == 0 && level+1 < int(e.levels) && b.first == b.last {
			if k := c.clumpNear(at); alike(b, k) {
				like = k
			}
		}
		place := c.rng.Float64() * c.docs
		if i == 0 {
			place = c.beside(b)
		}
		c.under(head, level, like, place)
	}
}

// beside is a place in the part of the collection that b's run stands for: where
// keys go with the order of insertion, as dates under each customer do, a value
// close to b's was inserted about when b was. Where they do not, it is as good as
// any place, as there are runs everywhere.
func (c *cloner) beside(b *clump) float64 {
	at := c.s.runs[c.all[b.first].run].position + (c.rng.Float64()-0.5)/float64(c.sampledRuns)
	return min(1, math.Abs(at)) * c.docs
}

// under emits the entries of a clump with another start, at a place in the
// collection.
func (c *cloner) under(head []byte, level int, like *clump, base float64) {
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

// put emits an entry like i with another key, at a place in the collection.
func (c *cloner) put(i int, key []byte, place float64) {
	o := &c.all[i]
	e := keystring.Entry{Key: key, Record: c.recordID(o, place), Bits: c.s.bitsOf(o)}
	c.made.add(e, c.s.gen.RecordInKey(), c.unitAt, c.unitSize)
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
