package codec

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/wtsize/wtsize/sampler/racetest"
)

// damage is each stored form cut, extended and changed in one byte: never a
// panic, and never a page of the wrong length.
func TestDamaged(t *testing.T) {
	racetest.OneGoroutine(t)
	src := generatePage(20, 3000)
	codecs(t, "none,snappy,zlib,zstd", func(t *testing.T, s Setting, c Codec) {
		if _, err := c.Compress(src); err != nil {
			t.Fatal(err)
		}
		stored := bytes.Clone(c.Stored())
		if s.Name == None {
			stored = bytes.Clone(src)
		}
		dst := make([]byte, len(src))
		for cut := range stored {
			if err := c.Decompress(dst, stored[:cut]); err == nil && !bytes.Equal(dst, src) {
				t.Errorf("cut to %d of %d bytes: no error, other bytes", cut, len(stored))
			}
		}
		for at := range stored {
			changed := bytes.Clone(stored)
			changed[at] ^= 0x55
			_ = c.Decompress(dst, changed)
		}
		for _, n := range []int{0, 1, len(src) - 1, len(src) + 1, 10 * len(src)} {
			if err := c.Decompress(make([]byte, n), stored); err == nil {
				t.Errorf("decompressed %d bytes into %d", len(src), n)
			}
		}
		if err := c.Decompress(dst, stored); err != nil || !bytes.Equal(dst, src) {
			t.Errorf("after damaged input, good input gives %v", err)
		}
	})
}

// Lengths in the stored bytes that promise more than there is.
func TestImpossibleLengths(t *testing.T) {
	huge := binary.LittleEndian.AppendUint64(nil, 1<<63)
	codecs(t, "snappy,zlib,zstd", func(t *testing.T, s Setting, c Codec) {
		frame := binary.LittleEndian.AppendUint32(nil, 0xfd2fb528)
		frame = append(frame, 0xe0)                                // 8-byte content size, one segment
		frame = append(frame, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0)  // 4 GiB
		frame = append(frame, 0x03, 0x00, 0x00)                    // a last block, run length, of none
		block := append([]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, 'x') // snappy: 4 GiB
		for _, stored := range [][]byte{
			nil, {0}, huge, append(bytes.Clone(huge), frame...), prefixed(frame), prefixed(block), prefixed(nil),
		} {
			if err := c.Decompress(make([]byte, 100), stored); err == nil {
				t.Errorf("%x decompressed", stored)
			}
		}
	})
}

func prefixed(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b...)
}

// The frame is what ZSTD_compressCCtx writes: one segment, content size, no
// checksum, no dictionary.
func TestZstdFrame(t *testing.T) {
	codecs(t, "zstd:1-22", func(t *testing.T, s Setting, c Codec) {
		for _, n := range []int{300, 28_000, 117_000} {
			if _, err := c.Compress(generatePage(uint64(n), n)); err != nil {
				t.Fatal(err)
			}
			var h zstd.Header
			if err := h.Decode(c.Stored()[prefixSize:]); err != nil {
				t.Fatal(err)
			}
			if !h.SingleSegment || !h.HasFCS || h.FrameContentSize != uint64(n) || h.HasCheckSum || h.DictionaryID != 0 {
				t.Errorf("%d bytes: header %+v", n, h)
			}
		}
	})
}

// everyCodec opens each setting both ways, once for a whole fuzz run.
func everyCodec(f *testing.F, list string) (all []Codec, settings []Setting) {
	for _, s := range mustParseList(f, list) {
		for _, open := range []func(Setting) (Codec, error){New, NewFallback} {
			all = append(all, mustOpen(f, open, s))
			settings = append(settings, s)
		}
	}
	return all, settings
}

func FuzzDecompress(f *testing.F) {
	all, settings := everyCodec(f, "none,snappy,zlib,zstd:1")
	src := generatePage(21, 500)
	for _, c := range all {
		if _, err := c.Compress(src); err != nil {
			f.Fatal(err)
		}
		f.Add(c.Stored(), uint16(len(src)))
	}
	f.Fuzz(func(t *testing.T, stored []byte, length uint16) {
		guarded := make([]byte, int(length)+1)
		dst := guarded[:length:length]
		for i, c := range all {
			guarded[length] = 0xa5
			_ = c.Decompress(dst, stored)
			if guarded[length] != 0xa5 {
				t.Errorf("%s wrote past %d bytes", settings[i], length)
			}
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	all, settings := everyCodec(f, "snappy,zlib:1,zlib,zlib:9,zstd:1,zstd:3,zstd:6")
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), uint8(0))
	f.Add(generatePage(22, 400), uint8(5))
	f.Fuzz(func(t *testing.T, src []byte, pick uint8) {
		i := int(pick) % len(all)
		checkRoundTrip(t, settings[i], all[i], "fuzz", src)
	})
}

// libzstd's own output, so that a change of the library shows. The sums were
// taken with libzstd 1.5.5 built from its sources, the version servers link.
func TestZstdIsThatOfServers(t *testing.T) {
	racetest.OneGoroutine(t)
	for level, want := range zstdSums {
		c, err := New(Setting{Zstd, level})
		if err != nil || c.Info().Library != "libzstd" {
			t.Skipf("no libzstd in this build: skipped (%v)", err)
		}
		if !c.Info().Exact {
			t.Errorf("level %d is not called exact", level)
		}
		sum := uint32(0)
		for _, src := range zstdInputs() {
			if _, err := c.Compress(src); err != nil {
				t.Fatal(err)
			}
			sum = crc32.Update(sum, crc32.IEEETable, c.Stored()[prefixSize:])
		}
		if sum != want {
			t.Errorf("level %d: checksum %#08x, want %#08x", level, sum, want)
		}
	}
}

func zstdInputs() [][]byte {
	return [][]byte{generatePage(1, 120_000), generatePage(2, 28_000), generatePage(3, 1_000), make([]byte, 70_000)}
}

var zstdSums = map[int]uint32{
	-7: 0x3887b188,
	-5: 0xf25e0b70,
	-3: 0x603861c1,
	-1: 0x7e8e1c59,
	1:  0xf3c4a17a,
	2:  0x55f31618,
	5:  0xe32b2e0e,
	6:  0xd95a1325,
	7:  0x662ed1d1,
	8:  0x39e6fbb3,
	9:  0x915d6d98,
	10: 0xa63ff234,
	11: 0xe37af15b,
	12: 0xa6f61464,
}
