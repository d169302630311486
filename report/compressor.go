package report

import (
	"fmt"

	"github.com/wtsize/wtsize/estimate"
)

// labelsOf names each setting as the --compressors flag does: "zstd" at the
// server's default level, else "zstd:9"; "zstd:6" too where there are several.
func labelsOf(list []estimate.CompressorResult) []string {
	count := map[string]int{}
	for _, k := range list {
		count[k.Compressor]++
	}
	out := make([]string, len(list))
	for i, k := range list {
		out[i] = k.Name()
		if count[k.Compressor] > 1 && isDefault(k) && k.Level != 0 {
			out[i] += fmt.Sprintf(":%d", k.Level)
		}
		out[i] = Safe(out[i])
	}
	return out
}

// isDefault: the level is the one servers use when none is configured.
func isDefault(k estimate.CompressorResult) bool { return k.Name() == k.Compressor }

// nameOf spells a setting as a CompressorResult does.
func nameOf(compressor string, level int) string {
	return estimate.CompressorResult{Compressor: compressor, Level: level}.Name()
}

// settingOf names an advised setting the way the table does.
func settingOf(c estimate.CollectionResult, compressor string, level int) string {
	labels := labelsOf(c.Compressors)
	name := nameOf(compressor, level)
	for i, k := range c.Compressors {
		if k.Name() == name {
			return labels[i]
		}
	}
	return Safe(name)
}

func markOf(c estimate.CollectionResult, k estimate.CompressorResult) mark {
	a := c.Advice
	if a != nil && a.Action == "change" && nameOf(a.Compressor, a.Level) == k.Name() {
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
	return c.Current != nil && c.Current.Compressor == k.Name()
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
		if isDefault(k) {
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
