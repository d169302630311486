package live

import (
	"context"
	"time"
)

// pacer decides how long to wait before the next run. It sees every reply and,
// now and then, the server's cache.
type pacer struct {
	env  Env
	rate int64 // bytes per second; 0: no bound

	due   time.Time     // when the bytes read so far are paid for
	quick time.Duration // the quickest read of documents seen
	pause time.Duration // the growing wait while the server is slow
	since int           // runs seen
}

const (
	// A read that takes slowFactor times the quickest one, and slowLeast at
	// least, shows that the server is busy.
	slowFactor = 8
	slowLeast  = 100 * time.Millisecond
	// A wait grows up to restShare times the read before it: a slow server is
	// kept busy an eighth of the time, and one whose data is merely not in its
	// cache is still read to the end.
	restShare = 8
	maxPause  = 10 * time.Second
	// documentsLeast is the size from which a reply counts as a read of documents.
	documentsLeast = 16 << 10

	// WiredTiger's threads of user operations are made to evict from a dirty
	// share of 20 % (eviction_dirty_trigger) and a used share of 95 %
	// (eviction_trigger; dist/api_data.py). Reading stops short of both.
	dirtyShare = 0.15
	usedShare  = 0.90
)

func newPacer(o Options) *pacer { return &pacer{env: o.Env, rate: o.Rate} }

// took records one reply.
func (p *pacer) took(d time.Duration, bytes int64) {
	if p.rate > 0 {
		now := p.env.Now()
		if p.due.Before(now) {
			p.due = now
		}
		p.due = p.due.Add(time.Duration(float64(bytes) / float64(p.rate) * float64(time.Second)))
	}
	if bytes < documentsLeast {
		return
	}
	if p.quick == 0 || d < p.quick {
		p.quick = d
	}
	if d > slowLeast && d > slowFactor*p.quick {
		p.pause = min(max(2*p.pause, 2*d), restShare*d, maxPause)
	} else {
		p.pause = 0
	}
}

// wait gives how long to wait now and why; 0 and "" for not at all.
func (p *pacer) wait() (time.Duration, string) {
	if p.pause > 0 {
		return p.pause, "the server answers slowly"
	}
	if d := p.due.Sub(p.env.Now()); p.rate > 0 && d > 0 {
		return d, "rate"
	}
	return 0, ""
}

// rest waits as long as wait says.
func (p *pacer) rest(ctx context.Context, tell func(why string)) error {
	d, why := p.wait()
	if d <= 0 {
		return ctx.Err()
	}
	tell(why)
	return p.env.Sleep(ctx, d)
}

// cache is the state of a server's WiredTiger cache, in bytes.
type cache struct{ max, used, dirty int64 }

// strained says why the cache has no room for a reader; "" when it has.
func (c cache) strained() string {
	switch {
	case c.max <= 0:
		return ""
	case float64(c.dirty) > dirtyShare*float64(c.max):
		return "much of the server's cache waits to be written"
	case float64(c.used) > usedShare*float64(c.max):
		return "the server's cache is full"
	}
	return ""
}

// lookEvery is how many runs pass between two looks at the server's cache.
const lookEvery = 16

// cacheWait is the first wait for a strained cache; it doubles up to
// cacheWaitMost, about two minutes in all.
const (
	cacheWait     = 2 * time.Second
	cacheWaitMost = 64 * time.Second
)

// lookDue says, every lookEvery-th time, that the cache should be looked at.
func (p *pacer) lookDue() bool {
	p.since++
	return p.since%lookEvery == 1
}
