package codec

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/sampler/racetest"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// dataDir holds real collections, beside the repository where they exist.
const dataDir = "../../../shared/data/sets"

// realPages cuts the first image of n bytes out of each real collection:
// documents after cells, as a page has them.
func realPages(t testing.TB, n int) map[string][]byte {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dataDir, "*", "*.bson.gz"))
	if len(files) == 0 {
		t.Skip("no real collections at ../shared/data: skipped")
	}
	sets := map[string][]byte{}
	for _, name := range files {
		if cells := readCells(t, name, n); len(cells) == n {
			sets[name] = cells
		}
	}
	return sets
}

// readCells gives the first n bytes of a collection's cells, or all there are. A
// document larger than that has no head.
func readCells(t testing.TB, name string, n int) []byte {
	t.Helper()
	var cells []byte
	rest := streamtest.Head(t, name, int64(n))
	for id := 1; len(cells) < n && len(rest) > 4; id++ {
		length := int(binary.LittleEndian.Uint32(rest))
		doc := rest[:min(length, len(rest))]
		rest = rest[len(doc):]
		if length <= n {
			cells = append(cells, 0x05, 0x81, byte(id>>8), byte(id), 0x80, byte(length>>8), byte(length))
		}
		cells = append(cells, doc...)
	}
	return cells[:min(n, len(cells))]
}

// The fallbacks' bands hold on real collections, set by set, and their mean
// error is small. Each collection meets half of the settings, and a page of the
// larger size, which takes longer, a sixth of them; every setting is met.
func TestFallbackBands(t *testing.T) {
	racetest.OneGoroutine(t)
	short, long := realPages(t, 28_000), realPages(t, 117_000)
	names := slices.Sorted(maps.Keys(short))
	for i, s := range mustParseList(t, "zlib:1-9,zstd:1-7,zstd:9,zstd:12,zstd:19") {
		exact, fallback := pair(t, s)
		band := fallback.Info().ErrorBand + exact.Info().ErrorBand
		var errors []float64
		for j, name := range names {
			var pages [][]byte
			if (i+j)%2 == 0 {
				pages = append(pages, short[name])
			}
			if page, ok := long[name]; ok && (i+j)%6 == 1 {
				pages = append(pages, page)
			}
			for _, page := range pages {
				e := storedSize(t, fallback, page)/storedSize(t, exact, page) - 1
				errors = append(errors, e)
				if math.Abs(e) > band {
					t.Errorf("%s: %s: fallback is off by %+.1f %%, band %.1f %%", s, filepath.Base(name), 100*e, 100*band)
				}
			}
		}
		t.Logf("%s: mean error %+.2f %% over %d", s, 100*mean(errors), len(errors))
		if m := mean(errors); math.Abs(m) > 0.04 {
			t.Errorf("%s: mean error of the fallback %+.1f %%", s, 100*m)
		}
	}
}

// pair opens the C codec and the pure Go one, or skips where they are the same.
func pair(t *testing.T, s Setting) (exact, fallback Codec) {
	t.Helper()
	exact, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	fallback, err = NewFallback(s)
	if err != nil {
		t.Fatal(err)
	}
	if exact.Info().Library == fallback.Info().Library {
		t.Skipf("%s: no C library in this build: skipped", s)
	}
	return exact, fallback
}

func storedSize(t *testing.T, c Codec, page []byte) float64 {
	t.Helper()
	n, err := c.Compress(page)
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		n = len(page)
	}
	return float64(n)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// What one library compresses the other must read: the formats are the same. A
// page of the larger size is tried where the codecs differ.
func TestLibrariesReadEachOther(t *testing.T) {
	racetest.OneGoroutine(t)
	distinct := mustParseList(t, standIns)
	for _, s := range mustParseList(t, "zlib:1-9,zstd:1-22") {
		exact, fallback := pair(t, s)
		sources := [][]byte{generatePage(12, 28_000), generatePage(13, 700), make([]byte, 5000)}
		if slices.Contains(distinct, s) {
			sources = append(sources, generatePage(11, 117_000))
		}
		for _, src := range sources {
			for _, way := range [][2]Codec{{exact, fallback}, {fallback, exact}} {
				got := make([]byte, len(src))
				if _, err := way[0].Compress(src); err != nil {
					t.Fatal(err)
				}
				if err := way[1].Decompress(got, way[0].Stored()); err != nil || !bytes.Equal(got, src) {
					t.Errorf("%s: %s does not read %d bytes of %s: %v", s, way[1].Info().Library, len(src), way[0].Info().Library, err)
				}
			}
		}
	}
}

// A scaled size stays between the stored bytes and the source.
func TestScaledSizes(t *testing.T) {
	racetest.OneGoroutine(t)
	c, err := NewFallback(Setting{Zstd, 19})
	if err != nil {
		t.Fatal(err)
	}
	src := generatePage(14, 100_000)
	n, err := c.Compress(src)
	f := c.Info().SizeFactor
	if err != nil || f <= 0 || f >= 1 {
		t.Fatalf("Compress = %d, %v, factor %v", n, err, f)
	}
	if lo, hi := int(f*float64(len(c.Stored()))), len(c.Stored()); n < lo || n >= hi {
		t.Errorf("size %d of %d stored bytes, want at least %d and less than them", n, hi, lo)
	}
}
