package wt

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Table holds a table's settings. Sizes in bytes. It is a value: With returns
// changed copies.
type Table struct {
	AllocationSize     int64
	LeafPageMax        int64
	InternalPageMax    int64
	MemoryPageMax      int64
	MemoryPageImageMax int64 // 0: four times the larger page maximum
	LeafKeyMax         int64 // 0: a tenth of the leaf's split size
	SplitPct           int64
	PrefixCompression  bool
	PrefixMin          int64
	Compressor         string // block_compressor; "" and "none" are the same
	KeyFormat          string // q: RecordId; u: raw bytes
}

// Collection is how MongoDB creates a collection. MongoDB:
// src/mongo/db/storage/wiredtiger/wiredtiger_record_store.cpp,
// generateCreateString; the rest are WiredTiger's defaults,
// dist/api_data.py, file_config.
func Collection() Table {
	return Table{
		AllocationSize: 4 << 10, LeafPageMax: 32 << 10, InternalPageMax: 4 << 10,
		MemoryPageMax: 10 << 20, SplitPct: 90, PrefixMin: 4, Compressor: "snappy", KeyFormat: "q",
	}
}

// Index is how MongoDB creates an index. MongoDB:
// src/mongo/db/storage/wiredtiger/wiredtiger_index.cpp, generateCreateString.
func Index() Table {
	return Table{
		AllocationSize: 4 << 10, LeafPageMax: 16 << 10, InternalPageMax: 16 << 10,
		MemoryPageMax: 5 << 20, SplitPct: 90, PrefixCompression: true, PrefixMin: 4, KeyFormat: "u",
	}
}

// ImageMax is the largest page image that the page-size feedback aims for.
// WiredTiger: src/btree/bt_handle.c, __btree_page_sizes.
func (t Table) ImageMax() int64 {
	if t.MemoryPageImageMax == 0 {
		return 4 * max(t.LeafPageMax, t.InternalPageMax)
	}
	return t.MemoryPageImageMax
}

// Compressed reports whether blocks are compressed.
func (t Table) Compressed() bool { return t.Compressor != "" && t.Compressor != "none" }

// LeafFeedback reports whether the leaf page size follows the compression ratio.
func (t Table) LeafFeedback() bool {
	return t.Compressed() && t.LeafPageMax >= FeedbackMinPage && t.ImageMax() > t.LeafPageMax
}

// LeafStart is the page size the first reconciliation of a tree packs to.
func (t Table) LeafStart() int64 {
	if t.LeafFeedback() {
		return t.ImageMax()
	}
	return t.LeafPageMax
}

// InternalStart is the same for internal pages.
func (t Table) InternalStart() int64 {
	if t.Compressed() && t.InternalPageMax >= FeedbackMinPage && t.ImageMax() > t.InternalPageMax {
		return t.ImageMax()
	}
	return t.InternalPageMax
}

// dirtyTriggerPct is the share of the cache at which dirty content stalls
// writers: eviction_dirty_trigger's default. minPages of the largest in-memory
// size must fit below it. WiredTiger: dist/api_data.py; src/btree/bt_handle.c,
// __btree_page_sizes, WT_MIN_PAGES.
const (
	dirtyTriggerPct = 20
	minPages        = 10
)

// SplitFootprint is the footprint at which an in-memory page that is appended
// to hands its last record to a new page: 80 % of the largest in-memory size,
// which a small cache lowers. WiredTiger: src/btree/bt_handle.c, splitmempage.
func (t Table) SplitFootprint(cacheBytes int64) int64 { return 8 * t.MaxFootprint(cacheBytes) / 10 }

// MaxFootprint is the footprint at which a page is evicted even where it holds
// too few records to be split. WiredTiger: src/btree/bt_handle.c, maxmempage.
func (t Table) MaxFootprint(cacheBytes int64) int64 {
	m := t.MemoryPageMax
	if cacheBytes > 0 {
		m = min(m, cacheBytes*dirtyTriggerPct/100/minPages)
	}
	return max(m, t.LeafPageMax)
}

// MaxLeafKey is the longest key, prefix removed, kept on a leaf page; longer
// ones get a block of their own. WiredTiger: src/btree/bt_handle.c,
// __btree_page_sizes.
func (t Table) MaxLeafKey() int64 {
	if t.LeafKeyMax != 0 {
		return t.LeafKeyMax
	}
	return splitSize(t.SplitPct, t.LeafPageMax, t.AllocationSize) / 10
}

// With returns t with the settings of a WiredTiger configuration string, for
// example a configString or a creationString. Settings that do not change sizes
// are passed over.
func (t Table) With(config string) (Table, error) {
	settings, err := parseConfig(config)
	if err != nil {
		return t, err
	}
	keys := make([]string, 0, len(settings))
	for k := range settings {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if err := t.set(k, settings[k]); err != nil {
			return t, err
		}
	}
	return t, t.check()
}

// CompressorIn is the block_compressor that a configuration string names, ""
// where it names none or cannot be read.
func CompressorIn(config string) string {
	settings, err := parseConfig(config)
	if err != nil {
		return ""
	}
	return settings["block_compressor"]
}

func (t *Table) set(key, value string) error {
	size := map[string]*int64{
		"allocation_size": &t.AllocationSize, "leaf_page_max": &t.LeafPageMax,
		"internal_page_max": &t.InternalPageMax, "memory_page_max": &t.MemoryPageMax,
		"memory_page_image_max": &t.MemoryPageImageMax, "leaf_key_max": &t.LeafKeyMax,
		"split_pct": &t.SplitPct, "prefix_compression_min": &t.PrefixMin,
	}
	if p, ok := size[key]; ok {
		n, err := parseSize(value)
		if err != nil {
			return fmt.Errorf("table setting %s: %w", key, err)
		}
		*p = n
		return nil
	}
	switch key {
	case "block_compressor":
		t.Compressor = value
	case "prefix_compression":
		t.PrefixCompression = value == "" || value == "true" || value == "1"
	case "key_format":
		t.KeyFormat = value
	}
	return nil
}

// SizeSettings are the settings that With understands, for messages.
func SizeSettings() []string {
	return []string{"allocation_size", "block_compressor", "internal_page_max", "leaf_key_max",
		"leaf_page_max", "memory_page_image_max", "memory_page_max", "prefix_compression",
		"prefix_compression_min", "split_pct"}
}

// check refuses settings that the engine refuses. WiredTiger: dist/api_data.py
// (ranges) and src/btree/bt_handle.c, __btree_page_sizes.
func (t Table) check() error {
	const pageMaxLimit = 512 << 20
	switch {
	case t.AllocationSize < 512 || t.AllocationSize > 128<<20 || t.AllocationSize&(t.AllocationSize-1) != 0:
		return fmt.Errorf("allocation_size %d: must be a power of two from 512B to 128MB", t.AllocationSize)
	case t.LeafPageMax > pageMaxLimit || t.LeafPageMax < t.AllocationSize || t.LeafPageMax%t.AllocationSize != 0:
		return fmt.Errorf("leaf_page_max %d: must be a multiple of allocation_size, at most 512MB", t.LeafPageMax)
	case t.InternalPageMax > pageMaxLimit || t.InternalPageMax < t.AllocationSize || t.InternalPageMax%t.AllocationSize != 0:
		return fmt.Errorf("internal_page_max %d: must be a multiple of allocation_size, at most 512MB", t.InternalPageMax)
	case t.MemoryPageMax < 512 || t.MemoryPageMax > 10<<40:
		return fmt.Errorf("memory_page_max %d: must be from 512B to 10TB", t.MemoryPageMax)
	case t.MemoryPageImageMax < 0 || t.MemoryPageImageMax > 2*pageMaxLimit:
		return fmt.Errorf("memory_page_image_max %d: must be from 0 to 1GB", t.MemoryPageImageMax)
	case t.MemoryPageImageMax != 0 && t.MemoryPageImageMax < max(t.LeafPageMax, t.InternalPageMax):
		return fmt.Errorf("memory_page_image_max %d: smaller than a page", t.MemoryPageImageMax)
	case t.SplitPct < 50 || t.SplitPct > 100:
		return fmt.Errorf("split_pct %d: must be from 50 to 100", t.SplitPct)
	}
	return nil
}

// parseConfig splits "a=1,b=(c=2,d),e" into its top-level settings. A name
// given twice keeps its last value, as in the engine. What is quoted is text.
func parseConfig(s string) (map[string]string, error) {
	out := map[string]string{}
	depth, start, quoted := 0, 0, false
	put := func(item string) {
		key, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		if key = strings.TrimSpace(key); key != "" {
			out[key] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return nil, fmt.Errorf("configuration string: unbalanced bracket at byte %d", i)
			}
		case ',':
			if depth == 0 {
				put(s[start:i])
				start = i + 1
			}
		}
	}
	switch {
	case quoted:
		return nil, fmt.Errorf("configuration string: quote not closed")
	case depth != 0:
		return nil, fmt.Errorf("configuration string: bracket not closed")
	}
	put(s[start:])
	return out, nil
}

// parseSize reads 32KB, 10m, 64MB, 4096. WiredTiger: src/config/config.c,
// __config_process_value: a suffix of b, k, m, g, t or p, with or without B,
// in powers of 1024.
func parseSize(s string) (int64, error) {
	digits := strings.TrimRight(s, "bBkKmMgGtTpP")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a size (write 32KB, 10m or a number of bytes)", s)
	}
	shift := 0
	switch suffix := strings.TrimSuffix(strings.ToLower(s[len(digits):]), "b"); suffix {
	case "":
	case "k", "m", "g", "t", "p":
		shift = 10 * (strings.Index("kmgtp", suffix) + 1)
	default:
		return 0, fmt.Errorf("%q is not a size (write 32KB, 10m or a number of bytes)", s)
	}
	if n > int64(1)<<62>>shift {
		return 0, fmt.Errorf("%q is too large", s)
	}
	return n << shift, nil
}
