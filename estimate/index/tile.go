package index

import (
	"encoding/binary"
	"slices"

	"github.com/wtsize/wtsize/estimate/keystring"
)

// A gap is what lies between a run in the order of the collection and the next
// one of the sample.
type gap struct {
	least int // key bytes that everything in it shares with the runs at its ends
	next  int // first entry behind it; 0: there is none
	first int // first entry made for it
}

// open starts the gap behind a clump.
func (c *cloner) open(b *clump) {
	c.gap = gap{first: c.made.len()}
	if next := b.last + 1; next < len(c.all) {
		c.gap.next, c.gap.least = next, int(c.shared[next])
	}
	c.before = append(c.before[:0], c.key(b.last)...)
	c.serial = 0
}

// tile makes the runs that come before the next one of the sample, where the key
// follows the order of the collection: they go on where b ends. A step between
// two of them is like one inside b, and what b's entries share with each other
// stays as it is.
func (c *cloner) tile(b *clump) {
	c.serial++
	run := &c.s.runs[c.all[b.first].run]
	base := run.position*c.docs + float64(c.serial)*float64(c.s.kept(run))
	last := &c.all[b.last]
	unit, _ := c.s.gen.Place(nil, nil, keystring.Entry{Key: c.s.keyOf(last), Record: c.recordID(last, c.place(last))})
	c.unitAt, c.unitSize = c.made.unit(binary.BigEndian.AppendUint32(unit, uint32(c.serial)))
	like := c.pattern(b)
	shared := c.stepInside(b)
	for i := like.first; i <= like.last; i++ {
		if i > like.first {
			shared = int(c.shared[i])
		}
		own := c.key(i)
		shared = min(max(shared, c.gap.least), len(own), len(c.before))
		key := append(append(c.buffer[:0], c.before[:shared]...), own[shared:]...)
		if shared < len(key) && shared < len(c.before) && key[shared] == c.before[shared] {
			key[shared]++ // the step of the pattern is one here too
		}
		c.buffer = key
		c.before = append(c.before[:0], key...)
		c.put(i, key, base+float64(c.all[i].doc))
	}
	c.unitAt, c.unitSize = 0, 0
}

// stepInside draws how many bytes an entry inside b shares with the one before.
func (c *cloner) stepInside(b *clump) int {
	return int(c.shared[b.first+1+c.rng.IntN(b.last-b.first)])
}

// close makes the end of a gap meet the run behind it. The step from one to the
// other is among those made already, where one of them is as large: then what
// comes after that one has the start of the run behind.
func (c *cloner) close(b *clump) {
	if c.gap.next == 0 {
		return
	}
	list := c.made.list[c.gap.first:]
	end := c.stepInside(b)
	at := len(list) - 1
	for ; at > 0; at-- {
		shared := commonPrefix(c.made.keyOf(&list[at-1]), c.made.keyOf(&list[at]))
		if shared <= c.gap.least {
			break
		}
		end = min(end, shared)
	}
	if at <= 0 || end <= c.gap.least {
		return
	}
	start := c.key(c.gap.next)
	for i := range list[at:] {
		key := c.made.keyOf(&list[at+i])
		copy(key, start[:min(end, len(start), len(key))])
	}
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
