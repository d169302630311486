package codec

import "github.com/golang/snappy"

// snappyCodec is github.com/golang/snappy: byte-identical to C snappy 1.1.8
// and 1.1.9 for fragments (64 KiB pieces of the source) longer than 8 KiB.
// MongoDB builds 1.1.10 with SNAPPY_HAVE_X86_CRC32 or SNAPPY_HAVE_NEON_CRC32
// (src/third_party/snappy, config.h), which hashes differently: over 13 sets of
// pages of 32 to 115 KiB sizes differ by -0.5 to +0.3 %, 0.00 % in the mean.
type snappyCodec struct {
	buf    []byte
	stored []byte
	info   Info
}

func newSnappy() *snappyCodec {
	return &snappyCodec{info: Info{
		Library:    "golang/snappy",
		Version:    snappyVersion,
		ErrorBand:  0.005,
		Note:       "output of C snappy 1.1.9; servers link 1.1.10 with another hash",
		CPULibrary: "golang/snappy " + snappyVersion,
	}}
}

func (c *snappyCodec) Info() Info     { return c.info }
func (c *snappyCodec) Stored() []byte { return c.stored }

func (c *snappyCodec) Compress(src []byte) (int, error) {
	c.stored = nil
	bound := snappy.MaxEncodedLen(len(src))
	if bound < 0 {
		return 0, wrap(Setting{Name: Snappy}, "compression", len(src), snappy.ErrTooLarge)
	}
	c.buf = grow(c.buf, prefixSize+bound)
	n := len(snappy.Encode(c.buf[prefixSize:], src))
	c.stored = seal(c.buf[:prefixSize+n], len(src))
	return len(c.stored), nil
}

func (c *snappyCodec) Decompress(dst, stored []byte) error {
	block, err := body(stored)
	if err != nil {
		return err
	}
	if n, err := snappy.DecodedLen(block); err != nil || n != len(dst) {
		return errCorrupt
	}
	_, err = snappy.Decode(dst, block)
	return err
}
