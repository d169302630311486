//go:build oracle

package oracle

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var truthTable = flag.String("truth", "truth.tsv", "the file of real sizes TestTruth compares with: truth.tsv or truth-replset.tsv")
var truthSets = flag.String("sets", "", "only sets whose name contains this")

// dataDir is the folder of real collections and what the engine made of them.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no real data beside the repository (../shared/data)")
	}
	return dir
}

// truthRow is one line of truth.tsv: low and high bound storageSize -
// freeStorageSize over several loads.
type truthRow struct {
	set, compressor string
	count, size     int64
	low, high       int64
}

// onePage says whether the collection fits into one page in memory, with at most
// 100 bytes for each record beside the document: then one reconciliation writes
// the whole file, and every engine writes the same one.
func (r truthRow) onePage() bool { return r.size+100*r.count < 8<<20 }

// tolerance is how far the linked engine may be off. Beyond one page in memory
// 3.2.1 fills its pages with more records (its updates take less memory), which
// moves all boundaries; snappy and zstd write other bytes in other versions.
func (r truthRow) tolerance() float64 {
	if r.onePage() && (r.compressor == "none" || r.compressor == "zlib") {
		return 0
	}
	return 0.1
}

func readTruth(t *testing.T, path string) []truthRow {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []truthRow
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Split(s.Text(), "\t")
		if strings.HasPrefix(s.Text(), "#") || fields[0] == "set" {
			continue
		}
		n := make([]int64, len(fields)-2)
		for i := range n {
			if n[i], err = strconv.ParseInt(fields[i+2], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		row := truthRow{fields[0], fields[1], n[0], n[1], n[2] - n[3], n[2] - n[3]}
		if len(n) > 4 {
			row.low, row.high = n[4], n[5]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestTruth loads every real set under every compressor and compares the file
// with what WiredTiger 12.0.0 made of it.
func TestTruth(t *testing.T) {
	dir := dataDir(t)
	stamps := strings.Contains(*truthTable, "replset")
	if stamps && !EngineVersion().TimeWindows() {
		t.Skipf("WiredTiger %s keeps no time windows", EngineVersion())
	}
	exact, n := 0, 0
	for _, row := range readTruth(t, filepath.Join(dir, filepath.Base(*truthTable))) {
		if !strings.Contains(row.set, *truthSets) || testing.Short() && row.count > 50000 {
			continue
		}
		set := filepath.Join(dir, "sets", row.set+".gz")
		r, err := Load(t.TempDir(), ReadBSON(set), Config{Compressor: row.compressor, Timestamps: stamps})
		if err != nil {
			t.Fatal(err)
		}
		if r.Records != row.count {
			t.Errorf("%s: %d records, want %d", row.set, r.Records, row.count)
		}
		used := r.FileBytes - r.FreeBytes
		off := 0.0
		if n++; used >= row.low && used <= row.high {
			exact++
		} else {
			off = float64(used)/float64(min(max(used, row.low), row.high)) - 1
		}
		fmt.Printf("%-36s %-7s %12d %12d..%d %+7.2f %%\n", row.set, row.compressor, used, row.low, row.high, 100*off)
		if math.Abs(off) > row.tolerance() {
			t.Errorf("%s %s: %d bytes, want %d to %d", row.set, row.compressor, used, row.low, row.high)
		}
	}
	fmt.Printf("WiredTiger %s: %d of %d within the range of %s\n", EngineVersion(), exact, n, *truthTable)
}
