//go:build oracle

package oracle

import "testing"

// TestUpdateBytes: the last value size that an update of 160 bytes holds fills
// the first page in memory with more records than one byte more.
func TestUpdateBytes(t *testing.T) {
	size := 160 - EngineVersion().UpdateBytes()
	fits, spills := firstPage(t, size), firstPage(t, size+1)
	if fits < spills+spills/10 {
		t.Errorf("%d values of %d bytes, %d of %d", fits, size, spills, size+1)
	}
}

// firstPage is how many values of size bytes one reconciliation takes: leaves
// hold equally many until its last two, which share what is left.
func firstPage(t *testing.T, size int) int64 {
	t.Helper()
	r, err := Load(t.TempDir(), func(yield func([]byte, error) bool) {
		for value, i := make([]byte, size), 0; i < 60000 && yield(value, nil); i++ {
		}
	}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	var before Block
	for _, b := range blocksOf(t, openLoaded(t, r)) {
		if b.Type != RowLeaf {
			continue
		}
		// A leaf holds a record or two fewer as RecordIds grow longer.
		if before.Keys > 0 && b.Keys < before.Keys-3 {
			return b.FirstRecordID + int64(b.Keys) - 1
		}
		before = b
	}
	t.Fatal("all in one page")
	return 0
}
