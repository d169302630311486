package codec

import (
	"fmt"
	"testing"
)

// Speeds on generated pages of the two sizes that are most common, with the
// library that New picks and with the pure Go one.
func BenchmarkCodec(b *testing.B) {
	for _, s := range mustParseList(b, "snappy,zlib,zstd,zstd:3,zstd:12") {
		for _, n := range []int{28_000, 117_000} {
			benchmarkPage(b, s.String(), New, s, n)
			if s.Name != Snappy {
				benchmarkPage(b, s.String()+"/fallback", NewFallback, s, n)
			}
		}
	}
}

func benchmarkPage(b *testing.B, name string, open func(Setting) (Codec, error), s Setting, n int) {
	c, err := open(s)
	if err != nil {
		b.Fatal(err)
	}
	src, dst := generatePage(1, n), make([]byte, n)
	if _, err := c.Compress(src); err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("%s/compress/%d", name, n), func(b *testing.B) {
		b.SetBytes(int64(n))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Compress(src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(fmt.Sprintf("%s/decompress/%d", name, n), func(b *testing.B) {
		b.SetBytes(int64(n))
		b.ReportAllocs()
		for b.Loop() {
			if err := c.Decompress(dst, c.Stored()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
