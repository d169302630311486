package codec

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// pureZstd is klauspost's zstd at the level whose sizes are nearest to the C
// library's.
type pureZstd struct {
	setting Setting
	info    Info
	enc     *zstd.Encoder
	dec     *zstd.Decoder
	buf     []byte
	stored  []byte
}

// pureZstdLevel is the stand-in for libzstd's levels up to one. Factor is by how
// much the C library's output is smaller on pages that compress well; it fades
// with the share saved, so that incompressible pages stay incompressible.
type pureZstdLevel struct {
	upTo   int
	level  zstd.EncoderLevel
	factor float64
	band   float64
}

// pureZstdLevels: the nearest of klauspost's levels on pages of 28 and 117 KB of
// 22 real collections and of 12 other sets. For level 6 the mean is -1.2 % and
// +0.3 %, the worst -9.1 and +5.0 %, and no factor improves it; from 14 on the
// C library gains what klauspost's best level lacks.
var pureZstdLevels = []pureZstdLevel{
	{1, zstd.SpeedFastest, 1, 0.11},
	{2, zstd.SpeedDefault, 1, 0.25},
	{4, zstd.SpeedDefault, 0.99, 0.07},
	{5, zstd.SpeedBetterCompression, 1, 0.07},
	{6, zstd.SpeedBestCompression, 1, 0.10},
	{8, zstd.SpeedBestCompression, 1, 0.07},
	{12, zstd.SpeedBestCompression, 0.98, 0.09},
	{13, zstd.SpeedBestCompression, 0.99, 0.14},
	{15, zstd.SpeedBestCompression, 0.957, 0.12},
	{22, zstd.SpeedBestCompression, 0.925, 0.14},
}

func newPureZstd(level int, why error) (Codec, error) {
	if level < 0 {
		return nil, fmt.Errorf("zstd level %d needs libzstd, which is not available (%w): use a level from 1 to 22, or a build with cgo", level, why)
	}
	stand := pureZstdLevels[len(pureZstdLevels)-1]
	for _, l := range pureZstdLevels {
		if level <= l.upTo {
			stand = l
			break
		}
	}
	c, err := openPureZstd(stand.level)
	if err != nil {
		return nil, err
	}
	c.setting = Setting{Zstd, level}
	c.info = Info{
		Library:    "klauspost/compress zstd",
		Version:    klauspostVersion,
		ErrorBand:  stand.band,
		SizeFactor: stand.factor,
		Note:       "approximate: " + why.Error(),
		CPULibrary: "klauspost/compress zstd " + klauspostVersion,
		CPUScaled:  true,
	}
	if stand.factor == 1 {
		c.info.SizeFactor = 0
	}
	return c, nil
}

// window is libzstd's at levels 3 to 8. It matters for images longer than that,
// and to memory: klauspost's best level takes 37 MB a codec, with its own 53.
const window = 2 << 20

// openPureZstd gives an encoder and a decoder that run on the caller's
// goroutine. The decoder writes no more than it is given room for.
func openPureZstd(level zstd.EncoderLevel) (*pureZstd, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false),
		zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true), zstd.WithWindowSize(window))
	if err != nil {
		return nil, fmt.Errorf("zstd encoder: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxMemory(maxImage))
	if err != nil {
		return nil, fmt.Errorf("zstd decoder: %w", err)
	}
	return &pureZstd{enc: enc, dec: dec}, nil
}

// maxImage is more than a page image can hold: a document of 16 MiB and 16 KiB
// with its cell and headers.
const maxImage = 32 << 20

func (c *pureZstd) Info() Info     { return c.info }
func (c *pureZstd) Stored() []byte { return c.stored }

func (c *pureZstd) Compress(src []byte) (int, error) {
	c.stored = nil
	c.buf = grow(c.buf, prefixSize)
	c.buf = c.enc.EncodeAll(src, c.buf[:prefixSize])
	c.stored = seal(c.buf, len(src))
	n := len(c.stored)
	if n > 0 && c.info.SizeFactor > 0 {
		saved := 1 - float64(n)/float64(len(src))
		n = int(float64(n) * (1 - (1-c.info.SizeFactor)*saved))
	}
	return n, nil
}

func (c *pureZstd) Decompress(dst, stored []byte) error {
	frame, err := body(stored)
	if err != nil {
		return err
	}
	out, err := c.dec.DecodeAll(frame, dst[:0:len(dst)])
	if err != nil {
		return err
	}
	if len(out) != len(dst) {
		return errCorrupt
	}
	return nil
}
