package stream

import "io"

// readBytes is how much a Reader asks of its input at once. Large enough that
// the system call is nothing beside the copy, small enough to stay in cache.
const readBytes = 256 << 10

// firstBytes is the first read's: a dump has many files that are all in it.
const firstBytes = 16 << 10

// A Reader looks ahead in a byte stream. Its buffer holds what was read and not
// yet passed over, so a slice it returns is valid until the next call.
type Reader struct {
	// Name is the input as the user knows it, for faults.
	Name string

	src   io.Reader
	meter *Meter
	buf   []byte // buf[r:w] is read and not passed over
	r, w  int
	base  int64 // offset in the stream of buf[0]
	err   error // sticky; io.EOF at the end
	walk  int   // documents still to be checked element by element
	docs  int64 // found since the last count to the meter
}

// NewReader reads src, whose first byte has the given offset in the input.
func NewReader(src io.Reader, name string, offset int64, m *Meter) *Reader {
	return &Reader{Name: name, src: src, meter: m, base: offset, walk: walkFirst}
}

// Offset is the place of the next byte in the uncompressed input.
func (b *Reader) Offset() int64 { return b.base + int64(b.r) }

// Err is what stopped the input: io.EOF at its end, nil while it goes on.
func (b *Reader) Err() error { return b.err }

// Peek returns the next n bytes without passing over them. At the end of the
// input it returns fewer, with the error that stopped it.
func (b *Reader) Peek(n int) ([]byte, error) {
	for b.w-b.r < n && b.err == nil {
		b.fill(n)
	}
	if b.w-b.r < n {
		return b.buf[b.r:b.w], b.err
	}
	return b.buf[b.r : b.r+n], nil
}

// CountDocument counts one for the meter that the Reader did not cut itself.
func (b *Reader) CountDocument() { b.docs++ }

// Skip passes over n bytes that Peek has returned.
func (b *Reader) Skip(n int) { b.r += n }

// Read makes the Reader an io.Reader of what is left of the input.
func (b *Reader) Read(p []byte) (int, error) {
	got, err := b.Peek(1)
	if len(got) == 0 {
		return 0, err
	}
	n := copy(p, b.buf[b.r:b.w])
	b.r += n
	return n, nil
}

// fill reads once, making room first: for n bytes from b.r in the end, but
// never more than twice what is already there.
func (b *Reader) fill(n int) {
	if b.r == b.w {
		b.base += int64(b.r)
		b.r, b.w = 0, 0
	}
	if len(b.buf) == 0 {
		b.buf = make([]byte, firstBytes)
	} else if len(b.buf)-b.w < readBytes/2 && (b.r > 0 || b.w == len(b.buf) || len(b.buf) == firstBytes) {
		b.room(n)
	}
	got, err := b.read(b.buf[b.w:min(len(b.buf), max(b.w+readBytes, b.r+n))])
	b.w += got
	b.err = err
	b.meter.Output(int64(got))
	b.meter.Documents(b.docs)
	b.docs = 0
}

// read reads once, and for good: an input that keeps delivering nothing fails.
func (b *Reader) read(p []byte) (int, error) {
	for range 100 {
		if n, err := b.src.Read(p); n > 0 || err != nil {
			return min(n, len(p)), err
		}
	}
	return 0, io.ErrNoProgress
}

// room moves what is held to the front, and into a larger buffer when it fills
// more than half of this one.
func (b *Reader) room(n int) {
	held := b.buf[b.r:b.w]
	if size := max(readBytes, min(2*len(held), n+readBytes)); size > len(b.buf) {
		b.buf = make([]byte, size)
	}
	copy(b.buf, held)
	b.base += int64(b.r)
	b.r, b.w = 0, len(held)
}

// Held is what the buffer still has, before the next byte and after it, and the
// offset of its first.
func (b *Reader) Held() (held []byte, at int64) { return b.buf[:b.w], b.base }
