//go:build oracle

package oracle

import (
	"iter"

	"github.com/wtsize/wtsize/estimate/keystring"
)

// Entry is an index entry: a KeyString and what the index stores with it.
type Entry struct{ Key, Value []byte }

// LoadIndex creates an index's table in dir, an existing empty directory, and
// loads the entries through a bulk cursor, as an index build does: they must come
// in key order, without repeats. Otherwise it is as Load.
func LoadIndex(dir string, entries iter.Seq2[Entry, error], c Config) (Result, error) {
	c.Threads = 1 // a bulk cursor has its table alone
	return loadEntries(dir, c.index(), entries, c, "bulk")
}

// GrowIndex creates an index's table as LoadIndex does and inserts the entries in
// the order given, as inserts into the collection would.
func GrowIndex(dir string, entries iter.Seq2[Entry, error], c Config) (Result, error) {
	return loadEntries(dir, c.index(), entries, c, "")
}

// LoadClustered is Load for a clustered collection, whose table is keyed by _id.
func LoadClustered(dir string, docs iter.Seq2[[]byte, error], c Config) (Result, error) {
	return loadEntries(dir, join(c.collection(), "key_format=u"), func(yield func(Entry, error) bool) {
		for doc, err := range docs {
			var key []byte
			if err == nil {
				key, err = keystring.ClusterKey(nil, doc)
			}
			if !yield(Entry{key, doc}, err) {
				return
			}
		}
	}, c, "")
}

// loadEntries inserts entries into a table of the given configuration.
func loadEntries(dir, table string, entries iter.Seq2[Entry, error], c Config, cursor string) (Result, error) {
	l, err := open(dir, c, table)
	if err != nil {
		return Result{}, err
	}
	return l.run(func() (int64, error) {
		return l.insert(cursor, (*batch).insertEntries, func(yield func(record, error) bool) {
			for e, err := range entries {
				if !yield(record{e.Key, e.Value}, err) {
					return
				}
			}
		})
	})
}
