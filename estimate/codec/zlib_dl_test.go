//go:build cgo && unix && !nodlopen

package codec

import (
	"bytes"
	"strings"
	"testing"
)

func systemLibz(t *testing.T) *sharedLibz {
	t.Helper()
	z, err := loadLibz()
	if err != nil {
		t.Skipf("%v: skipped", err)
	}
	return z
}

func TestOpenLibzRefuses(t *testing.T) {
	for _, names := range [][]string{nil, {"libz-that-is-not-there.so"}, {"libc.so.6", "/dev/null"}} {
		if z, err := openLibz(names); err == nil {
			t.Errorf("openLibz(%q) gave version %s", names, z.version)
		}
	}
}

// Plain zlib passes the check at every level; a library that fails it is not
// used for that level, and the reason names it.
func TestLibzCheck(t *testing.T) {
	z := systemLibz(t)
	for level, sum := range knownSums {
		level++
		exact := z.reproduces(level, sum)
		if !exact && strings.Trim(z.version, "0123456789.") == "" {
			t.Errorf("zlib %s, level %d: not the known output", z.version, level)
		}
		if z.reproduces(level, sum+1) {
			t.Errorf("level %d: passes with a wrong checksum", level)
		}
		c := mustOpen(t, New, Setting{Zlib, level})
		if info := c.Info(); info.Exact != exact || info.Exact && info.Version != z.version || !exact && !strings.Contains(info.Note, z.version) {
			t.Errorf("level %d: exact %v, codec %+v", level, exact, info)
		}
	}
}

// A stream that was reset gives the bytes of one just opened, on real pages too.
func TestResetIsOpen(t *testing.T) {
	z := systemLibz(t)
	pages := realPages(t, 28_000)
	for level := 1; level <= 9; level++ {
		used, err := z.open(level)
		if err != nil {
			t.Fatal(err)
		}
		for name, page := range pages {
			fresh, err := z.open(level)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []*libz{used, fresh} {
				if _, err := c.Compress(page); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(used.Stored(), fresh.Stored()) {
				t.Errorf("level %d: %s: %d and %d bytes", level, name, len(used.Stored()), len(fresh.Stored()))
			}
		}
	}
}

// deflate fails on short sources, whose stream would be longer, and no stream is
// longer than its source.
func TestDeflateRoom(t *testing.T) {
	z := systemLibz(t)
	c, err := z.open(6)
	if err != nil {
		t.Fatal(err)
	}
	r := rng(99)
	for n := 1; n < 400; n++ {
		src := []byte(hex(&r, n)) // 4 bits of 8 carry nothing
		got, err := c.Compress(src)
		if err != nil {
			t.Fatal(err)
		}
		if got > n || got == 0 && n > 100 || got != 0 && n < 10 {
			t.Errorf("%d bytes stored in %d", n, got)
		}
	}
}
