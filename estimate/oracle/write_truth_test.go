//go:build oracle

package oracle

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	truthFolder = flag.String("truth-of", "", "the `folder` of .bson files that TestWriteTruth loads")
	truthOut    = flag.String("truth-out", "truth.tsv", "the file it writes")
	truthLoads  = flag.Int("truth-loads", 3, "how many times it loads each")
	truthCodecs = flag.String("truth-compressors", "none,snappy,zlib,zstd", "under which compressors")
)

// TestWriteTruth is a tool: it loads every .bson file of a folder several times
// and writes what became of it, in the columns of truth.tsv, for wtsize-bench.
//
//	go test -tags oracle -run TestWriteTruth ./estimate/oracle -truth-of /path -truth-out /path/truth.tsv
func TestWriteTruth(t *testing.T) {
	if *truthFolder == "" {
		t.Skip("no -truth-of folder given")
	}
	files, err := filepath.Glob(filepath.Join(*truthFolder, "*.bson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no .bson files in %s: %v", *truthFolder, err)
	}
	out, err := os.Create(*truthOut)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	fmt.Fprintf(out, "# WiredTiger %s, %d loads each\n", EngineVersion(), *truthLoads)
	fmt.Fprintln(out, "set\tcompressor\tcount\tsize\tstorageSize\tfreeStorageSize\tlow\thigh")
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, codec := range strings.Split(*truthCodecs, ",") {
			var first Result
			var low, high int64
			for i := range *truthLoads {
				r, err := Load(t.TempDir(), ReadBSON(file), Config{Compressor: codec})
				if err != nil {
					t.Fatal(err)
				}
				used := r.FileBytes - r.FreeBytes
				if i == 0 {
					first, low, high = r, used, used
				}
				low, high = min(low, used), max(high, used)
			}
			fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", filepath.Base(file), codec, first.Records, info.Size(),
				first.FileBytes, first.FreeBytes, low, high)
		}
	}
}
