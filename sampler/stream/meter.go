package stream

import (
	"io"
	"sync/atomic"
)

// Meter counts what was read so far, for a progress bar that polls it. It may
// be shared by readers of several files. A nil *Meter counts nothing.
type Meter struct {
	total, input, output, documents atomic.Int64
}

// Expect adds bytes of input that are going to be read, as stored.
func (m *Meter) Expect(n int64) {
	if m != nil {
		m.total.Add(n)
	}
}

// Input counts bytes as stored, compressed where the input is.
func (m *Meter) Input(n int64) {
	if m != nil {
		m.input.Add(n)
	}
}

// Output counts uncompressed bytes.
func (m *Meter) Output(n int64) {
	if m != nil {
		m.output.Add(n)
	}
}

// Documents counts documents found.
func (m *Meter) Documents(n int64) {
	if m != nil {
		m.documents.Add(n)
	}
}

// Snapshot is a Meter at one moment.
type Snapshot struct {
	Total     int64 // input bytes expected; 0 when not known (a pipe)
	Input     int64 // input bytes read, as stored
	Output    int64 // uncompressed bytes read
	Documents int64 // documents found
}

// Snapshot gives the counts now.
func (m *Meter) Snapshot() Snapshot {
	if m == nil {
		return Snapshot{}
	}
	return Snapshot{m.total.Load(), m.input.Load(), m.output.Load(), m.documents.Load()}
}

// meteredReader counts the stored bytes that pass through it.
type meteredReader struct {
	r io.Reader
	m *Meter
}

func (c meteredReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.m.Input(int64(n))
	return n, err
}
