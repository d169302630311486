package index

import "math/rand/v2"

// A pool holds values of a level, drawn at random, close to each other in memory:
// to draw them from all of a sample costs most of what it takes to make values up.
type pool struct {
	bytes []byte
	ends  []uint32
}

// mostPooled are so many that it hardly ever shows that there are no others.
const mostPooled = 4096

// pool gives the values of a level.
func (c *cloner) pool(level int) *pool {
	for len(c.pools) <= level {
		c.pools = append(c.pools, nil)
	}
	if c.pools[level] == nil {
		c.pools[level] = c.newPool(level)
	}
	return c.pools[level]
}

func (c *cloner) newPool(level int) *pool {
	p := &pool{}
	n := len(c.all)
	for i := range min(n, mostPooled) {
		if n > mostPooled {
			i = c.rng.IntN(n)
		}
		p.bytes = append(p.bytes, c.levelOf(i, level)...)
		p.ends = append(p.ends, uint32(len(p.bytes)))
	}
	return p
}

// draw gives any of the values.
func (p *pool) draw(rng *rand.Rand) []byte {
	i := rng.IntN(len(p.ends))
	if i == 0 {
		return p.bytes[:p.ends[0]]
	}
	return p.bytes[p.ends[i-1]:p.ends[i]]
}
