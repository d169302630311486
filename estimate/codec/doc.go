// Package codec compresses page images as MongoDB's servers do: it returns
// what a WiredTiger compressor extension would return for the same bytes.
//
//	settings, err := codec.ParseList("none,snappy,zlib,zstd:1-22")
//	c, err := codec.New(settings[0])    // for one goroutine
//	n, err := c.Compress(image[64:])    // bytes to store; 0: store the image as it is
//	err = c.Decompress(dst, c.Stored()) // dst: as long as the source was
//	c.Info()                            // library, version, exact or not, error band
//	t, err := codec.Measure(s, images, codec.MeasureOptions{Budget: 300 * time.Millisecond})
//	reports := codec.SelfTest(settings, codec.MeasureOptions{})
//
// # What is stored
//
// The bytes are those of WiredTiger's ext/compressors/{snappy,zlib,zstd}:
//
//	snappy   uint64 LE length | one snappy block         kept if 8+n <  source
//	zlib     2-byte header | deflate | adler32           kept if   n <= source
//	zstd     uint64 LE length | one zstd frame           kept if 8+n <  source
//
// The length prefix counts the bytes that follow it. The rules of the page
// around it (64 bytes stay uncompressed, whole allocation units must be saved
// in older releases, rounding) belong to the caller.
//
// # Which library
//
//	        with cgo                            without
//	snappy  golang/snappy, within 0.5 %         the same
//	zlib    the system's libz, exact            klauspost zlib, approximate
//	zstd    libzstd 1.5.7 (DataDog/zstd), exact klauspost zstd, approximate
//
// Servers link snappy 1.1.10 with its CRC32C hash, zlib 1.3 and zstd 1.5.5
// (mongodb/mongo, README.third_party.md and sbom.json). golang/snappy is
// byte-identical to C snappy 1.1.8 and 1.1.9, whose hash differs. libzstd 1.5.7
// gives the bytes of 1.5.5 at levels -7 to 2 and 5 to 12; at the others Info is
// not exact and has a band.
//
// libz is loaded at run time with dlopen, through prototypes of our own: about
// a hundred lines instead of the six hundred of a deflate encoder, no header
// package needed to build, and times that are the C library's. A libz that does
// not reproduce known output (zlib-ng, vendors' patched builds) is not used:
// Info.Note says so, and klauspost's zlib takes its place. The build tag
// nodlopen leaves libz out, for binaries that are linked statically, where
// dlopen needs the glibc that was linked.
//
// The pure Go codecs are always built, so the two kinds can be compared in one
// run (NewFallback).
package codec
