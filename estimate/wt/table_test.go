package wt

import (
	"strings"
	"testing"
)

// What a server of release 7.0 reports as a collection's creationString, in the
// order and with the nested groups of the engine's own list of settings
// (WiredTiger: dist/api_data.py, file_config).
const creationString = "access_pattern_hint=none,allocation_size=4KB,app_metadata=(formatVersion=1)," +
	"assert=(commit_timestamp=none,durable_timestamp=none,read_timestamp=none,write_timestamp=off)," +
	"block_allocation=best,block_compressor=zstd,cache_resident=false,checksum=on,colgroups=,collator=,columns=," +
	"dictionary=0,encryption=(keyid=,name=),exclusive=false,extractor=,format=btree,huffman_key=,huffman_value=," +
	"ignore_in_memory_cache_size=false,immutable=false,import=(compare_timestamp=oldest_timestamp,enabled=false," +
	"file_metadata=,metadata_file=,panic_corrupt=true,repair=false),internal_item_max=0,internal_key_max=0," +
	"internal_key_truncate=true,internal_page_max=4KB,key_format=q,key_gap=10,leaf_item_max=0,leaf_key_max=0," +
	"leaf_page_max=64KB,leaf_value_max=64MB,log=(enabled=false),lsm=(auto_throttle=true,bloom=true,bloom_bit_count=16," +
	"merge_custom=(prefix=,start_generation=0,suffix=),merge_max=15),memory_page_image_max=0,memory_page_max=10m," +
	"os_cache_dirty_max=0,os_cache_max=0,prefix_compression=false,prefix_compression_min=4,source=\"\"," +
	"split_deepen_min_child=0,split_deepen_per_child=0,split_pct=90,tiered_storage=(auth_token=,bucket=," +
	"local_retention=300,name=,object_target_size=0),type=file,value_format=u,verbose=[write_timestamp]," +
	"write_timestamp_usage=none"

func TestWith(t *testing.T) {
	c := Collection()
	change := func(f func(*Table)) Table { out := c; f(&out); return out }
	for _, tt := range []struct {
		config string
		want   Table
	}{
		{"", c},
		{",", c},
		{" , ,", c},
		{creationString, change(func(t *Table) { t.Compressor, t.LeafPageMax = "zstd", 64<<10 })},
		{"block_compressor=zlib", change(func(t *Table) { t.Compressor = "zlib" })},
		{`block_compressor="zlib"`, change(func(t *Table) { t.Compressor = "zlib" })},
		{"block_compressor=", change(func(t *Table) { t.Compressor = "" })},
		{" leaf_page_max = 64KB ", change(func(t *Table) { t.LeafPageMax = 64 << 10 })},
		// A setting given twice counts as given last.
		{"leaf_page_max=16KB,leaf_page_max=64KB", change(func(t *Table) { t.LeafPageMax = 64 << 10 })},
		// Inside a group the same names mean something else.
		{"lsm=(leaf_page_max=1KB,x=[a,{b=(leaf_page_max=2KB)}]),leaf_page_max=64KB", change(func(t *Table) { t.LeafPageMax = 64 << 10 })},
		// Brackets and commas in quotes are text.
		{`app_metadata="a),leaf_page_max=1KB,(",leaf_page_max=64KB`, change(func(t *Table) { t.LeafPageMax = 64 << 10 })},
		{`app_metadata=({ "name" : "at_)_1" }),leaf_page_max=64KB`, change(func(t *Table) { t.LeafPageMax = 64 << 10 })},
		{"allocation_size=512,leaf_page_max=512,internal_page_max=512", change(func(t *Table) {
			t.AllocationSize, t.LeafPageMax, t.InternalPageMax = 512, 512, 512
		})},
		{"allocation_size=128MB,leaf_page_max=512MB,internal_page_max=384MB", change(func(t *Table) {
			t.AllocationSize, t.LeafPageMax, t.InternalPageMax = 128<<20, 512<<20, 384<<20
		})},
		{"memory_page_max=512B", change(func(t *Table) { t.MemoryPageMax = 512 })},
		{"memory_page_max=10TB", change(func(t *Table) { t.MemoryPageMax = 10 << 40 })},
		{"memory_page_image_max=32KB", change(func(t *Table) { t.MemoryPageImageMax = 32 << 10 })},
		{"split_pct=50", change(func(t *Table) { t.SplitPct = 50 })},
		{"split_pct=100", change(func(t *Table) { t.SplitPct = 100 })},
		{"leaf_key_max=1k,prefix_compression=true,prefix_compression_min=0,key_format=u", change(func(t *Table) {
			t.LeafKeyMax, t.PrefixCompression, t.PrefixMin, t.KeyFormat = 1<<10, true, 0, "u"
		})},
		{"memory_page_image_max=1GB", change(func(t *Table) { t.MemoryPageImageMax = 1 << 30 })},
		{"prefix_compression=1", change(func(t *Table) { t.PrefixCompression = true })},
		{"prefix_compression", change(func(t *Table) { t.PrefixCompression = true })},
		{"prefix_compression=false", c},
	} {
		got, err := c.With(tt.config)
		if err != nil || got != tt.want {
			t.Errorf("With(%.60q) = %+v, %v\nwant %+v", tt.config, got, err, tt.want)
		}
	}
}

func TestWithErrors(t *testing.T) {
	for config, want := range map[string]string{
		"leaf_page_max":                       "not a size",
		"leaf_page_max=":                      "not a size",
		"leaf_page_max=big":                   "not a size",
		"leaf_page_max=-4KB":                  "not a size",
		"leaf_page_max=4.5KB":                 "not a size",
		"leaf_page_max=4KBB":                  "not a size",
		"leaf_page_max=4KM":                   "not a size",
		"memory_page_max=8191P":               "too large",
		"memory_page_max=9223372036854775808": "not a size",
		"a=(b":                                "not closed",
		"a=[(":                                "not closed",
		"a)":                                  "unbalanced bracket at byte 1",
		`a="b`:                                "quote not closed",
		"allocation_size=0":                   "power of two",
		"allocation_size=256":                 "power of two",
		"allocation_size=6KB":                 "power of two",
		"allocation_size=256MB":               "power of two",
		"leaf_page_max=0":                     "multiple of allocation_size",
		"leaf_page_max=2KB":                   "multiple of allocation_size",
		"leaf_page_max=33KB":                  "multiple of allocation_size",
		"leaf_page_max=516MB":                 "at most 512MB",
		"internal_page_max=6KB":               "multiple of allocation_size",
		"internal_page_max=516MB":             "at most 512MB",
		"memory_page_max=511":                 "from 512B to 10TB",
		"memory_page_max=11TB":                "from 512B to 10TB",
		"memory_page_image_max=2GB":           "from 0 to 1GB",
		"memory_page_image_max=16KB":          "smaller than a page",
		"leaf_page_max=64KB,memory_page_image_max=60KB": "smaller than a page",
		"split_pct=49":  "from 50 to 100",
		"split_pct=101": "from 50 to 100",
	} {
		if _, err := Collection().With(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("With(%q): %v; want an error with %q", config, err, want)
		}
	}
}

// Every setting that SizeSettings names is understood: With refuses nonsense in it
// or takes it over.
func TestSizeSettings(t *testing.T) {
	for _, name := range SizeSettings() {
		c := Collection()
		got, err := c.With(name + "=true")
		if err == nil && got == c {
			t.Errorf("%s is named, but changes nothing", name)
		}
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "1": 1, "4096": 4096, "4096b": 4096, "4096B": 4096,
		"32KB": 32 << 10, "32k": 32 << 10, "32K": 32 << 10, "32kb": 32 << 10,
		"10m": 10 << 20, "64MB": 64 << 20, "1g": 1 << 30, "2GB": 2 << 30, "10TB": 10 << 40, "1p": 1 << 50,
		"4096P": 1 << 62,
	} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("parseSize(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestCompressorIn(t *testing.T) {
	for config, want := range map[string]string{
		"": "", "leaf_page_max=64KB": "", creationString: "zstd",
		"block_compressor=snappy,block_compressor=none": "none",
		"a=(block_compressor=zlib)":                     "", "a=(": "",
	} {
		if got := CompressorIn(config); got != want {
			t.Errorf("CompressorIn(%.50q) = %q, want %q", config, got, want)
		}
	}
}

// Where pages start and whether they move: WiredTiger, src/btree/bt_handle.c,
// __btree_page_sizes, and __btree_conf for the feedback's three conditions.
func TestStart(t *testing.T) {
	for _, tt := range []struct {
		table          Table
		config         string
		leaf, internal int64
		feedback       bool
		image          int64
	}{
		{Collection(), "", 128 << 10, 4 << 10, true, 128 << 10},
		{Collection(), "block_compressor=none", 32 << 10, 4 << 10, false, 128 << 10},
		{Collection(), "block_compressor=", 32 << 10, 4 << 10, false, 128 << 10},
		{Collection(), "leaf_page_max=16KB", 64 << 10, 4 << 10, true, 64 << 10},
		{Collection(), "leaf_page_max=12KB", 12 << 10, 4 << 10, false, 48 << 10},
		{Collection(), "internal_page_max=64KB", 256 << 10, 256 << 10, true, 256 << 10},
		{Collection(), "memory_page_image_max=32KB", 32 << 10, 4 << 10, false, 32 << 10},
		{Collection(), "memory_page_image_max=64KB", 64 << 10, 4 << 10, true, 64 << 10},
		{Index(), "", 16 << 10, 16 << 10, false, 64 << 10},
		{Index(), "block_compressor=snappy", 64 << 10, 64 << 10, true, 64 << 10},
	} {
		table, err := tt.table.With(tt.config)
		if err != nil {
			t.Fatal(err)
		}
		if table.LeafStart() != tt.leaf || table.InternalStart() != tt.internal ||
			table.LeafFeedback() != tt.feedback || table.ImageMax() != tt.image {
			t.Errorf("%q: leaf %d, internal %d, feedback %v, image %d; want %+v", tt.config,
				table.LeafStart(), table.InternalStart(), table.LeafFeedback(), table.ImageMax(), tt)
		}
	}
}

func TestSplitFootprint(t *testing.T) {
	for _, tt := range []struct {
		table      Table
		cache      int64
		split, max int64
	}{
		// From 0.5 GiB on memory_page_max decides; 20 % of the cache over 10 before.
		{Collection(), 0, 8388608, 10 << 20},
		{Collection(), 64 << 30, 8388608, 10 << 20},
		{Collection(), 1 << 30, 8388608, 10 << 20},
		{Collection(), 512<<20 + 4096, 8388608, 10 << 20},
		{Collection(), 512 << 20, 8589934*8/10*0 + 8388608, 10 << 20},
		{Collection(), 256 << 20, 4294967, 5368709},
		{Collection(), 1 << 20, 32 << 10 * 8 / 10, 32 << 10}, // never below a page
		{Index(), 1 << 30, 4 << 20, 5 << 20},
		{Index(), 256 << 20, 4 << 20, 5 << 20},
		{Index(), 200 << 20, 3355443, 4194304},
	} {
		if got := tt.table.SplitFootprint(tt.cache); got != tt.split {
			t.Errorf("cache %d: SplitFootprint %d, want %d", tt.cache, got, tt.split)
		}
		if got := tt.table.MaxFootprint(tt.cache); got != tt.max {
			t.Errorf("cache %d: MaxFootprint %d, want %d", tt.cache, got, tt.max)
		}
	}
}

func TestMaxLeafKey(t *testing.T) {
	for _, tt := range []struct {
		table  Table
		config string
		want   int64
	}{
		{Collection(), "", 2867}, // a tenth of 28,672
		{Index(), "", 1474},      // of 14,745
		{Index(), "leaf_key_max=100", 100},
		{Index(), "split_pct=50", 819},
	} {
		table, err := tt.table.With(tt.config)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.MaxLeafKey(); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.config, got, tt.want)
		}
	}
}

func FuzzWith(f *testing.F) {
	f.Add(creationString)
	for _, s := range []string{"", "a=(b,c=[d]),e", "leaf_page_max=32KB", "split_pct=99999999999", `a="(",b`, "allocation_size=3", ")("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, config string) {
		for _, table := range []Table{Collection(), Index()} {
			got, err := table.With(config)
			if err != nil {
				continue
			}
			// What is accepted can be built with.
			s := got.NewSplit(got.LeafStart())
			if s.Size < 1 || s.Size > s.Page || got.LeafPageMax%got.AllocationSize != 0 || got.ImageMax() < got.LeafPageMax {
				t.Errorf("With(%q) = %+v, split %+v", config, got, s)
			}
		}
	})
}
