//go:build oracle

package oracle

import (
	"bytes"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// objectIDIndex is the _id_ index of a collection whose _id, the first field, is
// an ObjectId: KeyString type byte, id and end byte; the RecordId is the value.
// ok is false for other collections.
func objectIDIndex(t *testing.T, set string) (entries []Entry, ok bool) {
	t.Helper()
	id := []byte{7, '_', 'i', 'd', 0}
	for doc, err := range ReadBSON(set) {
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(doc[4:], id) {
			return nil, false
		}
		key := append([]byte{0x64}, doc[9:21]...)
		entries = append(entries, Entry{append(key, 4), recordIDValue(int64(len(entries)) + 1)})
	}
	return entries, true
}

// recordIDValue is a RecordId as KeyString appends it: the count of whole bytes
// between the first and the last is in both of these, beside five bits each.
func recordIDValue(id int64) []byte {
	n := max(0, bits.Len64(uint64(id))-10+7) / 8
	v := []byte{byte(n<<5) | byte(id>>(8*n+5))}
	for i := n - 1; i >= 0; i-- {
		v = append(v, byte(id>>(8*i+5)))
	}
	return append(v, byte(id<<3)|byte(n))
}

func seq(entries []Entry) func(func(Entry, error) bool) {
	return func(yield func(Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// TestIndexTruth builds the _id_ indexes of real sets and compares the files with
// truth-indexes.tsv, which has a column for each prefix rule.
func TestIndexTruth(t *testing.T) {
	dir := dataDir(t)
	table, err := os.ReadFile(filepath.Join(dir, "truth-indexes.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	column, compared := 4, 0
	if EngineVersion().Major < 10 {
		column = 5 // WT-7234 came with 10.0.1
	}
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if len(row) < 6 || row[1] != "_id_" {
			continue
		}
		entries, ok := objectIDIndex(t, filepath.Join(dir, "sets", row[0]+".gz"))
		if !ok {
			continue
		}
		slices.SortFunc(entries, func(a, b Entry) int { return bytes.Compare(a.Key, b.Key) })
		r, err := LoadIndex(t.TempDir(), seq(entries), Config{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseInt(row[column], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if compared++; r.FileBytes != want {
			t.Errorf("%s %s: %d bytes, want %d", row[0], row[1], r.FileBytes, want)
		}
	}
	if compared < 6 {
		t.Errorf("%d indexes compared", compared)
	}
}

// TestGrowIndex: entries in random order end up in an index that holds them all,
// of nearly the bulk build's size while it fits into one page in memory.
func TestGrowIndex(t *testing.T) {
	entries := make([]Entry, 20000)
	for i := range entries {
		entries[i].Key = []byte(strconv.FormatUint(uint64(i)*0x9e3779b97f4a7c15, 36))
	}
	grown, err := GrowIndex(t.TempDir(), seq(entries), Config{})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return bytes.Compare(a.Key, b.Key) })
	built, err := LoadIndex(t.TempDir(), seq(entries), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if grown.Records != built.Records || math.Abs(float64(grown.FileBytes)/float64(built.FileBytes)-1) > 0.1 {
		t.Errorf("grown: %d entries, %d bytes; built: %d, %d", grown.Records, grown.FileBytes, built.Records, built.FileBytes)
	}
}

// TestLoadIndexOrder: an entry out of order is an error of the engine's.
func TestLoadIndexOrder(t *testing.T) {
	if _, err := LoadIndex(t.TempDir(), seq([]Entry{{Key: []byte("b")}, {Key: []byte("a")}}), Config{}); err == nil {
		t.Error("no error")
	}
}
