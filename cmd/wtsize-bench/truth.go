package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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

// readTruth reads a table of tab-separated columns, named in its first line,
// with comments behind #.
func readTruth(path string) ([]measured, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("what the engine made of the collections is not there: %w", err)
	}
	defer f.Close()
	var rows []measured
	var column map[string]int
	for s, n := bufio.NewScanner(f), 1; ; n++ {
		if !s.Scan() {
			return rows, s.Err()
		}
		fields := strings.Split(s.Text(), "\t")
		switch {
		case strings.HasPrefix(s.Text(), "#"):
		case column == nil:
			column = map[string]int{}
			for i, name := range fields {
				column[name] = i
			}
		default:
			row, err := parseMeasured(column, fields)
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", path, n, err)
			}
			rows = append(rows, row)
		}
	}
}

func parseMeasured(column map[string]int, fields []string) (m measured, err error) {
	text := func(name string) string {
		if i, ok := column[name]; ok && i < len(fields) {
			return fields[i]
		}
		return ""
	}
	number := func(name string) int64 {
		v, e := strconv.ParseInt(text(name), 10, 64)
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", name, e)
		}
		return v
	}
	m = measured{set: text("set"), compressor: text("compressor"), count: number("count"), size: number("size")}
	m.used = number("storageSize") - number("freeStorageSize")
	m.low, m.high = m.used, m.used
	if text("low") != "" {
		m.low, m.high = number("low"), number("high")
	}
	if err == nil && (m.count <= 0 || m.used <= 0) {
		err = fmt.Errorf("%s: count and storageSize must be positive", m.set)
	}
	return m, err
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
