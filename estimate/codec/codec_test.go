package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wtsize/wtsize/sampler/racetest"
)

// usable are settings that every build has.
const usable = "none,snappy,zlib:1-9,zstd:1-13,zstd:15,zstd:19,zstd:22"

// standIns are the settings whose pure Go codecs differ from each other.
const standIns = "zlib:1,zlib:6,zlib:9,zstd:1,zstd:3,zstd:5,zstd:6,zstd:19"

// codecs calls f for each setting of the list, with the codec that New gives
// and, for standIns, with the pure Go one.
func codecs(t *testing.T, list string, f func(t *testing.T, s Setting, c Codec)) {
	pure := mustParseList(t, standIns)
	for _, s := range mustParseList(t, list) {
		t.Run(s.String(), func(t *testing.T) { f(t, s, mustOpen(t, New, s)) })
		if slices.Contains(pure, s) {
			t.Run(s.String()+"/fallback", func(t *testing.T) { f(t, s, mustOpen(t, NewFallback, s)) })
		}
	}
}

func mustOpen(t testing.TB, open func(Setting) (Codec, error), s Setting) Codec {
	t.Helper()
	c, err := open(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// again opens another codec of the kind that a test of codecs was given.
func again(t testing.TB, s Setting) Codec {
	if strings.HasSuffix(t.Name(), "/fallback") {
		return mustOpen(t, NewFallback, s)
	}
	return mustOpen(t, New, s)
}

// sources are inputs of many kinds and lengths.
func sources() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 117_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	m := map[string][]byte{
		"page 117000": generatePage(1, 117_000),
		"page 28000":  generatePage(2, 28_000),
		"random":      random,
		"zeros":       make([]byte, 117_000),
		"mixed":       append(generatePage(3, 60_000), random[:60_000]...),
	}
	for n := 0; n <= 200; n++ {
		m[fmt.Sprintf("page %d", n)] = generatePage(uint64(n), n)
		m[fmt.Sprintf("zeros %d", n)] = make([]byte, n)
	}
	return m
}

// Every short length is tried at one level of each codec, some at all of them.
func TestRoundTrip(t *testing.T) {
	racetest.OneGoroutine(t)
	all := sources()
	every := mustParseList(t, "snappy,zlib,zstd:1")
	codecs(t, usable, func(t *testing.T, s Setting, c Codec) {
		for name, src := range all {
			if s.Level > 9 && len(src) > 30_000 && name != "page 117000" {
				continue // slow, and nothing new
			}
			if len(src) > 20 && len(src) < 199 && !slices.Contains(every, s) {
				continue
			}
			checkRoundTrip(t, s, c, name, src)
		}
	})
}

func checkRoundTrip(t *testing.T, s Setting, c Codec, name string, src []byte) {
	t.Helper()
	n, err := c.Compress(src)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	stored := c.Stored()
	if n == 0 {
		if stored != nil {
			t.Errorf("%s: returned 0 with %d bytes stored", name, len(stored))
		}
		return
	}
	if n != len(stored) && c.Info().SizeFactor == 0 {
		t.Errorf("%s: returned %d with %d bytes stored", name, n, len(stored))
	}
	checkAccepted(t, s, name, len(src), stored)
	got := make([]byte, len(src))
	if err := c.Decompress(got, stored); err != nil {
		t.Errorf("%s: %v", name, err)
	} else if !bytes.Equal(got, src) {
		t.Errorf("%s: decompressed bytes differ", name)
	}
	for _, wrong := range []int{len(src) - 1, len(src) + 1} {
		if err := c.Decompress(make([]byte, wrong), stored); err == nil {
			t.Errorf("%s: %d bytes decompressed into %d without an error", name, len(src), wrong)
		}
	}
}

// checkAccepted holds stored bytes to the extensions' own rules.
func checkAccepted(t *testing.T, s Setting, name string, source int, stored []byte) {
	t.Helper()
	if s.Name == Zlib {
		if len(stored) > source {
			t.Errorf("%s: %d bytes stored for %d", name, len(stored), source)
		}
		return
	}
	if len(stored) >= source {
		t.Errorf("%s: %d bytes stored for %d", name, len(stored), source)
	}
	if n := binary.LittleEndian.Uint64(stored); n != uint64(len(stored)-8) {
		t.Errorf("%s: prefix says %d of %d bytes", name, n, len(stored))
	}
}

func TestIncompressibleIsNotKept(t *testing.T) {
	random := sources()["random"]
	codecs(t, usable, func(t *testing.T, _ Setting, c Codec) {
		if n, err := c.Compress(random); n != 0 || err != nil {
			t.Errorf("Compress(random) = %d, %v", n, err)
		}
	})
}

func TestNone(t *testing.T) {
	c, _ := New(Setting{Name: None})
	if n, err := c.Compress(make([]byte, 1000)); n != 0 || err != nil || c.Stored() != nil {
		t.Errorf("Compress = %d, %v", n, err)
	}
	dst := make([]byte, 3)
	if err := c.Decompress(dst, []byte("abc")); err != nil || string(dst) != "abc" {
		t.Errorf("Decompress = %q, %v", dst, err)
	}
}

// Reuse of a context must not show in the output, whatever came before.
func TestReuseIsInvisible(t *testing.T) {
	all := sources()
	for n := range 200 {
		if n != 150 {
			delete(all, fmt.Sprintf("page %d", n))
			delete(all, fmt.Sprintf("zeros %d", n))
		}
	}
	codecs(t, "snappy,zlib:1-9,zstd,zstd:1,zstd:3,zstd:12", func(t *testing.T, s Setting, c Codec) {
		for name, src := range all {
			fresh := again(t, s)
			if _, err := fresh.Compress(src); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Compress(src); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(fresh.Stored(), c.Stored()) {
				t.Errorf("%s: a used codec stores %d bytes, a new one %d", name, len(c.Stored()), len(fresh.Stored()))
			}
		}
	})
}

// The largest document a server stores makes a page of its own. Its end repeats
// its beginning, so that a match may reach back as far as a window does.
func TestLargest(t *testing.T) {
	end := generatePage(5, 1<<20)
	src := slices.Concat(end, make([]byte, 14<<20+16<<10), end)
	codecs(t, "snappy,zlib:1,zstd:1", func(t *testing.T, s Setting, c Codec) {
		if _, err := c.Compress(src); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(src))
		if err := c.Decompress(got, c.Stored()); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%s: decompressed bytes differ (%v)", s, err)
		}
	})
}

func TestConcurrentCodecs(t *testing.T) {
	codecs(t, "snappy,zlib,zstd,zstd:3", func(t *testing.T, s Setting, first Codec) {
		src := generatePage(6, 28_000)
		want, err := first.Compress(src)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 4 {
			c := again(t, s)
			wg.Go(func() {
				for range 5 {
					if n, err := c.Compress(src); n != want || err != nil {
						t.Errorf("Compress = %d, %v; want %d", n, err, want)
					}
					if err := c.Decompress(make([]byte, len(src)), c.Stored()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
}

// The codecs allocate nothing once they are warm. The stand-ins keep parts in
// a sync.Pool, which a garbage collection empties, and which forgets some at
// random under the race detector: a few are let pass.
func TestNoAllocations(t *testing.T) {
	src := generatePage(7, 28_000)
	dst := make([]byte, len(src))
	codecs(t, "none,snappy,zlib,zstd", func(t *testing.T, s Setting, c Codec) {
		page := func() {
			n, err := c.Compress(src)
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 {
				err = c.Decompress(dst, c.Stored())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for range 4 { // buffers and tables
			page()
		}
		limit := 0.0
		if c.Info().CPUScaled {
			limit = 8
		}
		if allocs := testing.AllocsPerRun(10, page); allocs > limit {
			t.Errorf("%v allocations a page", allocs)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	for _, s := range []Setting{{}, {"gzip", 0}, {"none", 1}, {"snappy", 6}, {"zlib", 0}, {"zlib", 10}, {"zstd", 0}, {"zstd", 23}, {"zstd", -8}} {
		if _, err := New(s); err == nil {
			t.Errorf("New(%+v) succeeded", s)
		}
		if _, err := NewFallback(s); err == nil {
			t.Errorf("NewFallback(%+v) succeeded", s)
		}
	}
	if _, err := NewFallback(Setting{Zstd, -1}); err == nil || !strings.Contains(err.Error(), "from 1 to 22") {
		t.Errorf("fallback for zstd:-1: %v", err)
	}
}

// The versions in Info are constants, since test binaries and stripped ones
// do not carry the module list.
func TestVersionsAreThoseOfGoMod(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"github.com/golang/snappy v" + snappyVersion,
		"github.com/DataDog/zstd v" + libzstdVersion,
		"github.com/klauspost/compress v" + klauspostVersion,
	} {
		if !strings.Contains(string(mod), want) {
			t.Errorf("go.mod lacks %q", want)
		}
	}
}
