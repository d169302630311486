package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/report"
)

// modelFlags say what is built and for which server.
type modelFlags struct {
	compressors, topology, inserted, release, cache string
	settings                                        []string
	confidence                                      float64
	seed                                            int64
	overlap                                         float64
	jobs                                            int
}

func (f *modelFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.compressors, "compressors", "none,snappy,zlib,zstd", "what to try: zstd:3, zstd:1-22, zlib:9")
	fs.StringVar(&f.topology, "topology", estimate.Auto, "auto, standalone or replset: time windows in cells")
	fs.StringVar(&f.inserted, "inserted", estimate.Batched, "on a replica set: batched or single inserts")
	fs.StringVar(&f.release, "release", "", "server release, 7.0 (default newest)")
	fs.StringVar(&f.cache, "cache", "", "the server's WiredTiger cache (default 1GiB)")
	fs.StringArrayVar(&f.settings, "set", nil, "table setting, leaf_page_max=64KB (repeatable)")
	fs.Float64Var(&f.confidence, "confidence", 95, "of intervals, in percent")
	fs.Int64Var(&f.seed, "seed", 1, "for what is drawn at random")
	fs.Float64Var(&f.overlap, "overlap", estimate.DefaultOverlap, "reconciliations that overlap when loading outruns eviction")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "goroutines (default one a core)")
}

func (f *modelFlags) options() (estimate.Options, error) {
	o := estimate.Options{
		Release: f.release, Topology: f.topology, InsertPattern: f.inserted, Settings: f.settings,
		Confidence: f.confidence / 100, Seed: f.seed, Overlap: f.overlap, Jobs: f.jobs,
	}
	var err error
	if o.Compressors, err = codec.ParseList(f.compressors); err != nil {
		return o, usage("write --compressors none,snappy,zlib,zstd or zstd:1-9", "%w", err)
	}
	if f.cache != "" {
		if o.CacheBytes, err = parseBytes(f.cache); err != nil {
			return o, usage("write --cache 8GiB", "--cache %q: %w", f.cache, err)
		}
	}
	return o, nil
}

// outputFlags say how the result is shown.
type outputFlags struct {
	format, out    string
	bytes, explain bool
}

func (f *outputFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "format", "table", "table, json, csv, markdown or html")
	fs.StringVar(&f.out, "out", "", "file to write instead of stdout")
	fs.BoolVar(&f.bytes, "bytes", false, "exact bytes instead of MiB")
	fs.BoolVar(&f.explain, "explain", false, "where the bytes go, page sizes, definitions")
}

func (f *outputFlags) render(e *env) report.Options {
	o := report.Options{Format: report.Format(f.format), Bytes: f.bytes, Explain: f.explain}
	if f.out == "" {
		o.Width, o.Color = e.width, e.color
	}
	return o
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// open opens the output before any work is done, so that a path that cannot be
// written fails at once.
func (f *outputFlags) open(e *env) (io.WriteCloser, error) {
	if f.out == "" || f.out == "-" {
		return nopCloser{e.stdout}, nil
	}
	return os.OpenFile(f.out, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
}

// parseBytes reads 64MiB, 64MB (powers of 1024 both, as MongoDB's tools take
// them), 2G or a plain number.
func parseBytes(s string) (int64, error) {
	t := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), "b"), "i")
	shift := 0
	if n := len(t); n > 0 {
		if i := strings.IndexByte("kmgtp", t[n-1]); i >= 0 {
			shift, t = 10*(i+1), t[:n-1]
		}
	}
	x, err := strconv.ParseFloat(t, 64)
	if err != nil || x <= 0 || x >= float64(int64(1)<<62>>shift) {
		return 0, fmt.Errorf("not a size")
	}
	return int64(x * float64(int64(1)<<shift)), nil
}
