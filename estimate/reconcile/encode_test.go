package reconcile

import (
	"bytes"
	"testing"

	"github.com/wtsize/wtsize/estimate/wt"
)

// Encode is the same cells on one page, whatever their number.
func TestEncode(t *testing.T) {
	rs := entries(40_000, func(i int) int { return 300 + i%7 }, func(i int) wt.TimeWindow {
		return wt.TimeWindow{StartTS: uint64(i + 1), StartTxn: 1}
	})
	size := 0
	for _, r := range rs {
		size += len(r.value)
	}
	pg := Encode(wt.Newest(), len(rs), size, func(i int) ([]byte, wt.TimeWindow, []byte) {
		return rs[i].key, rs[i].window, rs[i].value
	})
	// Neither says anything here.
	pg.Fresh = true
	pg.Footprint += wt.Newest().EmptyPageBytes()
	checkPages(t, []*Page{pg}, rs)
	var cells []byte
	var footprint int64
	for _, p := range pagesOf(t, cache, rs) {
		cells = append(cells, p.Cells...)
		footprint += p.Footprint - wt.Newest().EmptyPageBytes()
	}
	if !bytes.Equal(cells, pg.Cells) || footprint != pg.Footprint-wt.Newest().EmptyPageBytes() {
		t.Errorf("cells differ from the pager's, or footprint %d, want %d", pg.Footprint-wt.Newest().EmptyPageBytes(), footprint)
	}
}
