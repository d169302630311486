package keystring

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dataDir is where the real data of a development machine lies.
const dataDir = "../../../shared/data"

// TestRealEntries makes the entries of real collections and compares their
// number with what was loaded into the engine.
func TestRealEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every real set")
	}
	f, err := os.Open(filepath.Join(dataDir, "truth-indexes.tsv"))
	if err != nil {
		t.Skip("real data is not here: " + err.Error())
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		col := strings.Split(sc.Text(), "\t")
		if len(col) < 6 || col[0] == "set" {
			continue
		}
		t.Run(col[0]+"/"+col[1], func(t *testing.T) {
			g := New(parseKey(t, "{"+quoteNames(col[2])+"}"), Options{})
			var n, id int64
			eachDocument(t, col[0], func(doc []byte) {
				id++
				if err := g.Entries(doc, id, func(_, _ []byte) { n++ }); err != nil {
					t.Fatal(err)
				}
			})
			if fmt.Sprint(n) != col[3] || len(g.Skipped()) > 0 {
				t.Errorf("%d entries, want %s; skipped %v", n, col[3], g.Skipped())
			}
		})
	}
}

// quoteNames turns "a:b:1,c:1", whose names may hold colons, into a pattern.
func quoteNames(s string) string {
	var parts []string
	for _, p := range strings.Split(s, ",") {
		i := strings.LastIndexByte(p, ':')
		parts = append(parts, fmt.Sprintf("%q: %s", p[:i], p[i+1:]))
	}
	return strings.Join(parts, ", ")
}

func eachDocument(t testing.TB, set string, visit func(doc []byte)) {
	t.Helper()
	f, err := os.Open(filepath.Join(dataDir, "sets", set+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReaderSize(z, 1<<20)
	var doc []byte
	for {
		var size [4]byte
		if _, err := io.ReadFull(r, size[:]); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		n := int(binary.LittleEndian.Uint32(size[:]))
		doc = append(doc[:0], size[:]...)
		doc = append(doc, make([]byte, n-4)...)
		if _, err := io.ReadFull(r, doc[4:]); err != nil {
			t.Fatal(err)
		}
		visit(doc)
	}
}
