package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Codec compresses under one setting. It reuses its context and its buffer,
// so it belongs to one goroutine; after the first calls it allocates nothing.
type Codec interface {
	// Compress returns how many bytes WiredTiger's compressor would return for
	// src, length prefix included, or 0 if it would report that compression
	// failed and the page is to be stored as it is.
	Compress(src []byte) (n int, err error)

	// Stored is what the last Compress produced, nil if it returned 0. It is
	// valid until the next call. It is n bytes long, except for a codec whose
	// sizes are scaled (Info.SizeFactor).
	Stored() []byte

	// Decompress undoes Compress: it fills dst from stored, and fails unless
	// stored holds exactly len(dst) bytes. It never writes or allocates more.
	Decompress(dst, stored []byte) error

	// Info says what is behind the codec.
	Info() Info
}

// Info describes the library behind a codec.
type Info struct {
	Library string // "libzstd", "zlib", "golang/snappy", "klauspost/compress zstd"
	Version string
	// Exact: sizes are those of the library that servers link.
	Exact bool
	// ErrorBand bounds the relative error of sizes when not Exact.
	ErrorBand float64
	// SizeFactor scales the saved bytes of a fallback; 0 where nothing is scaled.
	SizeFactor float64
	// Note says why the figures are not exact, or what they depend on.
	Note string
	// CPULibrary is what Measure runs; CPUScaled says that its times are
	// multiplied by a fixed factor to stand for the C library's.
	CPULibrary string
	CPUScaled  bool
}

// Versions of the modules behind the codecs, as go.mod requires them. DataDog's
// module is numbered as the libzstd it contains.
const (
	snappyVersion    = "1.0.0"
	libzstdVersion   = "1.5.7"
	klauspostVersion = "1.20.4"
)

// errCorrupt reports stored bytes that do not hold the expected page.
var errCorrupt = errors.New("stored bytes do not decompress to the expected length")

// New returns a codec for one goroutine. It fails for a setting that no
// server accepts, and for negative zstd levels in a build without libzstd.
func New(s Setting) (Codec, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	switch s.Name {
	case Snappy:
		return newSnappy(), nil
	case Zlib:
		c, why := newLibz(s.Level)
		if why != nil {
			return newPureZlib(s.Level, why), nil
		}
		return c, nil
	case Zstd:
		c, why := newLibzstd(s.Level)
		if why != nil {
			return newPureZstd(s.Level, why)
		}
		return c, nil
	}
	return none{}, nil
}

// NewFallback returns the pure Go codec for s even where a C library is there.
func NewFallback(s Setting) (Codec, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	switch s.Name {
	case Zlib:
		return newPureZlib(s.Level, errors.New("asked for")), nil
	case Zstd:
		return newPureZstd(s.Level, errors.New("asked for"))
	}
	return New(s)
}

// none is the absence of a compressor: nothing is ever kept compressed.
type none struct{}

func (none) Compress([]byte) (int, error) { return 0, nil }
func (none) Stored() []byte               { return nil }
func (none) Info() Info                   { return Info{Library: None, Exact: true, CPULibrary: None} }

func (none) Decompress(dst, stored []byte) error {
	if len(stored) != len(dst) {
		return errCorrupt
	}
	copy(dst, stored)
	return nil
}

// prefixSize is the length that snappy_compress.c and zstd_compress.c store in
// front of the compressed bytes, as a little-endian uint64, since the block is
// padded to whole allocation units.
const prefixSize = 8

// seal writes the length of what follows the prefix, and applies the rule of
// both extensions: compression succeeded if prefix and body together are
// shorter than the source. It returns nil if not.
func seal(block []byte, sourceLen int) []byte {
	if len(block) >= sourceLen {
		return nil
	}
	binary.LittleEndian.PutUint64(block, uint64(len(block)-prefixSize))
	return block
}

// body returns what follows the length prefix, as far as the prefix says.
func body(stored []byte) ([]byte, error) {
	if len(stored) < prefixSize {
		return nil, errCorrupt
	}
	n := binary.LittleEndian.Uint64(stored)
	if n > uint64(len(stored)-prefixSize) {
		return nil, errCorrupt
	}
	return stored[prefixSize : prefixSize+n], nil
}

// grow returns a buffer of n bytes, buf itself if it is large enough.
func grow(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n)
	}
	return buf[:n]
}

func wrap(s Setting, verb string, n int, err error) error {
	return fmt.Errorf("%s: %s of %d bytes: %w", s, verb, n, err)
}
