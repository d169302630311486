//go:build cgo && unix && !nodlopen

package codec

/*
#cgo linux LDFLAGS: -ldl
#include <stdlib.h>
#include "libz.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"runtime"
	"sync"
	"unsafe"
)

// libzNames are tried in turn: the soname, the development link, macOS.
var libzNames = []string{"libz.so.1", "libz.so", "libz.dylib", "/usr/lib/libz.dylib"}

// sharedLibz is the system's zlib, loaded once and never unloaded.
type sharedLibz struct {
	lib     C.wz_lib
	version string
	name    string
	exact   [9]func() bool // by level - 1: reproduces the known output
}

// loadLibz opens the system's library once.
var loadLibz = sync.OnceValues(func() (*sharedLibz, error) { return openLibz(libzNames) })

// openLibz opens the first library of names that has zlib's functions.
func openLibz(names []string) (*sharedLibz, error) {
	z := &sharedLibz{}
	for _, name := range names {
		cname := C.CString(name)
		rc := C.wz_open(&z.lib, cname)
		C.free(unsafe.Pointer(cname))
		if rc != 0 {
			continue
		}
		z.name = name
		z.version = C.GoString(C.wz_version(&z.lib))
		for i, sum := range knownSums {
			z.exact[i] = sync.OnceValue(func() bool { return z.reproduces(i+1, sum) })
		}
		return z, nil
	}
	return nil, errors.New("libz not found on this system")
}

// reproduces says whether the library's output for the known inputs has the
// checksum of the zlib that servers link.
func (z *sharedLibz) reproduces(level int, want uint32) bool {
	c, err := z.open(level)
	if err != nil {
		return false
	}
	sum := uint32(0)
	for _, src := range knownInputs() {
		if _, err := c.Compress(src); err != nil {
			return false
		}
		sum = crc32.Update(sum, crc32.IEEETable, c.Stored())
	}
	return sum == want
}

// libz is the C library: one deflate(Z_FINISH) into a buffer as long as the
// source, as zlib_compress.c does. The stream is reset instead of reopened,
// which gives the same bytes; WiredTiger opens one for every page, but takes
// its memory from scratch buffers that it keeps.
type libz struct {
	setting Setting
	shared  *sharedLibz
	streams *C.wz_codec
	buf     []byte
	stored  []byte
}

// newLibz returns the C codec, or why there is none that is exact.
func newLibz(level int) (Codec, error) {
	z, err := loadLibz()
	if err != nil {
		return nil, err
	}
	if !z.exact[level-1]() {
		return nil, fmt.Errorf("%s (%s) is not byte-identical to zlib 1.3", z.name, z.version)
	}
	return z.open(level)
}

func (z *sharedLibz) open(level int) (*libz, error) {
	c := &libz{setting: Setting{Zlib, level}, shared: z, streams: C.wz_new(&z.lib, C.int(level))}
	if c.streams == nil {
		return nil, fmt.Errorf("%s (%s) refuses deflateInit", z.name, z.version)
	}
	runtime.AddCleanup(c, func(s *C.wz_codec) { C.wz_free(&z.lib, s) }, c.streams)
	return c, nil
}

func (c *libz) Stored() []byte { return c.stored }

func (c *libz) Info() Info {
	return Info{
		Library:    "zlib",
		Version:    c.shared.version,
		Exact:      true,
		CPULibrary: "zlib " + c.shared.version + " (" + c.shared.name + ")",
	}
}

func (c *libz) Compress(src []byte) (int, error) {
	c.stored = nil
	if len(src) == 0 {
		return 0, nil
	}
	if len(src) > math.MaxInt32 {
		return 0, wrap(c.setting, "compression", len(src), errors.New("too long for one call"))
	}
	c.buf = grow(c.buf, len(src))
	n := int(C.wz_compress(&c.shared.lib, c.streams,
		unsafe.Pointer(&c.buf[0]), C.size_t(len(c.buf)), unsafe.Pointer(&src[0]), C.size_t(len(src))))
	runtime.KeepAlive(c)
	if n < 0 {
		return 0, wrap(c.setting, "compression", len(src), fmt.Errorf("deflate returned %d", n))
	}
	if n > 0 {
		c.stored = c.buf[:n]
	}
	return n, nil
}

func (c *libz) Decompress(dst, stored []byte) error {
	if len(dst) == 0 || len(stored) == 0 || max(len(dst), len(stored)) > math.MaxInt32 {
		return errCorrupt
	}
	n := int(C.wz_decompress(&c.shared.lib, c.streams,
		unsafe.Pointer(&dst[0]), C.size_t(len(dst)), unsafe.Pointer(&stored[0]), C.size_t(len(stored))))
	runtime.KeepAlive(c)
	if n != len(dst) {
		return errCorrupt
	}
	return nil
}
