package report

import (
	"fmt"

	"github.com/wtsize/wtsize/estimate"
)

// defaultLevels are what a server uses when no level is configured.
// WiredTiger: ext/compressors/zstd/zstd_compress.c and zlib/zlib_compress.c give
// 6 for both; mongod: wiredtiger_global_options.idl, zstdDefaultCompressionLevel.
var defaultLevels = map[string]int{"zstd": 6, "zlib": 6}

// labelsOf names each setting: "zstd", and "zstd:9" where there are several
// levels or the level is not the server's default.
func labelsOf(list []estimate.CompressorResult) []string {
	count := map[string]int{}
	for _, k := range list {
		count[k.Compressor]++
	}
	out := make([]string, len(list))
	for i, k := range list {
		out[i] = Safe(k.Compressor)
		if k.Level != 0 && (count[k.Compressor] > 1 || k.Level != defaultLevels[k.Compressor]) {
			out[i] += fmt.Sprintf(":%d", k.Level)
		}
	}
	return out
}

// settingOf names an advised setting the way the table does.
func settingOf(c estimate.CollectionResult, compressor string, level int) string {
	labels := labelsOf(c.Compressors)
	for i, k := range c.Compressors {
		if k.Compressor == compressor && sameLevel(k, level) {
			return labels[i]
		}
	}
	return Safe(compressor)
}

// sameLevel treats an unstated level as the server's default.
func sameLevel(k estimate.CompressorResult, level int) bool {
	d := defaultLevels[k.Compressor]
	return orDefault(k.Level, d) == orDefault(level, d)
}

func orDefault(level, d int) int {
	if level == 0 {
		return d
	}
	return level
}

func markOf(c estimate.CollectionResult, k estimate.CompressorResult) mark {
	a := c.Advice
	if a != nil && a.Action == "change" && a.Compressor == k.Compressor && sameLevel(k, a.Level) {
		return advised
	}
	if isToday(c, k) {
		return today
	}
	return unmarked
}

// isToday: k is what the collection is stored with. Its level is not known and
// taken for the server's default.
func isToday(c estimate.CollectionResult, k estimate.CompressorResult) bool {
	return c.Current != nil && c.Current.Compressor == k.Compressor && sameLevel(k, 0)
}

// A baseline is what savings are measured against.
type baseline struct {
	label string
	size  int64
}

// baselineOf compares like with like where it can: the projection for today's
// compressor, else today's file without its free space, else snappy (a server's
// default), else no compression.
func baselineOf(c estimate.CollectionResult) baseline {
	if c.Current != nil && c.Current.Compressor != "" {
		if k, ok := find(c, c.Current.Compressor); ok {
			return baseline{"today", k.StorageSize}
		}
	}
	if c.Current != nil && c.Current.StorageSize > 0 {
		return baseline{"today", c.Current.StorageSize - c.Current.FreeStorageSize}
	}
	for _, name := range []string{"snappy", "none"} {
		if k, ok := find(c, name); ok {
			return baseline{name, k.StorageSize}
		}
	}
	return baseline{}
}

// find gives the result for a compressor at the server's default level, or else
// the first of its levels.
func find(c estimate.CollectionResult, compressor string) (estimate.CompressorResult, bool) {
	found := -1
	for i, k := range c.Compressors {
		if k.Compressor != compressor {
			continue
		}
		if sameLevel(k, 0) {
			return k, true
		}
		if found < 0 {
			found = i
		}
	}
	if found < 0 {
		return estimate.CompressorResult{}, false
	}
	return c.Compressors[found], true
}

// saved is the share of the baseline that k saves, in percent; negative when it
// takes more.
func (b baseline) saved(k estimate.CompressorResult) string {
	if b.size <= 0 {
		return dash
	}
	return percentNumber(1 - share(k.StorageSize, b.size))
}
