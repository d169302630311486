package index

import (
	"bytes"
	"hash/maphash"
)

// newValue gives a key up to and including the level, with a value of it that
// nothing else has yet; it is valid until the next call. Where values are dense, as small whole numbers are, most
// that come up are taken: then the next free one is.
func (c *cloner) newValue(i, level, from, split int) []byte {
	head := c.head[:0]
	const attempts = 4
	text := isText(c.levelOf(i, level/levelsPerComponent*levelsPerComponent))
	for attempt := range attempts {
		value := append(c.value[:0], c.key(i)[from:split]...)
		switch {
		case !text:
			value = c.mixed(i, level, value)
		case attempt < attempts/2: // a new combination of what there is
			value = c.spliced(i, level, value, 1)
		default:
			value = c.spliced(i, level, value, 3)
		}
		head = append(append(head[:0], c.key(i)[:from]...), value...)
		c.value, c.head = value, head
		if c.claim(head) {
			return head
		}
	}
	const steps = 64 // then the values are as good as used up
	for range steps {
		if step(head[min(from+1, len(head)):]); c.claim(head) {
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
	n := len(c.taken)
	c.taken[h] = struct{}{}
	return len(c.taken) > n
}

// spliced completes a text: with pieces of other values, each from one whose
// bytes before agree with those it is put behind.
func (c *cloner) spliced(i, level int, value []byte, pieces int) []byte {
	for piece := 1; ; piece++ {
		donor := c.donorValue(i, level, value)
		if donor == nil {
			return value
		}
		at, n := len(value), 2+c.rng.IntN(3)
		if piece == pieces || at+n >= len(donor)-1 {
			return append(value, donor[at:]...)
		}
		value = append(value, donor[at:at+n]...)
	}
}

// mixed completes a number, a date or an id, each byte from another value: the
// runs of a sample have values that are close to each other, the collection has
// those between too.
func (c *cloner) mixed(i, level int, value []byte) []byte {
	own, pool := c.levelOf(i, level), c.pool(level)
	for at := len(value); at < len(own); at++ {
		b := own[at]
		for range tries {
			v := pool.draw(c.rng)
			if len(v) == len(own) && v[0] == own[0] {
				b = v[at]
				break
			}
		}
		value = append(value, b)
	}
	return value
}

// tries is how many entries are looked at to find a fitting one.
const tries = 6

// donorValue draws another value of the level that is longer than what value
// has so far: of several, the one whose bytes there agree best.
func (c *cloner) donorValue(i, level int, value []byte) []byte {
	own, n, pool := c.levelOf(i, level), len(value), c.pool(level)
	var best []byte
	bestFit := -1
	for range tries {
		v := pool.draw(c.rng)
		if len(v) <= n || n > 0 && v[0] != value[0] || bytes.Equal(v, own) {
			continue
		}
		fit := 0
		for fit < n && fit < 2 && v[n-1-fit] == value[n-1-fit] {
			fit++
		}
		if fit > bestFit {
			best, bestFit = v, fit
		}
		if fit == min(n, 2) {
			break // good enough, and not always the same one
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
