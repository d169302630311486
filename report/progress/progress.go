// Package progress shows on a terminal how far reading has come: bytes and
// documents read of what total, the rate, the time left and the current
// collection, on one line that is drawn over and over. Where the output is not a
// terminal it writes nothing, unless a closing line is asked for.
//
// The writer, the clock and the width come from outside, so tests see every
// line. A Meter may be used from several goroutines.
package progress

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/wtsize/wtsize/report"
)

// Options say where the line goes.
type Options struct {
	Terminal bool             // the writer is a terminal: draw
	Width    func() int       // its columns, asked at each drawing; nil: 80
	Now      func() time.Time // nil: time.Now
	Color    bool
	// Final writes the closing line even where nothing is drawn.
	Final bool
}

// redraw is the shortest time between two drawings, window the time over which
// the rate is taken.
const (
	redraw = 100 * time.Millisecond
	window = 5 * time.Second
)

// A Meter counts what is read. Make one with New.
type Meter struct {
	mu   sync.Mutex
	w    io.Writer
	o    Options
	line string // what stands on the terminal now

	start, drawn time.Time
	total        int64 // bytes; 0: not known
	bytes, docs  int64
	name         string
	done         bool
	past         []sample // oldest first, within window
}

type sample struct {
	at    time.Time
	bytes int64
}

// New starts the clock. Nothing is drawn before the first Add.
func New(w io.Writer, o Options) *Meter {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Width == nil {
		o.Width = func() int { return 80 }
	}
	now := o.Now()
	return &Meter{w: w, o: o, start: now, past: []sample{{at: now}}}
}

// Total says how many bytes there are to read in all; 0 when not known. It may
// change: collections are met one by one.
func (m *Meter) Total(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total = max(bytes, 0)
}

// Collection names what is being read now.
func (m *Meter) Collection(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.name = report.Safe(name)
}

// Add counts documents and their bytes, and draws when it is time to.
func (m *Meter) Add(documents, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.docs, m.bytes = m.docs+documents, m.bytes+bytes
	if !m.o.Terminal || m.done {
		return
	}
	if now := m.o.Now(); now.Sub(m.drawn) >= redraw {
		m.drawn = now
		m.remember(now)
		m.draw(m.render(now))
	}
}

// remember keeps the samples of the last window, and one before it.
func (m *Meter) remember(now time.Time) {
	m.past = append(m.past, sample{now, m.bytes})
	for len(m.past) > 2 && now.Sub(m.past[1].at) >= window {
		m.past = m.past[1:]
	}
}

// draw replaces the line on the terminal. Errors are not reported: a terminal
// that went away is no reason to stop reading.
func (m *Meter) draw(line string) {
	if line == m.line {
		return
	}
	_, _ = io.WriteString(m.w, "\r\x1b[K"+line)
	m.line = line
}

// Done takes the line away and says what was read in how long. Further calls
// do nothing.
func (m *Meter) Done() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		return
	}
	m.done = true
	if m.line != "" {
		m.draw("")
	}
	if (m.o.Terminal || m.o.Final) && (m.docs > 0 || m.bytes > 0) {
		_, _ = io.WriteString(m.w, m.summary(m.o.Now().Sub(m.start))+"\n")
	}
}

// Writer is for messages that share the terminal with the line: each write takes
// the line away first and puts it back after. Writes should end in a newline.
func (m *Meter) Writer() io.Writer { return above{m} }

type above struct{ m *Meter }

func (a above) Write(p []byte) (int, error) {
	m := a.m
	m.mu.Lock()
	defer m.mu.Unlock()
	line := m.line
	if line != "" {
		m.draw("")
	}
	n, err := m.w.Write(p)
	if line != "" && strings.HasSuffix(string(p), "\n") {
		m.draw(line)
	}
	return n, err
}
