package codec

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// dataDir holds real collections, beside the repository where they exist.
const dataDir = "../../../shared/data/sets"

// realPages cuts images of n bytes out of each real collection, up to count of
// them, spread over it: documents after cells, as a page has them.
func realPages(t testing.TB, n, count int) map[string][][]byte {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dataDir, "*", "*.bson.gz"))
	if len(files) == 0 {
		t.Skip("no real collections at ../shared/data: skipped")
	}
	sets := map[string][][]byte{}
	for _, name := range files {
		cells := readCells(t, name)
		step := max(1, len(cells)/n/count) * n
		for at := 0; at+n <= len(cells) && len(sets[name]) < count; at += step {
			sets[name] = append(sets[name], cells[at:at+n])
		}
	}
	return sets
}

func readCells(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(io.LimitReader(z, 32<<20))
	if err != nil {
		t.Fatal(err)
	}
	var cells []byte
	for id := 1; len(data) >= 4; id++ {
		n := int(binary.LittleEndian.Uint32(data))
		if n < 5 || n > len(data) {
			break
		}
		cells = append(cells, 0x05, 0x81, byte(id>>8), byte(id), 0x80, byte(n>>8), byte(n))
		cells = append(cells, data[:n]...)
		data = data[n:]
	}
	return cells
}

// The fallbacks' bands hold on real collections, set by set, and their mean
// error is small.
func TestFallbackBands(t *testing.T) {
	if testing.Short() {
		t.Skip("compresses for half a minute: skipped with -short")
	}
	short, long := realPages(t, 28_000, 1), realPages(t, 117_000, 1)
	for _, s := range mustParseList(t, "zlib:1-9,zstd:1-7,zstd:9,zstd:12,zstd:19") {
		exact, fallback := pair(t, s)
		band := fallback.Info().ErrorBand + exact.Info().ErrorBand
		var errors []float64
		for _, sets := range []map[string][][]byte{short, long} {
			for name, pages := range sets {
				e := total(t, fallback, pages)/total(t, exact, pages) - 1
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

func total(t *testing.T, c Codec, pages [][]byte) float64 {
	t.Helper()
	sum := 0
	for _, p := range pages {
		n, err := c.Compress(p)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			n = len(p)
		}
		sum += n
	}
	return float64(sum)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// What one library compresses the other must read: the formats are the same.
func TestLibrariesReadEachOther(t *testing.T) {
	for _, s := range mustParseList(t, "zlib:1-9,zstd:1-22") {
		exact, fallback := pair(t, s)
		for _, src := range [][]byte{generatePage(11, 117_000), generatePage(12, 28_000), generatePage(13, 700), make([]byte, 5000)} {
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
