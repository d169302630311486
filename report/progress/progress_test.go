package progress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wtsize/wtsize/report"
)

// fake is a clock that tests move.
type fake struct{ now time.Time }

func (f *fake) Now() time.Time       { return f.now }
func (f *fake) pass(d time.Duration) { f.now = f.now.Add(d) }
func start() *fake                   { return &fake{time.Unix(1_000_000, 0)} }
func columns(n int) func() int       { return func() int { return n } }
func lines(b *bytes.Buffer) []string {
	return strings.Split(strings.ReplaceAll(b.String(), "\x1b[K", ""), "\r")
}
func last(b *bytes.Buffer) string { l := lines(b); return l[len(l)-1] }
func mib(n int64) int64           { return n << 20 }

func TestLine(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		total int64
		want  string
	}{
		{"wide", 120, mib(1200), "━━━━━━━━────────────────  400 MiB of 1.17 GiB  33 %  210 MB/s  4 s left  1,204,331 documents  shop.orders"},
		{"100", 100, mib(1200), "━━━━━━────────────  400 MiB of 1.17 GiB  33 %  210 MB/s  4 s left  1,204,331 documents  shop.orders"},
		{"80", 80, mib(1200), "400 MiB of 1.17 GiB  33 %  210 MB/s  4 s left  1,204,331 documents  shop.orders"},
		{"60", 60, mib(1200), "400 MiB of 1.17 GiB  33 %  210 MB/s  4 s left  shop.orders"},
		{"40", 40, mib(1200), "400 MiB of 1.17 GiB  33 %  4 s left"},
		{"20", 20, mib(1200), "400 MiB of 1.17 GiB"},
		{"10", 10, mib(1200), "400 … GiB"},
		{"no total", 100, 0, "400 MiB  210 MB/s  1,204,331 documents  shop.orders"},
		{"more than the total", 100, mib(100), "400 MiB  210 MB/s  1,204,331 documents  shop.orders"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			clock := start()
			m := New(&b, Options{Terminal: true, Width: columns(c.width), Now: clock.Now})
			m.Total(c.total)
			m.Collection("shop.orders")
			clock.pass(2 * time.Second)
			m.Add(1_204_331, mib(400))
			if got := last(&b); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// Whatever the width and the names, the line stays on one row of the terminal.
func TestLineFits(t *testing.T) {
	for w := 1; w < 140; w++ {
		for _, name := range []string{"", "a", strings.Repeat("日本", 60), "x\x1b[2J\r\n" + strings.Repeat("y", 200)} {
			var b bytes.Buffer
			clock := start()
			m := New(&b, Options{Terminal: true, Width: columns(w), Now: clock.Now})
			m.Total(1 << 50)
			m.Collection(name)
			for range 30 {
				clock.pass(time.Second)
				m.Add(1<<40, 1<<44)
			}
			for _, l := range lines(&b) {
				if report.Columns(l) >= w && report.Columns(l) > 1 || strings.ContainsAny(l, "\x1b\n") {
					t.Fatalf("width %d: %d columns: %q", w, report.Columns(l), l)
				}
			}
		}
	}
}

func TestSilentInAPipe(t *testing.T) {
	var b bytes.Buffer
	clock := start()
	m := New(&b, Options{Now: clock.Now})
	for range 100 {
		clock.pass(time.Second)
		m.Add(10, mib(1))
	}
	m.Done()
	if b.Len() > 0 {
		t.Errorf("wrote %q", b.String())
	}
}

func TestFinalLine(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"pipe", Options{Final: true}, "read 1,000 documents, 100 MiB, in 4.00 s (26.2 MB/s)\n"},
		{"terminal", Options{Terminal: true}, "read 1,000 documents, 100 MiB, in 4.00 s (26.2 MB/s)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			clock := start()
			c.o.Now = clock.Now
			m := New(&b, c.o)
			for range 100 {
				clock.pass(40 * time.Millisecond)
				m.Add(10, mib(1))
			}
			m.Done()
			m.Done()
			m.Add(1, 1)
			if got := last(&b); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNothingReadSaysNothing(t *testing.T) {
	var b bytes.Buffer
	New(&b, Options{Terminal: true, Final: true}).Done()
	if b.Len() > 0 {
		t.Errorf("wrote %q", b.String())
	}
}

// Drawing is bounded, however often Add is called.
func TestDrawsTenTimesASecond(t *testing.T) {
	var b bytes.Buffer
	clock := start()
	m := New(&b, Options{Terminal: true, Now: clock.Now})
	for range 10_000 {
		clock.pass(time.Millisecond)
		m.Add(1, 1000)
	}
	if n := strings.Count(b.String(), "\r"); n > 101 {
		t.Errorf("drawn %d times in 10 s", n)
	}
}

// The rate is that of the last seconds: a slow start does not weigh on it.
func TestRateFollows(t *testing.T) {
	var b bytes.Buffer
	clock := start()
	m := New(&b, Options{Terminal: true, Width: columns(100), Now: clock.Now})
	for range 60 {
		clock.pass(time.Second)
		m.Add(1, 1_000_000)
	}
	for range 6 {
		clock.pass(time.Second)
		m.Add(1, 50_000_000)
	}
	if got := last(&b); !strings.Contains(got, "50 MB/s") {
		t.Errorf("got %q, want a rate of 50 MB/s", got)
	}
}

func TestWriterKeepsTheLineBelow(t *testing.T) {
	var b bytes.Buffer
	clock := start()
	m := New(&b, Options{Terminal: true, Width: columns(60), Now: clock.Now})
	clock.pass(time.Second)
	m.Add(1, 1_000_000)
	before := last(&b)
	b.Reset()
	fmt.Fprintln(m.Writer(), "wtsize: warning: careful")
	if want := "\r\x1b[Kwtsize: warning: careful\n\r\x1b[K" + before; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "1 s"}, {499 * time.Millisecond, "1 s"}, {59 * time.Second, "59 s"}, {59_600 * time.Millisecond, "1 min 00 s"},
		{125 * time.Second, "2 min 05 s"}, {3599 * time.Second, "59 min 59 s"}, {3600 * time.Second, "1 h 00 min"},
		{72 * time.Minute, "1 h 12 min"}, {400 * time.Hour, "days"},
	} {
		if got := clock(c.d); got != c.want {
			t.Errorf("clock(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	clock := start()
	m := New(io.Discard, Options{Terminal: true, Now: clock.Now, Color: true})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 200 {
				m.Collection(fmt.Sprint(i))
				m.Total(int64(i) * 1000)
				m.Add(1, 10)
				fmt.Fprintln(m.Writer(), "x")
			}
		}()
	}
	wg.Wait()
	m.Done()
	if m.docs != 1600 || m.bytes != 16_000 {
		t.Errorf("counted %d documents, %d bytes", m.docs, m.bytes)
	}
}

// TestClockSetBack: a clock that is set back makes neither a rate nor a time to
// go of it, and the line goes on once it has caught up.
func TestClockSetBack(t *testing.T) {
	var b bytes.Buffer
	clock := start()
	m := New(&b, Options{Terminal: true, Width: columns(80), Now: clock.Now})
	m.Total(mib(1000))
	for _, d := range []time.Duration{2 * time.Second, -time.Hour, time.Second, time.Hour, 2 * time.Second} {
		clock.pass(d)
		m.Add(1000, mib(100))
	}
	if got := b.String(); strings.Contains(got, "-") || strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
		t.Errorf("%q", got)
	}
	if got := last(&b); !strings.Contains(got, "500 MiB of 1,000 MiB  50 %  105 MB/s") {
		t.Errorf("%q", got)
	}
}
