package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// madeAfter is madeOrders some time later: more and larger documents, a faster
// disk.
func madeAfter() estimate.Result {
	c := madeCollection("shop.orders", 1_150_000, 474, fourSettings)
	c.TotalIndexSize = 61_000_000
	k := &c.Compressors[1] // within the interval of before
	k.StorageSize, k.StorageSizeLow, k.StorageSizeHigh = 232_000_000, 227_000_000, 237_000_000
	r := madeResult("bson", "after.bson", c)
	disk := gp3
	disk.Profile, disk.ThroughputBytesPerSecond = "nvme", 3e9
	r.Assumptions.Disk = &disk
	return r
}

// madeDesigns are orders with their lines and customer in one document, and in
// collections of their own.
func madeDesigns() (embedded, referenced estimate.Result) {
	index := func(name string, entries int64) estimate.IndexResult {
		return estimate.IndexResult{Name: name, Key: map[string]any{"x": 1}, Entries: entries, Size: entries * 14, SizeLow: entries * 14,
			SizeHigh: entries * 14, Build: "bulk"}
	}
	build := func(ns string, count, avg int64, indexes ...estimate.IndexResult) estimate.CollectionResult {
		c := madeCollection(ns, count, avg, fourSettings)
		c.Indexes = indexes
		for _, x := range indexes {
			c.TotalIndexSize += x.Size
		}
		return c
	}
	const orders = 1_000_000
	embedded = madeResult("dump", "embedded", build("shop.orders", orders, 700, index("_id_", orders)))
	referenced = madeResult("dump", "referenced", build("shop.orders", orders, 240, index("_id_", orders)),
		build("shop.lines", 3*orders, 120, index("_id_", 3*orders), index("order_1", 3*orders)),
		build("shop.customers", 20_000, 200, index("_id_", 20_000)))
	return embedded, referenced
}

func sideBySide(t *testing.T, a, b estimate.Result, o CompareOptions) string {
	t.Helper()
	var w bytes.Buffer
	if err := Compare(&w, a, b, o); err != nil {
		t.Fatal(err)
	}
	return w.String()
}

func TestGoldenComparisons(t *testing.T) {
	embedded, referenced := madeDesigns()
	for _, g := range []struct {
		name   string
		a, b   estimate.Result
		format Format
		fanout int
	}{
		{"compare.txt", madeOrders(), madeAfter(), Table, 0},
		{"compare.md", madeOrders(), madeAfter(), Markdown, 0},
		{"compare.csv", madeOrders(), madeAfter(), CSV, 0},
		{"compare-json.txt", madeOrders(), madeAfter(), JSON, 0},
		{"compare.dump.txt", madeDump(), madeOrders(), Table, 0},
		{"compare.hostile.txt", madeHostile(), madeHostile(), Table, 0},
		{"design.txt", embedded, referenced, Table, 3},
		{"design.csv", embedded, referenced, CSV, 3},
	} {
		t.Run(g.name, func(t *testing.T) {
			o := CompareOptions{Options: Options{Format: g.format}, Fanout: g.fanout}
			compareGolden(t, g.name, []byte(sideBySide(t, g.a, g.b, o)))
		})
	}
}

func TestComparisonFitsWidth(t *testing.T) {
	embedded, referenced := madeDesigns()
	for _, pair := range [][2]estimate.Result{{madeOrders(), madeAfter()}, {madeHostile(), madeHostile()}, {madeLevels(), madeLevels()}, {embedded, referenced}} {
		for _, fanout := range []int{0, 1, 12} {
			for _, exact := range []bool{false, true} {
				o := CompareOptions{Options: Options{Width: 100, Bytes: exact, Explain: true}, Fanout: fanout}
				for _, line := range strings.Split(sideBySide(t, pair[0], pair[1], o), "\n") {
					if width(line) > 100 {
						t.Errorf("%d columns: %s", width(line), line)
					}
				}
			}
		}
	}
}

// The same result on both sides shows no change.
func TestComparedWithItself(t *testing.T) {
	c := compared(madeOrders(), madeOrders(), 0)
	for _, k := range c.Collections[0].Compressors {
		if k.Distinct || k.StorageSize.Before != k.StorageSize.After {
			t.Errorf("%s differs from itself: %+v", k.Compressor, k)
		}
	}
	if len(c.Differ) > 0 || len(c.OnlyBefore) > 0 || len(c.OnlyAfter) > 0 {
		t.Errorf("differs from itself: %+v", c)
	}
}

func TestComparedFiguresAreTheResults(t *testing.T) {
	a, b := madeOrders(), madeAfter()
	c := compared(a, b, 0)
	for i, k := range c.Collections[0].Compressors {
		x, y := a.Collections[0].Compressors[i], b.Collections[0].Compressors[i]
		if k.StorageSize != (Pair{x.StorageSize, y.StorageSize}) || k.ScanSeconds.After != y.Costs.ScanSeconds {
			t.Errorf("%s: %+v", k.Compressor, k)
		}
		overlap := x.StorageSizeLow <= y.StorageSizeHigh && y.StorageSizeLow <= x.StorageSizeHigh
		if k.Distinct == overlap {
			t.Errorf("%s: distinct %v, intervals overlap %v", k.Compressor, k.Distinct, overlap)
		}
	}
	if s := sideBySide(t, a, b, CompareOptions{}); !strings.Contains(s, "disk: gp3 disk") || !strings.Contains(s, "≈ +0.3") {
		t.Errorf("the other disk, or the change within the intervals, is not shown:\n%s", s)
	}
}

func TestNothingInCommon(t *testing.T) {
	a, b := madeDump(), madeDump()
	for i := range b.Collections {
		b.Collections[i].NS += "_other"
	}
	var f *sampler.Fault
	if err := Compare(&bytes.Buffer{}, a, b, CompareOptions{}); !errors.As(err, &f) || !strings.Contains(f.Hint, "--fanout") {
		t.Errorf("err = %v", err)
	}
	if err := Compare(&bytes.Buffer{}, estimate.Result{}, estimate.Result{}, CompareOptions{Fanout: 3}); err == nil {
		t.Error("two empty results were compared")
	}
	if err := Compare(&bytes.Buffer{}, a, a, CompareOptions{Options: Options{Format: "pdf"}}); err == nil {
		t.Error("unknown format accepted")
	}
}

// Scattered lines cost more than neighbours, more lines more than few, and an
// embedded read asks for fewer pages than a referenced one.
func TestDesignOrder(t *testing.T) {
	embedded, referenced := madeDesigns()
	few, many := designOf(embedded, referenced, 2), designOf(embedded, referenced, 20)
	if few.Many != "shop.lines" {
		t.Fatalf("the many are %s", few.Many)
	}
	for i, f := range few.Choices {
		m := many.Choices[i]
		switch f.Shape {
		case "embedded":
			next := few.Choices[i+1]
			if f != m || f.PagesRequested >= next.PagesRequested {
				t.Errorf("embedded %+v, with more lines %+v, referenced %+v", f, m, next)
			}
		case "referenced, scattered":
			if neighbours := many.Choices[i-1]; m.Misses <= neighbours.Misses || m.Misses <= f.Misses {
				t.Errorf("%s: misses %v for 20 scattered, %v for 20 neighbours, %v for 2 scattered", f.Compressor, m.Misses,
					neighbours.Misses, f.Misses)
			}
		}
	}
}

func TestComparisonForMachines(t *testing.T) {
	embedded, referenced := madeDesigns()
	for _, pair := range [][2]estimate.Result{{madeOrders(), madeAfter()}, {embedded, referenced}} {
		for _, fanout := range []int{0, 3} {
			var c Comparison
			o := CompareOptions{Options: Options{Format: JSON}, Fanout: fanout}
			if pair[0].Source.Name == "embedded" && fanout == 0 {
				continue // one collection in common, tested above
			}
			if err := json.Unmarshal([]byte(sideBySide(t, pair[0], pair[1], o)), &c); err != nil {
				t.Error(err)
			}
			o.Format = CSV
			if _, err := csv.NewReader(strings.NewReader(sideBySide(t, pair[0], pair[1], o))).ReadAll(); err != nil {
				t.Error(err)
			}
		}
	}
}
