package live

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// TestClockJumps: a clock that is set an hour back and forth, between any two
// looks at it, changes nothing of what is read, and no wait comes of it.
func TestClockJumps(t *testing.T) {
	docs := holed("a", 12_000, objectIDs)
	budget := sampler.Budget{Bytes: 256 * kib, RunBytes: 8 * kib, Seed: 1}
	sample := func(env Env) *got {
		s := serve(t, fakemongod.V70(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{docs}})
		var v collector
		if err := open(t, Options{URI: s.URI(), DB: "shop", Env: env}).Read(context.Background(), budget, &v); err != nil {
			t.Fatal(err)
		}
		return v.find("a")
	}
	want := sample(Env{})
	for _, jump := range []time.Duration{-time.Hour, time.Hour} {
		var looks atomic.Int64
		c := newClock()
		env := c.env()
		env.Now = func() time.Time { return time.Unix(1e9, 0).Add(time.Duration(looks.Add(1)%3) * jump) }
		have := sample(env)
		if looks.Load() == 0 {
			t.Fatal("nobody looked at the clock")
		}
		if have.end != want.end {
			t.Errorf("jumps of %v: %+v, want %+v", jump, have.end, want.end)
		}
		if c.total() > time.Minute {
			t.Errorf("jumps of %v: waited for %v", jump, c.total())
		}
	}
}
