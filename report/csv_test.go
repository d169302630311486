package report

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate"
)

func readCSV(t *testing.T, r estimate.Result) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(rendered(t, r, Options{Format: CSV}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, line := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = line[i]
		}
		out = append(out, m)
	}
	return out
}

// One row for each collection and compressor, with the Result's own integers.
func TestCSVRows(t *testing.T) {
	r := madeDump()
	rows := readCSV(t, r)
	at := 0
	for _, c := range r.Collections {
		for _, k := range c.Compressors {
			m := rows[at]
			if m["kind"] != "compressor" || m["ns"] != c.NS || m["name"] != k.Compressor ||
				m["storageSize"] != strconv.FormatInt(k.StorageSize, 10) {
				t.Errorf("row %d is %v, want %s of %s", at, m, k.Compressor, c.NS)
			}
			at++
		}
		for _, x := range c.Indexes {
			if m := rows[at]; m["kind"] != "index" || m["name"] != x.Name || m["storageSize"] != strconv.FormatInt(x.Size, 10) {
				t.Errorf("row %d is %v, want index %s", at, m, x.Name)
			}
			at++
		}
	}
	for _, m := range rows[at:] {
		if m["kind"] == "total" && m["storageSize"] != strconv.FormatInt(r.Totals.StorageSize[m["name"]], 10) {
			t.Errorf("total of %s is %s, want %d", m["name"], m["storageSize"], r.Totals.StorageSize[m["name"]])
		}
	}
	if got, want := rows[len(rows)-1]["kind"], "skipped"; got != want {
		t.Errorf("last row is of kind %q, want %q", got, want)
	}
}

func TestCSVHasNoFormulas(t *testing.T) {
	for _, start := range []string{"=", "+", "-", "@", "\t=", "\r="} {
		r := madeOrders()
		r.Collections[0].NS = start + `HYPERLINK("x")`
		r.Collections[0].Indexes[0].Name = start + "1"
		for _, m := range readCSV(t, r) {
			for name, v := range m {
				if v != "" && strings.ContainsAny(v[:1], "=+-@\t\r") {
					if _, err := strconv.ParseFloat(v, 64); err != nil {
						t.Errorf("%s: cell %s starts a formula: %q", start, name, v)
					}
				}
			}
		}
	}
}
