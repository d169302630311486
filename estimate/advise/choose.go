package advise

import (
	"cmp"
	"fmt"
	"slices"
)

// defaultLevel is what a server uses unless it is told otherwise; 0 where there
// are no levels. WiredTiger: ext/compressors/zstd/zstd_compress.c,
// COMPRESSION_LEVEL 6; zlib's Z_DEFAULT_COMPRESSION is 6.
func defaultLevel(compressor string) int {
	if compressor == "zlib" || compressor == "zstd" {
		return 6
	}
	return 0
}

// level gives the level with defaults resolved.
func level(compressor string, n int) int {
	if n == 0 {
		return defaultLevel(compressor)
	}
	return n
}

// name is what the reader calls an option: the level is named where it is not
// the default.
func (o Option) name() string {
	if l := level(o.Compressor, o.Level); l != defaultLevel(o.Compressor) {
		return fmt.Sprintf("%s level %d", o.Compressor, l)
	}
	return o.Compressor
}

// usable leaves out what no server can be set to: mongod passes a level to the
// zstd compressor only (storage.wiredTiger.engineConfig.zstdCompressionLevel).
func usable(options []Option) []Option {
	var u []Option
	for _, o := range options {
		o.Level = level(o.Compressor, o.Level)
		if o.StorageSize > 0 && (o.Compressor == "zstd" || o.Level == defaultLevel(o.Compressor)) {
			u = append(u, o)
		}
	}
	return u
}

// current finds the option in use. Where the compressor is not known it is
// taken to be the server's default, which is said in why.
func (in Input) current(options []Option) (now *Option, why []string) {
	compressor := in.Current
	if compressor == "" {
		compressor = "snappy"
		if in.Collection.TimeSeries {
			compressor = "zstd"
		}
		why = append(why, fmt.Sprintf("The compressor in use is not known; taken to be %s, the server's default.", compressor))
	}
	want := in.levelInUse(compressor)
	for _, o := range options {
		if o.Compressor == compressor && o.Level == want {
			return &o, why
		}
	}
	missing := Option{Compressor: compressor, Level: want}
	return nil, append(why, fmt.Sprintf("%s, which is in use, was not tried: add it to --compressors.", missing.name()))
}

// levelInUse is the level that the server gives a compressor: only zstd's can
// be set.
func (in Input) levelInUse(compressor string) int {
	if compressor == "zstd" {
		return level(compressor, in.ZstdLevel)
	}
	return defaultLevel(compressor)
}

// choose takes the cheapest of all options within Threshold of the smallest,
// both at the upper ends of their intervals.
func choose(options []Option) (best, smallest Option) {
	smallest = slices.MinFunc(options, func(a, b Option) int { return cmp.Compare(a.High, b.High) })
	best = smallest
	for _, o := range options {
		if float64(o.High) <= (1+Threshold)*float64(smallest.High) && o.cheaper(best) {
			best = o
		}
	}
	return best, smallest
}

// effort orders compressors by CPU; zstd's levels come in between.
var effort = map[string]int{"none": 0, "snappy": 1, "zstd": 2, "zlib": 3}

func (o Option) cheaper(than Option) bool {
	if a, b := effort[o.Compressor], effort[than.Compressor]; a != b {
		return a < b
	}
	return o.Level < than.Level
}

// minSample is the least of a collection that can stand for it: 16 page images
// of 128 KiB. Below that one page more or less moves the figures.
const minSample = 2 << 20

func thin(s Sample, size int64) bool {
	return !s.Complete && s.Bytes < min(minSample, size)
}
