package estimate

import (
	"testing"

	"github.com/wtsize/wtsize/estimate/wt"
)

// A standalone node stores no windows.
func TestNoHistory(t *testing.T) {
	h := newHistory(Standalone, Batched)
	for range 10 {
		if w := h.next(100); !w.IsZero() {
			t.Fatalf("%+v", w)
		}
	}
}

// Batches end at 500 documents or before 256 KiB are passed. MongoDB:
// internalInsertMaxBatchSize, insertVectorMaxBytes.
func TestBatches(t *testing.T) {
	for _, tt := range []struct {
		bytes   int
		pattern string
		each    int // records of a transaction
	}{
		{100, Batched, 500},
		{524, Batched, 500}, // 262000 of 262144 bytes
		{525, Batched, 499}, // 262500 would be too many
		{131072, Batched, 2},
		{131073, Batched, 1},
		{16 << 20, Batched, 1},
		{100, Single, 1},
	} {
		h := newHistory(Replset, tt.pattern)
		var last wt.TimeWindow
		of := map[uint64]int{}
		for i := range 3 * tt.each {
			w := h.next(tt.bytes)
			if i > 0 && (w.StartTS <= last.StartTS || w.StartTxn < last.StartTxn || w.StartTxn > last.StartTxn+1) {
				t.Fatalf("%d bytes, record %d: %+v after %+v", tt.bytes, i, w, last)
			}
			of[w.StartTxn]++
			last = w
		}
		if len(of) != 3 {
			t.Errorf("%d bytes, %s: %d transactions of %d records", tt.bytes, tt.pattern, len(of), 3*tt.each)
		}
		for txn, n := range of {
			if n != tt.each || txn == 0 {
				t.Errorf("%d bytes, %s: transaction %d has %d records, want %d", tt.bytes, tt.pattern, txn, n, tt.each)
			}
		}
	}
}

// Timestamps are seconds since 1970 in the upper half and a counter that starts
// at 1 in every second.
func TestTimestamps(t *testing.T) {
	h := newHistory(Replset, Single)
	for i := range uint64(3 * perSecond) {
		w := h.next(10)
		if s, n := w.StartTS>>32, w.StartTS&(1<<32-1); s != loadSecond+i/perSecond || n != i%perSecond+1 {
			t.Fatalf("record %d is written at second %d, counter %d", i, s, n)
		}
		if n := wt.VpackLen(w.StartTS); n != 9 {
			t.Fatalf("a timestamp packs to %d bytes", n)
		}
	}
}
