package estimate

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/racetest"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// truth is what the engine made of a real collection: the bytes of the file that
// are in use, over several loads.
type truth struct{ low, high int64 }

// readTruth gives what a table of real sizes says, by set and compressor, and
// each set's size.
func readTruth(t *testing.T, name string) (map[string]map[string]truth, map[string]int64) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Skipf("no real data beside the repository: %v", err)
	}
	all, sizes := map[string]map[string]truth{}, map[string]int64{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 6 || f[0] == "set" {
			continue
		}
		n := func(i int) int64 {
			v, err := strconv.ParseInt(f[i], 10, 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			return v
		}
		if all[f[0]] == nil {
			all[f[0]] = map[string]truth{}
		}
		w := truth{n(4) - n(5), n(4) - n(5)} // storageSize - freeStorageSize
		if len(f) > 7 {
			w = truth{n(6), n(7)}
		}
		all[f[0]][f[1]], sizes[f[0]] = w, n(3)
	}
	return all, sizes
}

// realSet reads the documents of a gzip-compressed .bson file.
func realSet(t *testing.T, path string) *fakeCollection {
	t.Helper()
	c := &fakeCollection{c: sampler.Collection{NS: sampler.Namespace{DB: "real", Coll: "set"}, Type: sampler.Plain}}
	for _, d := range streamtest.Documents(t, path) {
		c.docs = append(c.docs, d)
	}
	return c
}

// Real collections of up to 7 MB, which the engine writes in one order of events,
// come out to the byte: at least nine of ten, the others within 1 % or a block.
// The one file that does not holds a page of 24,579 bytes where libzstd 1.5.4,
// which made the table, gives 24,576: six blocks.
// In time windows the load's first second and first transaction id are not
// known, so a few pages more compress to another number of blocks. Larger
// collections are compared by cmd/wtsize-bench. Only codecs that give the
// servers' bytes can be held to that, and snappy, whose do but for half a percent.
func TestTruth(t *testing.T) {
	const most = 7_000_000
	data := filepath.Join("..", "..", "shared", "data")
	for _, tt := range []struct {
		table, topology string
		exact           float64 // share to the byte
		off             float64 // the others, at most, beyond a block
	}{
		{"truth.tsv", Standalone, 0.9, 0.01},
		{"truth-replset.tsv", Replset, 0.8, 0.03},
	} {
		if racetest.Enabled && tt.topology == Replset {
			continue // the same goroutines
		}
		all, sizes := readTruth(t, filepath.Join(data, tt.table))
		var cases, exact int
		var off []float64
		for set, want := range all {
			if sizes[set] > most {
				continue
			}
			o := testOptions(t, "none,snappy,zlib,zstd")
			o.CacheBytes, o.Topology = 1<<30, tt.topology
			r := estimateOne(t, o, realSet(t, filepath.Join(data, "sets", set+".gz")))
			checkResult(t, r)
			for _, k := range r.Compressors {
				w, ok := want[k.Name()]
				if !ok || !k.Codec.Exact && k.Compressor != "snappy" {
					continue
				}
				d := 0.0
				if k.StorageSize < w.low || k.StorageSize > w.high {
					d = float64(k.StorageSize)/float64(w.low) - 1
					t.Logf("%s, %s: %d, the engine %d to %d (%+.2f %%)", set, k.Name(), k.StorageSize, w.low, w.high, 100*d)
				} else {
					exact++
				}
				cases++
				if diff := k.StorageSize - w.low; diff < -4096 || diff > 4096 {
					off = append(off, math.Abs(d))
				}
			}
		}
		if cases == 0 {
			t.Skip("no set of that size")
		}
		t.Logf("%s: %d of %d to the byte", tt.table, exact, cases)
		if share := float64(exact) / float64(cases); share < tt.exact {
			t.Errorf("%s: only %.0f %% come out to the byte", tt.table, 100*share)
		}
		if len(off) > 0 && slices.Max(off) > tt.off {
			t.Errorf("%s: off by %.2f %%", tt.table, 100*slices.Max(off))
		}
	}
}
