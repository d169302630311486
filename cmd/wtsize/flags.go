package main

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/report"
)

// modelFlags say what is built and for which server.
type modelFlags struct {
	compressors, topology, inserted, release, cache, docs string
	settings                                              []string
	confidence                                            float64
	overlap                                               float64
}

func (f *modelFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.compressors, "compressors", "none,snappy,zlib,zstd", "what to try (default none,snappy,zlib,zstd); with levels: zlib:9, zstd:3, zstd:1-22")
	fs.StringVar(&f.docs, "docs", "", "project to another number of documents: 50000, 20M")
	fs.StringVar(&f.topology, "topology", estimate.Auto, "auto (default), standalone or replset: whether cells hold time windows")
	fs.StringVar(&f.inserted, "inserted", estimate.Batched, "batched (default) or single: how the documents of a replica set were inserted")
	fs.StringArrayVar(&f.settings, "set", nil, "table setting such as leaf_page_max=64KB (repeatable)")
	fs.StringVar(&f.release, "release", "", "server release such as 7.0 (default: the source's, else the newest)")
	fs.StringVar(&f.cache, "cache", "", "the server's WiredTiger cache, such as 8GiB (default: the source's, else 1GiB)")
	fs.Float64Var(&f.overlap, "overlap", estimate.DefaultOverlap, "reconciliations at a time where loading outruns eviction (default 3)")
	fs.Float64Var(&f.confidence, "confidence", 100*estimate.DefaultConfidence, "share of intervals that should hold the truth (default 95)")
	values(fs, "compressors", "LIST", "docs", "NUMBER", "topology", "KIND", "inserted", "HOW", "set", "NAME=VALUE", "release", "VERSION", "cache", "SIZE", "overlap", "NUMBER", "confidence", "PERCENT")
}

func (f *modelFlags) options() (estimate.Options, error) {
	o := estimate.Options{
		Release: f.release, Topology: f.topology, InsertPattern: f.inserted, Settings: f.settings,
		Confidence: f.confidence / 100, Overlap: f.overlap,
	}
	var err error
	if o.Compressors, err = codec.ParseList(f.compressors); err != nil {
		return o, usage("--compressors none,snappy,zlib,zstd or --compressors zstd:1-9", "--compressors: %w", err)
	}
	if f.cache != "" {
		if o.CacheBytes, err = parseBytes(f.cache); err != nil {
			return o, usage("--cache 8GiB", "--cache %q: %w", f.cache, err)
		}
	}
	if f.docs != "" {
		if o.Docs, err = parseCount(f.docs); err != nil {
			return o, usage("--docs 20M", "--docs %q: %w", f.docs, err)
		}
	}
	return o, nil
}

// readFlags say how much is read, and how fast.
type readFlags struct {
	sample, rate string
	timeout      time.Duration
	seed         int64
}

func (f *readFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.sample, "sample", "64MiB", "how much to read of each collection: 64MiB (default), 2% or all")
	fs.StringVar(&f.rate, "rate", "", "read at most that much a second, such as 20MB/s")
	fs.DurationVar(&f.timeout, "timeout", 0, "stop reading after 30s or 5m, say, and estimate from what was read")
	fs.Int64Var(&f.seed, "seed", 1, "decides what is drawn at random (default 1)")
	values(fs, "sample", "AMOUNT", "rate", "SIZE/s", "timeout", "TIME", "seed", "NUMBER")
}

// limits are readFlags understood.
type limits struct {
	sample amount
	rate   int64 // bytes a second, 0 for no bound
}

func (f *readFlags) limits() (limits, error) {
	l := limits{}
	var err error
	if l.sample, err = parseAmount(f.sample); err != nil {
		return l, usage("--sample 64MiB, --sample 2% or --sample all", "--sample %q: %w", f.sample, err)
	}
	if f.rate != "" {
		if l.rate, err = parseBytes(strings.TrimSuffix(f.rate, "/s")); err != nil {
			return l, usage("--rate 20MB/s", "--rate %q: %w", f.rate, err)
		}
	}
	if f.timeout < 0 {
		return l, usage("--timeout 30s", "--timeout %s: less than nothing", f.timeout)
	}
	return l, nil
}

// outputFlags say how the result is shown.
type outputFlags struct {
	format, out    string
	bytes, explain bool
}

func (f *outputFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "format", "", "table, json, csv, markdown or html (default: what --out ends in, else table)")
	fs.StringVar(&f.out, "out", "", "write to a file instead of standard output")
	fs.BoolVar(&f.bytes, "bytes", false, "exact bytes instead of KiB, MiB, GiB")
	fs.BoolVar(&f.explain, "explain", false, "say where the bytes go and what each figure means")
	values(fs, "format", "FORMAT", "out", "FILE")
}

// endings name the format of a file where --format does not.
var endings = map[string]report.Format{
	".json": report.JSON, ".csv": report.CSV, ".md": report.Markdown, ".html": report.HTML, ".htm": report.HTML,
}

// render checks the flags and gives the report's options.
func (f *outputFlags) render(e *env) (report.Options, error) {
	o := report.Options{Format: report.Format(f.format), Bytes: f.bytes, Explain: f.explain}
	if o.Format == "" {
		o.Format = endings[strings.ToLower(filepath.Ext(f.out))]
	}
	if f.out == "" || f.out == "-" {
		o.Width, o.Color = e.width, e.color
	}
	var names []string
	for _, known := range report.Formats() {
		if o.Format == known || o.Format == "" {
			return o, nil
		}
		names = append(names, string(known))
	}
	if near := nearest(f.format, names); near != "" {
		return o, usage("--format "+near, "--format %q: no such format, did you mean %s?", f.format, near)
	}
	return o, usage("--format "+names[0], "--format %q: there are %s", f.format, strings.Join(names, ", "))
}

// mannerFlags say what is told beside the result.
type mannerFlags struct {
	quiet   bool
	verbose int
}

func (f *mannerFlags) add(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "no progress and no warnings; errors and the result only")
	fs.CountVarP(&f.verbose, "verbose", "v", "a line for each collection as it is read")
}
