package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadTruth(t *testing.T) {
	path := writeFile(t, "truth.tsv", "# a comment\n"+
		"set\tcompressor\tcount\tsize\tstorageSize\tfreeStorageSize\tlow\thigh\n"+
		"a.bson\tzlib\t10\t1000\t20480\t4096\t12288\t16384\n")
	rows, err := readTruth(path)
	if err != nil {
		t.Fatal(err)
	}
	want := measured{set: "a.bson", compressor: "zlib", count: 10, size: 1000, used: 16384, low: 12288, high: 16384}
	if len(rows) != 1 || rows[0] != want {
		t.Errorf("%+v, want %+v", rows, want)
	}
}

func TestReadTruthWithoutRange(t *testing.T) {
	path := writeFile(t, "truth.tsv", "set\tcompressor\tcount\tsize\tstorageSize\tfreeStorageSize\na\tnone\t1\t5\t8192\t0\n")
	rows, err := readTruth(path)
	if err != nil || len(rows) != 1 || rows[0].low != 8192 || rows[0].high != 8192 {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestReadTruthFaults(t *testing.T) {
	const head = "set\tcompressor\tcount\tsize\tstorageSize\tfreeStorageSize\n"
	for _, c := range []struct{ text, want string }{
		{head + "a\tnone\tx\t5\t8192\t0\n", "line 2: count"},
		{head + "a\tnone\t1\t5\n", "storageSize"},
		{head + "a\tnone\t0\t5\t8192\t0\n", "must be positive"},
		{"set\tcompressor\na\tnone\n", "count"},
	} {
		if _, err := readTruth(writeFile(t, "t.tsv", c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := readTruth(filepath.Join(t.TempDir(), "truth.tsv")); err == nil {
		t.Error("no error for a file that is not there")
	}
}

func TestOff(t *testing.T) {
	m := measured{used: 100, low: 90, high: 110}
	for projected, want := range map[int64]float64{90: 0, 100: 0, 110: 0, 121: 0.1, 81: -0.1} {
		if got := m.off(projected); math.Abs(got-want) > 1e-12 {
			t.Errorf("off(%d) = %g, want %g", projected, got, want)
		}
	}
}

// TestDeterministic: by the record's footprint, 47 + 461 rounded up to 512, 16
// for the entry, 8 for its depth and 3 for the key, 5 % of 1 GiB hold 99,604
// records of 461 bytes.
func TestDeterministic(t *testing.T) {
	for count, want := range map[int64]bool{99_000: true, 100_000: false} {
		if got := (measured{count: count, size: 461 * count}).deterministic(); got != want {
			t.Errorf("%d documents: %t, want %t", count, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	v := []float64{5, 1, 4, 2, 3}
	for _, c := range []struct{ share, want float64 }{{0, 1}, {0.5, 3}, {0.95, 5}, {0.8, 4}, {1, 5}} {
		if got := quantile(v, c.share); got != c.want {
			t.Errorf("quantile %g = %g, want %g", c.share, got, c.want)
		}
	}
	if !math.IsNaN(median(nil)) {
		t.Error("the median of nothing is a number")
	}
}

func TestMebibytes(t *testing.T) {
	var m mebibytes
	for s, want := range map[string]int64{"8MiB": 8 << 20, "64": 64 << 20} {
		if err := m.Set(s); err != nil || m.bytes() != want {
			t.Errorf("%q: %d, %v; want %d", s, m.bytes(), err, want)
		}
	}
	for _, s := range []string{"", "8KiB", "0", "-1", "99999999999999"} {
		if m.Set(s) == nil {
			t.Errorf("%q is taken", s)
		}
	}
}
