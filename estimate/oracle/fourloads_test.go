//go:build oracle

package oracle

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
	source "github.com/wtsize/wtsize/sampler/dump"
)

// spent is time in seconds.
type spent struct{ wall, cpu float64 }

func measure(f func()) spent {
	start, cpu := time.Now(), processCPU()
	f()
	return spent{time.Since(start).Seconds(), processCPU() - cpu}
}

// TestFourLoads prints how long it takes to load a file into the engine under
// four compressors, and how long to estimate it. It asserts no time.
func TestFourLoads(t *testing.T) {
	c, _ := ordersCase()
	path := filepath.Join(t.TempDir(), "orders.bson")
	size := write(t, path, c)
	var loads spent
	for _, codec := range []string{"none", "snappy", "zlib", "zstd"} {
		s := measure(func() {
			if _, err := Load(t.TempDir(), ReadBSON(path), Config{Compressor: codec}); err != nil {
				t.Fatal(err)
			}
		})
		loads = spent{loads.wall + s.wall, loads.cpu + s.cpu}
	}
	t.Logf("%s, %.0f MB, WiredTiger %s: four loads %.1f s, CPU %.1f s", c.name, float64(size)/1e6, EngineVersion(), loads.wall, loads.cpu)
	for _, run := range []struct {
		name   string
		sample int64
	}{{"whole", 0}, {"sample of 64 MiB", 64 << 20}} {
		s := measure(func() { estimateFile(t, path, run.sample) })
		t.Logf("%s: %.1f s, CPU %.1f s; loading takes %.1f times as long, and %.1f times the CPU",
			run.name, s.wall, s.cpu, loads.wall/s.wall, loads.cpu/s.cpu)
	}
}

func estimateFile(t *testing.T, path string, sample int64) {
	t.Helper()
	e, err := estimate.New(estimate.Options{Release: EngineVersion().Release(), Topology: estimate.Standalone, SampleBytes: sample, NoIndexes: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	src, err := source.Open(path, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Read(context.Background(), sampler.Budget{Bytes: sample, RunBytes: 512 << 10, Seed: 1}, e); err != nil {
		t.Fatal(err)
	}
	if n := len(e.Result().Collections); n != 1 {
		t.Fatalf("%d collections, want 1", n)
	}
}

// write puts the documents into a file and returns its size.
func write(t *testing.T, path string, c collection) (size int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for doc, err := range c.source().Docs {
		n, werr := w.Write(doc)
		if err = errors.Join(err, werr); err != nil {
			t.Fatal(err)
		}
		size += int64(n)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return size
}
