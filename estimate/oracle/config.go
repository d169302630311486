//go:build oracle

package oracle

import (
	"fmt"
	"strings"
)

// Config is how a table is created and loaded. The zero value is MongoDB's
// collection without a compressor, one loading thread, a cache of 1 GiB and
// four eviction threads.
type Config struct {
	CacheBytes int64 // 0: 1 GiB
	// Eviction threads; 0: 4. The engine accepts 1 to 20.
	EvictionMin, EvictionMax int
	// Threads that insert; 0: 1. Each takes a batch of neighbouring records.
	Threads int
	// A batch ends at BatchRecords records or BatchBytes bytes, whichever comes
	// first; 0: 500 and 256 KiB, mongod's bounds for one insert batch
	// (internalInsertMaxBatchSize, insertVectorMaxBytes). A batch is a
	// transaction when Timestamps is set, otherwise only the unit in which
	// threads share the work.
	BatchRecords, BatchBytes int

	Compressor string // none, snappy, zlib, zstd; "": none
	Level      int    // of zlib or zstd; 0: the servers' default, 6
	Timestamps bool   // every record gets a commit timestamp, none of them obsolete

	// Table and Connection are appended to the creation and to the opening
	// configuration: what they set wins.
	Table, Connection string
}

const (
	defaultCache   = 1 << 30
	defaultThreads = 4
	defaultLevel   = 6
)

func orDefault[T int | int64](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// connection is the opening configuration; no journal, as it moves no page.
func (c Config) connection() string {
	least := orDefault(c.EvictionMin, defaultThreads)
	most := max(least, orDefault(c.EvictionMax, defaultThreads))
	return join(fmt.Sprintf("create,cache_size=%d,session_max=%d,eviction=(threads_min=%d,threads_max=%d),statistics=(fast)",
		orDefault(c.CacheBytes, defaultCache), 100+c.Threads, least, most), c.Connection)
}

// collection is what mongod creates a collection with
// (src/mongo/db/storage/wiredtiger/wiredtiger_record_store.cpp, generateCreateString).
func (c Config) collection() string {
	return join("type=file,exclusive=true,memory_page_max=10m,split_pct=90,leaf_value_max=64MB,checksum=on,"+
		"block_compressor="+c.codecName()+",key_format=q,value_format=u", c.Table)
}

// index is what mongod creates an index with
// (src/mongo/db/storage/wiredtiger/wiredtiger_index.cpp, generateCreateString).
func (c Config) index() string {
	return join("type=file,exclusive=true,internal_page_max=16k,leaf_page_max=16k,checksum=on,prefix_compression=true,"+
		"block_compressor="+c.codecName()+",key_format=u,value_format=u", c.Table)
}

// codecName is the compressor under the name it is registered with.
func (c Config) codecName() string {
	if c.Compressor == "" || c.Compressor == "none" {
		return "none"
	}
	return codecPrefix + c.Compressor
}

// levels returns the levels of zlib and zstd.
func (c Config) levels() (zlib, zstd int) {
	level := orDefault(c.Level, defaultLevel)
	return min(max(level, 0), 9), level
}

func join(parts ...string) string {
	return strings.TrimSuffix(strings.Join(parts, ","), ",")
}
