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
//	        with cgo                           without
//	snappy  golang/snappy, within 0.5 %        the same
//	zlib    the system's libz, exact           klauspost zlib, approximate
//	zstd    libzstd 1.5.7 (DataDog), exact     klauspost zstd, approximate
//
// Servers link snappy 1.1.10 with its CRC32C hash, zlib 1.3 and zstd 1.5.5
// (mongodb/mongo, src/third_party). golang/snappy is byte-identical to C
// snappy 1.1.8 and 1.1.9, whose hash differs. libz is loaded at run time with
// dlopen, through prototypes of our own: a hundred lines instead of a deflate
// encoder, no header package needed to build, and times that are the C
// library's. A libz that does not reproduce known output (zlib-ng, vendors'
// patched builds) is not used. The pure Go codecs are always built, so the two
// can be compared in one run.
//
// Info says which one was used, and Info.ErrorBand bounds the error of sizes
// that are not exact.
package codec
