package index

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
	"github.com/wtsize/wtsize/sampler/racetest"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

const dataDir = "../../../shared/data"

type truthRow struct {
	set, name, key     string
	entries            int64
	size, sizeOlderWay int64
}

func readTruth(t testing.TB) []truthRow {
	t.Helper()
	f, err := os.Open(filepath.Join(dataDir, "truth-indexes.tsv"))
	if err != nil {
		t.Skip("real data is not here: " + err.Error())
	}
	defer f.Close()
	var rows []truthRow
	for sc := bufio.NewScanner(f); sc.Scan(); {
		col := strings.Split(sc.Text(), "\t")
		if len(col) < 6 || col[0] == "set" {
			continue
		}
		var parts []string
		for _, p := range strings.Split(col[2], ",") {
			i := strings.LastIndexByte(p, ':')
			parts = append(parts, fmt.Sprintf("%q: %s", p[:i], p[i+1:]))
		}
		num := func(s string) int64 {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		rows = append(rows, truthRow{col[0], col[1], "{" + strings.Join(parts, ", ") + "}", num(col[3]), num(col[4]), num(col[5])})
	}
	return rows
}

// lastSet keeps the documents of the set read last: rows of a set follow each
// other.
var lastSet struct {
	name string
	docs [][]byte
}

func allDocuments(t testing.TB, set string) [][]byte {
	t.Helper()
	if lastSet.name != set {
		lastSet.name, lastSet.docs = set, nil
		for _, doc := range streamtest.Documents(t, filepath.Join(dataDir, "sets", set+".gz")) {
			lastSet.docs = append(lastSet.docs, doc)
		}
	}
	return lastSet.docs
}

// long leaves out what takes long with the race detector: it looks for races
// between goroutines, and there is only one.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() || racetest.Enabled {
		t.Skip("takes long; runs without -short and -race")
	}
}

type entry struct{ key, value []byte }

func sortedEntries(t testing.TB, row truthRow) []entry {
	t.Helper()
	ix, err := keystring.ParseKey(row.key)
	if err != nil {
		t.Fatal(err)
	}
	g := keystring.New(ix, keystring.Options{})
	var all []entry
	for i, doc := range allDocuments(t, row.set) {
		err := g.Entries(doc, int64(i+1), func(k, v []byte) {
			b := append(append(make([]byte, 0, len(k)+len(v)), k...), v...)
			all = append(all, entry{b[:len(k):len(k)], b[len(k):]})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if int64(len(all)) != row.entries || len(g.Skipped()) > 0 {
		t.Errorf("%s %s: %d entries, want %d; skipped %v", row.set, row.name, len(all), row.entries, g.Skipped())
	}
	slices.SortFunc(all, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	return all
}

func build(t testing.TB, cfg Config, all []entry) File {
	t.Helper()
	b := NewBuilder(cfg)
	for _, e := range all {
		b.Add(e.key, e.value)
	}
	f, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestTruth builds the indexes of real sets and compares the files with what
// the engine wrote, under both prefix rules.
func TestTruth(t *testing.T) {
	long(t)
	older, err := wt.ParseRelease("4.2")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range readTruth(t) {
		all := sortedEntries(t, row)
		for _, v := range []struct {
			release wt.Release
			want    int64
		}{{wt.Newest(), row.size}, {older, row.sizeOlderWay}} {
			f := build(t, Config{Table: wt.Index(), Release: v.release}, all)
			if f.Size != v.want {
				t.Errorf("%s %s release %s: %d bytes, want %d (%+.3f%%, %d pages) %+v", row.set, row.name, v.release, f.Size, v.want,
					100*float64(f.Size-v.want)/float64(v.want), (f.Size-v.want)/4096, f)
			}
		}
	}
}
