package live

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

func TestPacer(t *testing.T) {
	c := newClock()
	p := newPacer(Options{Rate: 1 << 20, Env: c.env()})
	if d, why := p.wait(); d != 0 || why != "" {
		t.Errorf("waits %v (%s) before anything", d, why)
	}
	// Half a mebibyte at one a second: half a second.
	p.took(10*time.Millisecond, 512<<10)
	if d, why := p.wait(); d != 500*time.Millisecond || why != "rate" {
		t.Errorf("waits %v (%s)", d, why)
	}
	p.took(10*time.Millisecond, 512<<10)
	if d, _ := p.wait(); d != time.Second {
		t.Errorf("waits %v", d)
	}
	// Small replies say nothing about the speed of reading.
	p.took(time.Second, 100)
	if _, why := p.wait(); why != "rate" {
		t.Errorf("waits for %s", why)
	}
	// Twelve times as slow as the quickest: twice as long as the read, then
	// twice the wait before, up to a bound; one quick read ends it.
	for i, want := range []time.Duration{240 * time.Millisecond, 480 * time.Millisecond, 960 * time.Millisecond} {
		p.took(120*time.Millisecond, 512<<10)
		if d, why := p.wait(); d != want || why != "the server answers slowly" {
			t.Errorf("%d: waits %v (%s), want %v", i, d, why, want)
		}
	}
	for range 10 {
		p.took(5*time.Second, 512<<10)
	}
	if d, _ := p.wait(); d != maxPause {
		t.Errorf("waits %v", d)
	}
	p.took(11*time.Millisecond, 512<<10)
	if _, why := p.wait(); why != "rate" {
		t.Errorf("waits for %s", why)
	}
}

func TestStrained(t *testing.T) {
	for _, tc := range []struct {
		c    cache
		want string
	}{
		{cache{}, ""},
		{cache{max: 1000, used: 900, dirty: 150}, ""},
		{cache{max: 1000, used: 901, dirty: 0}, "the server's cache is full"},
		{cache{max: 1000, used: 200, dirty: 151}, "much of the server's cache waits to be written"},
	} {
		if got := tc.c.strained(); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc.c, got, tc.want)
		}
	}
}

// TestCacheStrain: reading waits while the cache is full, goes on when it has
// room, and ends with what was read when it stays full.
func TestCacheStrain(t *testing.T) {
	for _, tc := range []struct {
		name  string
		until int // looks at the cache until it has room; 0: for ever
		full  bool
	}{{"passes", 4, true}, {"stays", 1 << 30, false}} {
		t.Run(tc.name, func(t *testing.T) {
			s := serve(t, fakemongod.V82(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 6000, objectIDs)}})
			looks := 0
			s.Status = func() (most, used, dirty int64) {
				if looks++; looks > 1 && looks < tc.until { // the first is before reading
					return 1000, 950, 10
				}
				return 1000, 100, 10
			}
			c := newClock()
			var paused []string
			var v collector
			err := open(t, Options{URI: s.URI(), Env: c.env(), Progress: func(p Progress) {
				if p.Paused != "" {
					paused = append(paused, p.Paused)
				}
			}}).Read(context.Background(), testBudget, &v)
			if (err == nil) != tc.full {
				t.Fatal(err)
			}
			end := v.find("a").end
			if (end.Fault == nil) != tc.full || (end.Bytes > testBudget.Bytes*8/10) != tc.full || end.Documents == 0 {
				t.Errorf("end %+v", end)
			}
			if len(paused) == 0 || paused[0] != "the server's cache is full" {
				t.Errorf("paused for %v", paused)
			}
			if !tc.full && (!strings.Contains(end.Fault.Why, "stays so") || c.total() < time.Minute || c.total() > 5*time.Minute) {
				t.Errorf("%v after %v", end.Fault, c.total())
			}
		})
	}
}

// TestRate: a rate of 1 MiB/s takes about as many seconds as mebibytes are read.
func TestRate(t *testing.T) {
	s := serve(t, fakemongod.V82(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 6000, objectIDs)}})
	c := newClock()
	var v collector
	if err := open(t, Options{URI: s.URI(), Rate: 256 * kib, Env: c.env()}).Read(context.Background(), testBudget, &v); err != nil {
		t.Fatal(err)
	}
	want := float64(v.find("a").end.Bytes) / (256 * kib)
	if got := c.total().Seconds(); got < want || got > want*1.3 { // replies are larger than their documents
		t.Errorf("slept %.1f s, want about %.1f", got, want)
	}
}

// TestSlowServer: a server that becomes slow is left alone for longer and longer.
func TestSlowServer(t *testing.T) {
	s := serve(t, fakemongod.V82(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 6000, objectIDs)}})
	c := newClock()
	finds := 0
	s.Before = func(_ *fakemongod.Server, name string, cmd bson.Raw) {
		if name != "find" {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.now = c.now.Add(10 * time.Millisecond)
		if finds++; finds > 20 && finds < 30 {
			c.now = c.now.Add(time.Second)
		}
	}
	slow := 0
	var v collector
	err := open(t, Options{URI: s.URI(), Env: c.env(), Progress: func(p Progress) {
		if p.Paused == "the server answers slowly" {
			slow++
		}
	}}).Read(context.Background(), sampler.Budget{Bytes: 2 << 20, RunBytes: 32 << 10, Seed: 1}, &v)
	if err != nil || v.find("a").end.Fault != nil {
		t.Fatal(err, v.find("a").end.Fault)
	}
	if slow < 8 || slow > 10 || c.total() < 30*time.Second {
		t.Errorf("%d pauses, %v in all", slow, c.total())
	}
}
