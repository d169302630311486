package stream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/element"
)

// minDocument is the empty document: a length and a terminating zero.
const minDocument = 5

// terminator stands for a length where an archive's block ends.
const terminator = -1

// walkFirst is how many documents at the start of an input have their elements
// checked. Garbage that happens to hold a plausible length and a zero at the
// right place does not pass sixteen of them.
const walkFirst = 16

const hintCut = "the copy or the dump was probably interrupted; what was read before this point is good"

// Document returns the next document and passes over it; the slice is valid
// until the next call. It returns io.EOF at the clean end of the input and a
// *sampler.Fault, passing over nothing, where no document can be had.
func (b *Reader) Document() ([]byte, error) {
	doc, err := b.next()
	if err != nil {
		return nil, err
	}
	b.r += len(doc)
	b.docs++
	return doc, nil
}

// PeekDocument is Document without passing over it.
func (b *Reader) PeekDocument() ([]byte, error) { return b.next() }

// next is Document without passing over it.
func (b *Reader) next() ([]byte, error) {
	if b.w-b.r < 4 {
		if head, err := b.Peek(4); err != nil {
			return nil, b.cutLength(head, err)
		}
	}
	n := int(int32(binary.LittleEndian.Uint32(b.buf[b.r:])))
	if n < minDocument || n > sampler.MaxDocumentBytes {
		return nil, b.badLength(n)
	}
	if b.w-b.r < n {
		if got, err := b.Peek(n); err != nil {
			return nil, b.cutDocument(len(got), n, err)
		}
	}
	doc := b.buf[b.r : b.r+n : b.r+n]
	if doc[n-1] != 0 {
		return nil, b.fault(fmt.Sprintf("document of %d bytes does not end in a zero byte", n),
			"the input is damaged here, or is not BSON", nil)
	}
	if b.walk > 0 {
		if err := b.outline(doc); err != nil {
			return nil, err
		}
	}
	return b.buf[b.r : b.r+n : b.r+n], nil
}

// outline checks the elements of one of the first documents. A document that is
// odd inside is still taken where the framing holds: when the input ends after
// it, or the next document is in order. The server would not have stored it,
// but its bytes are what they are.
func (b *Reader) outline(doc []byte) error {
	b.walk--
	bad := element.Walk(doc)
	if bad == nil {
		return nil
	}
	n := len(doc)
	head, err := b.Peek(n + 4)
	if err == io.EOF && len(head) == n {
		return nil
	}
	if err == nil {
		next := int(int32(binary.LittleEndian.Uint32(head[n:])))
		if next == terminator {
			return nil
		}
		if next >= minDocument && next <= sampler.MaxDocumentBytes {
			if both, err := b.Peek(n + next); err == nil && element.Walk(both[n:]) == nil {
				return nil
			}
		}
	}
	return b.fault(bad.Error(), "the input is damaged here, or is not BSON", nil)
}

func (b *Reader) fault(why, hint string, err error) *sampler.Fault {
	b.meter.Documents(b.docs)
	b.docs = 0
	return &sampler.Fault{Source: b.Name, Offset: b.Offset(), Why: why, Hint: hint, Err: err}
}

// cutLength is the end of the input at or inside a length.
func (b *Reader) cutLength(head []byte, err error) error {
	switch {
	case err != io.EOF:
		return b.Broken(err)
	case len(head) == 0:
		b.meter.Documents(b.docs)
		b.docs = 0
		return io.EOF
	case allZero(head):
		return b.zeros()
	}
	return b.fault(fmt.Sprintf("cut inside a document's length, after %d of 4 bytes", len(head)),
		hintCut, io.ErrUnexpectedEOF)
}

func (b *Reader) cutDocument(got, want int, err error) error {
	if err != io.EOF {
		return b.Broken(err)
	}
	return b.fault(fmt.Sprintf("cut inside a document, after %d of %d bytes", got, want),
		hintCut, io.ErrUnexpectedEOF)
}

// Broken is the fault of an input that failed to deliver: a read error, or
// compressed data that is damaged or cut short.
func (b *Reader) Broken(err error) *sampler.Fault {
	var packed *packedError
	switch {
	case errors.As(err, &packed) && errors.Is(err, io.ErrUnexpectedEOF):
		return b.fault(packed.format+" data is cut short", hintCut, io.ErrUnexpectedEOF)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return b.fault("zstd data needs a window of more than 128 MiB to unpack", "unpack it first: zstd -dc --long=31 FILE | wtsize estimate -", nil)
	case errors.As(err, &packed):
		return b.fault(packed.format+" data is damaged",
			"what was read before this point is good", packed.err)
	}
	return b.fault("read failed", "", err)
}

func (b *Reader) badLength(n int) error {
	head, _ := b.Peek(64)
	switch {
	case n == 0 && allZero(head):
		return b.zeros()
	case LogLine(head):
		return b.fault("a log line of the dump tool where a document should start",
			"its messages were merged into its output; dump again without 2>&1", nil)
	case looksLikeText(head):
		return b.fault("text where a document should start",
			"the input is not BSON from here on; was another program's output mixed in?", nil)
	}
	return b.fault(fmt.Sprintf("impossible document length %d (5 to %d is possible)", n, sampler.MaxDocumentBytes),
		"the input is damaged here, or is not BSON", nil)
}

func (b *Reader) zeros() error {
	return b.fault("zero bytes where a document should start",
		"the file is padded, or its blocks were never written; what was read before this point is good", nil)
}

func allZero(p []byte) bool {
	for _, c := range p {
		if c != 0 {
			return false
		}
	}
	return true
}

// looksLikeText: eight or more bytes of UTF-8, all printable or white space. A
// character may be cut at the end.
func looksLikeText(p []byte) bool {
	if len(p) < 8 {
		return false
	}
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRune(p[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return i > 0 && len(p)-i < utf8.UTFMax
		case (r < 0x20 || r == 0x7f) && r != '\t' && r != '\n' && r != '\r':
			return false
		}
		i += n
	}
	return true
}
