//go:build cgo

package codec

import (
	"bytes"
	"runtime"

	"github.com/DataDog/zstd"
)

// libzstd is the C library, compiled in. zstd.Ctx.CompressLevel calls
// ZSTD_compressCCtx as ext/compressors/zstd/zstd_compress.c does: content size
// in the frame, no checksum, no dictionary.
type libzstd struct {
	setting Setting
	ctx     zstd.Ctx
	buf     []byte
	stored  []byte
	info    Info
}

func newLibzstd(level int) (Codec, error) {
	info := Info{Library: "libzstd", Version: libzstdVersion, CPULibrary: "libzstd " + libzstdVersion}
	info.ErrorBand = versionBand(level)
	info.Exact = info.ErrorBand == 0
	if !info.Exact {
		info.Note = "this level's output differs between libzstd 1.5.5, which servers link, and 1.5.7"
	}
	return &libzstd{setting: Setting{Zstd, level}, ctx: zstd.NewCtx(), info: info}, nil
}

// versionBand bounds the difference between libzstd 1.5.5 and 1.5.7 by level, on
// pages of 28 and 117 KB of 22 real collections and 12 other sets. At -7..2 and
// 5..12 all are byte-identical. 3 and 4 differ by at most 1.06 % of a set, 13 to
// 15 by 0.1 %; from 16 on the optimal parser gained 0.8 % over all, and 11 % on
// two sets of numeric records.
func versionBand(level int) float64 {
	switch {
	case level == 3 || level == 4:
		return 0.011
	case level >= 16:
		return 0.11
	case level >= 13:
		return 0.01
	}
	return 0
}

func (c *libzstd) Info() Info     { return c.info }
func (c *libzstd) Stored() []byte { return c.stored }

func (c *libzstd) Compress(src []byte) (int, error) {
	c.stored = nil
	c.buf = grow(c.buf, prefixSize+zstd.CompressBound(len(src)))
	frame, err := c.ctx.CompressLevel(c.buf[prefixSize:], src, c.setting.Level)
	// The context's finalizer frees C memory: keep it from running while the
	// call that uses that memory is the last one on this codec.
	runtime.KeepAlive(c.ctx)
	if err != nil {
		return 0, wrap(c.setting, "compression", len(src), err)
	}
	c.stored = seal(c.buf[:prefixSize+len(frame)], len(src))
	return len(c.stored), nil
}

// zstdMagic starts a frame. libzstd as built also reads the formats of 2015;
// nothing that a server stored needs them.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

func (c *libzstd) Decompress(dst, stored []byte) error {
	frame, err := body(stored)
	if err != nil {
		return err
	}
	if len(dst) == 0 || !bytes.HasPrefix(frame, zstdMagic) {
		return errCorrupt
	}
	n, err := c.ctx.DecompressInto(dst, frame)
	runtime.KeepAlive(c.ctx)
	if err != nil {
		return err
	}
	if n != len(dst) {
		return errCorrupt
	}
	return nil
}
