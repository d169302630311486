//go:build oracle

package cost

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/oracle"
)

// scanSets are real sets whose scans take long enough to be timed, of documents
// of 75 bytes to 10 KB.
var scanSets = []string{
	"cities/cities", "nab/points", "vega/flights_200k", "torgeoip/v4", "words/words",
	"wikimovies/movies", "emoji/png", "awsapi/services", "nsi/items", "solana/tokens",
}

// TestEngineScans compares the model with cold scans of the real engine, file in
// the OS cache, one thread: CPU time relative to none, same machine, same run.
// The engine has no query layer, so what it spends on a record is taken from its
// scan without compression; decoding is measured on the file's own images.
func TestEngineScans(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "data", "sets")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("real data sets are not here: %v", err)
	}
	var errs []float64
	for _, set := range scanSets {
		scans := engineScans(t, filepath.Join(root, set+".bson.gz"))
		none := scans[0]
		cpu := DefaultCPU()
		cpu.PagePerRecordNs, cpu.PerDocumentNs = 0, 0
		copied := Model{CPU: cpu, Disk: Disk{Throughput: 1}}.Scan(none.table).Cached
		cpu.PagePerRecordNs = (none.seconds - copied) / float64(none.table.Count) / nano
		m := Model{CPU: cpu, Disk: Disk{Throughput: 1}}
		base := m.Scan(none.table).Cached
		for _, s := range scans[1:] {
			predicted, measured := m.Scan(s.table).Cached/base, s.seconds/none.seconds
			off := predicted/measured - 1
			errs = append(errs, math.Abs(off))
			t.Logf("%-18s %-6s measured %.2f, predicted %.2f (%+.0f %%); none %.2f ms, %.0f ns a record; decoding %.2f ns a byte of %.0f",
				set, s.setting, measured, predicted, off*100, none.seconds*1e3, none.seconds/float64(none.table.Count)/nano,
				s.table.DecompressNs, s.table.ImageBytes()/float64(s.table.leafPages()))
		}
	}
	slices.Sort(errs)
	median := errs[len(errs)/2]
	t.Logf("median error %.0f %%, largest %.0f %%", median*100, errs[len(errs)-1]*100)
	if median > 0.20 {
		t.Errorf("median error %.0f %%, want at most 20 %%", median*100)
	}
}

// engineScan is a set under one compressor.
type engineScan struct {
	setting codec.Setting
	table   Table
	seconds float64 // least CPU time of a cold scan
	dir     string
}

// engineScans loads a set under every compressor and scans the files in turn.
func engineScans(t *testing.T, file string) []engineScan {
	t.Helper()
	var scans []engineScan
	for _, setting := range codec.Defaults() {
		s := engineScan{setting: setting, seconds: math.Inf(1), dir: t.TempDir()}
		loaded, err := oracle.Load(s.dir, oracle.ReadBSON(file), oracle.Config{Compressor: setting.Name})
		if err != nil {
			t.Fatal(err)
		}
		s.table = engineTable(t, loaded, setting)
		scans = append(scans, s)
	}
	for range 5 {
		for i := range scans {
			s := &scans[i]
			r, err := oracle.Scan(s.dir, oracle.Config{Compressor: s.setting.Name})
			if err != nil {
				t.Fatal(err)
			}
			if leaves := s.table.leafPages(); r.PagesRead < leaves*9/10 {
				t.Fatalf("%s %s: %d of %d leaf pages read, the rest was in cache", file, s.setting, r.PagesRead, leaves)
			}
			s.seconds = min(s.seconds, r.CPUSeconds)
		}
	}
	return scans
}

// engineTable reads the leaf pages of a file and times decoding on some.
func engineTable(t *testing.T, loaded oracle.Result, setting codec.Setting) Table {
	t.Helper()
	f, err := oracle.OpenFile(loaded.Path, loaded.Metadata)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	blocks, err := f.Blocks()
	if err != nil {
		t.Fatal(err)
	}
	table := Table{Count: loaded.Records, StorageSize: loaded.FileBytes}
	var images [][]byte
	for i, b := range blocks {
		if b.Type != oracle.RowLeaf {
			continue
		}
		table.Leaf = append(table.Leaf, Class{1, float64(b.ImageBytes), float64(b.Size)})
		if b.Compressed && i%(len(blocks)/20+1) == 0 {
			image, err := f.Image(b.Address)
			if err != nil {
				t.Fatal(err)
			}
			images = append(images, slices.Clone(image))
		}
	}
	if setting.Name == codec.None || len(images) == 0 {
		return table
	}
	timing, err := codec.Measure(setting, images, codec.MeasureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table.CompressNs, table.DecompressNs = timing.Compress.Median, timing.Decompress.Median
	return table
}
