package stream

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds what a zstd frame may make the decoder keep: the zstd
// command's own limit without --long, and what --long=27 writes.
const maxWindow = 128 << 20

// maxNested is how often an input may be compressed: mongodump --archive --gzip
// put through zstd is two. More is an attack or an accident.
const maxNested = 4

// packedError is a failure of compressed data, as opposed to a read error.
type packedError struct {
	format string // gzip or zstd
	err    error
}

func (e *packedError) Error() string { return fmt.Sprintf("%s: %v", e.format, e.err) }
func (e *packedError) Unwrap() error { return e.err }

var (
	magicGzip = []byte{0x1f, 0x8b}
	magicZstd = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// compression names the format whose magic starts head; "" for none. A zstd
// file may begin with skippable frames (RFC 8878, 3.1.2), as pzstd writes them.
func compression(head []byte) string {
	switch {
	case bytes.HasPrefix(head, magicGzip):
		return "gzip"
	case bytes.HasPrefix(head, magicZstd):
		return "zstd"
	case len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18}):
		return "zstd"
	}
	return ""
}

// unpack decompresses r. The closer frees the decoder.
func unpack(format string, r io.Reader) (io.Reader, func(), error) {
	if format == "gzip" {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, &packedError{format, unexpected(err)}
		}
		return &unpacked{format, z}, func() { z.Close() }, nil
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, nil, &packedError{format, unexpected(err)}
	}
	return &unpacked{format, z}, z.Close, nil
}

// unpacked tells the decoder's errors from those of the file below it.
type unpacked struct {
	format string
	r      io.Reader
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && err != io.EOF {
		err = &packedError{u.format, err}
	}
	return n, err
}

// unexpected: a header that ends early is a cut like any other.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
