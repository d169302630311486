//go:build oracle

package oracle

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestScan: what went in comes out, and a cold scan reads the whole file.
func TestScan(t *testing.T) {
	set := filepath.Join(dataDir(t), "sets", "solana", "tokens.bson.gz")
	for _, codec := range []string{"none", "snappy", "zlib", "zstd"} {
		dir, c := t.TempDir(), Config{Compressor: codec}
		loaded, err := Load(dir, ReadBSON(set), c)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Scan(dir, c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Records != loaded.Records || r.Bytes != 5067365 { // size in truth.tsv
			t.Errorf("%s: %d records of %d bytes, loaded %d", codec, r.Records, r.Bytes, loaded.Records)
		}
		if want := loaded.Pages.Leaf; r.PagesRead < want {
			t.Errorf("%s: %d pages read, the file has %d leaves", codec, r.PagesRead, want)
		}
		t.Logf("%-6s CPU %.4f s, process %.4f s, %d pages, %d bytes into cache, %d from the file",
			codec, r.CPUSeconds, r.ProcessCPUSeconds, r.PagesRead, r.BytesRead, r.BytesFromFile)
	}
}

// TestScanTimestamps: a database whose cells have time windows opens again; an
// engine without them says so.
func TestScanTimestamps(t *testing.T) {
	dir, c := t.TempDir(), Config{Compressor: "zstd", Timestamps: true}
	loaded, err := Load(dir, generated(5000), c)
	if !EngineVersion().TimeWindows() {
		if !errors.Is(err, ErrUnsupported) {
			t.Errorf("%v, want %v", err, ErrUnsupported)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := Scan(dir, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Records != loaded.Records {
		t.Errorf("%d records of %d", r.Records, loaded.Records)
	}
}
