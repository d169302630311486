package main

import (
	"fmt"
	"path/filepath"

	"github.com/wtsize/wtsize/estimate/wt"
)

// measured is one line of a truth file: what the engine made of a collection.
type measured struct {
	set, compressor string
	count, size     int64
	// used is storageSize - freeStorageSize; low and high bound it over
	// several loads and equal it where there was only one.
	used, low, high int64
}

// readTruth reads a truth file of collections.
func readTruth(path string) ([]measured, error) {
	records, err := readRecords(path)
	if err != nil {
		return nil, err
	}
	var rows []measured
	for _, r := range records {
		m := measured{set: r.text("set"), compressor: r.text("compressor"), count: r.number("count"), size: r.number("size")}
		m.used = r.number("storageSize") - r.number("freeStorageSize")
		m.low, m.high = m.used, m.used
		if r.text("low") != "" {
			m.low, m.high = r.number("low"), r.number("high")
		}
		if r.err == nil && (m.count <= 0 || m.used <= 0) {
			r.err = fmt.Errorf("%s: count and storageSize must be positive", m.set)
		}
		if r.err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, r.line, r.err)
		}
		rows = append(rows, m)
	}
	return rows, nil
}

// file is where the collection's documents are.
func (m measured) file(data string) string { return filepath.Join(data, "sets", m.set+".gz") }

// off is the relative error of a projection beyond the engine's own spread:
// 0 where it lies within.
func (m measured) off(projected int64) float64 {
	nearest := min(max(projected, m.low), m.high)
	return float64(projected-nearest) / float64(nearest)
}

// footprint is what the loaded collection occupies in the engine's cache, from
// the mean size of its documents.
func (m measured) footprint() int64 {
	const keyBytes = 3 // RecordIds from 8,256 to 73,791
	return m.count * wt.Newest().RecordFootprint(keyBytes, int(m.size/m.count), 1)
}

// The engine loaded the collections with a cache of 1 GiB, of which 5 % may be
// dirty before eviction begins: a collection that stays below is written by the
// checkpoint alone, page after page, and comes out the same each time.
const (
	truthCache = 1 << 30
	dirtyShare = 0.05
)

func (m measured) deterministic() bool { return float64(m.footprint()) < dirtyShare*truthCache }
