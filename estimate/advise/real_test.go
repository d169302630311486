package advise

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// realSet is a real collection as wtsize sized it: see testdata/real.tsv.
type realSet struct {
	name          string
	size, indexes int64
	options       []Option
}

func (s realSet) under(current string) Input {
	db, coll, _ := strings.Cut(s.name, "/")
	return Input{DB: db, Coll: coll, Size: s.size, IndexBytes: s.indexes, Options: s.options, Current: current,
		Sample: Sample{Bytes: s.size, Complete: true}}
}

func realSets(t *testing.T) []realSet {
	t.Helper()
	var sets []realSet
	for _, row := range table(t, filepath.Join("testdata", "real.tsv")) {
		n := make([]int64, len(row))
		for i, field := range row[1:] {
			v, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", row[0], err)
			}
			n[i] = v
		}
		s := realSet{name: row[0], size: n[0], indexes: n[1]}
		for i, compressor := range []string{"none", "snappy", "zlib", "zstd"} {
			at := 2 + 3*i
			s.options = append(s.options, Option{Compressor: compressor, StorageSize: n[at], Low: n[at+1], High: n[at+2]})
		}
		sets = append(sets, s)
	}
	return sets
}

// table reads the rows below the header of a file of tab-separated values.
func table(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	header := true
	for lines.Scan() {
		if line := lines.Text(); !strings.HasPrefix(line, "#") && !header {
			rows = append(rows, strings.Split(line, "\t"))
		} else if !strings.HasPrefix(line, "#") {
			header = false
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// The advice on 22 real collections, under each compressor that they might be
// stored with and where that is not known. The table is reviewed by hand: read
// the difference before committing it. No change saves under 5 % of data plus
// indexes, not even at the worst ends of the intervals.
func TestAdviceOnRealSets(t *testing.T) {
	var got strings.Builder
	fmt.Fprintf(&got, "%-32s %-8s %-10s %-8s %9s  %s\n", "set", "now", "advice", "to", "saves", "why")
	for _, s := range realSets(t) {
		for _, current := range []string{"", "none", "snappy", "zlib", "zstd"} {
			in := s.under(current)
			a := Advise(in)
			why := a.Why
			if current == "" {
				current, why = "?snappy", why[1:] // the first says what was assumed
			}
			saves := "-"
			if a.Action == Change {
				now, to := s.option(strings.TrimPrefix(current, "?")), s.option(a.Compressor)
				all := float64(now.StorageSize + s.indexes)
				saves = fmt.Sprintf("%.1f %%", 100*float64(a.SavesBytes)/all)
				if float64(a.SavesBytes) < Threshold*all || float64(now.Low-to.High) < Threshold*all {
					t.Errorf("%s under %s: a change to %s for %s", s.name, current, a.Compressor, saves)
				}
			}
			fmt.Fprintf(&got, "%-32s %-8s %-10s %-8s %9s  %s\n", s.name, current, a.Action, a.Compressor, saves, why[0])
		}
	}
	golden(t, filepath.Join("testdata", "real.txt"), got.String())
}

func (s realSet) option(compressor string) Option {
	for _, o := range s.options {
		if o.Compressor == compressor {
			return o
		}
	}
	return Option{}
}

// The sizes that the advice rests on are those that WiredTiger made of the same
// collections. One of them, of 0.1 MB under zstd, is a block larger (4.2 %); the
// spread of the engine's loads is up to 2 %.
func TestRealSizes(t *testing.T) {
	file := filepath.Join("..", "..", "..", "shared", "data", "truth.tsv")
	if _, err := os.Stat(file); err != nil {
		t.Skipf("real collections are not here: skipped (%v)", err)
	}
	measured := map[string]float64{}
	for _, row := range table(t, file) {
		size, err := strconv.ParseFloat(row[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		free, err := strconv.ParseFloat(row[5], 64)
		if err != nil {
			t.Fatal(err)
		}
		measured[strings.TrimSuffix(row[0], ".bson")+" "+row[1]] = size - free
	}
	for _, s := range realSets(t) {
		for _, o := range s.options {
			want := measured[s.name+" "+o.Compressor]
			if off := float64(o.StorageSize)/want - 1; want == 0 || math.Abs(off) > 0.045 {
				t.Errorf("%s, %s: %d bytes, WiredTiger made %.0f", s.name, o.Compressor, o.StorageSize, want)
			}
		}
	}
}
