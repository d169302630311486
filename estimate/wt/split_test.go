package wt

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"
)

func TestSplit(t *testing.T) {
	datadriven.RunTest(t, "testdata/split", func(t *testing.T, d *datadriven.TestData) string {
		var page int64
		table := Collection()
		d.ScanArgs(t, "page-max", &page)
		d.ScanArgs(t, "split-pct", &table.SplitPct)
		d.ScanArgs(t, "alloc", &table.AllocationSize)
		s := table.NewSplit(page)
		if s.Page != page {
			t.Errorf("page %d becomes %d", page, s.Page)
		}
		return fmt.Sprintf("size %d  min %d\n", s.Size, s.Min)
	})
}

// Whatever the settings: the sizes lie within the page, the minimum is not over
// the size, and where a size is rounded it is a multiple of the unit.
func TestSplitWithinPage(t *testing.T) {
	for _, alloc := range []int64{512, 4096, 16384} {
		for units := int64(1); units <= 64; units++ {
			for pct := int64(50); pct <= 100; pct++ {
				table := Table{AllocationSize: alloc, SplitPct: pct}
				page := alloc * units
				s := table.NewSplit(page)
				raw := page * pct / 100
				if s.Size > page || s.Min > s.Size || s.Min == 0 {
					t.Fatalf("alloc %d, page %d, %d %%: %+v", alloc, page, pct, s)
				}
				if s.Size != raw && (s.Size%alloc != 0 || s.Size == page || s.Size-raw > alloc/2 || raw-s.Size > alloc/2) {
					t.Fatalf("alloc %d, page %d, %d %%: %d is neither %d nor the nearest multiple", alloc, page, pct, s.Size, raw)
				}
			}
		}
	}
}
