package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/codec"
)

// measuredIndex is one line of truth-indexes.tsv: the file of a bulk-built index.
type measuredIndex struct {
	set, name     string
	entries, size int64
}

// older is the last release with the older rule for prefixes of keys.
const older = "4.2"

// readIndexes takes the column of the newest rule or that of the older one.
func readIndexes(path, release string) ([]measuredIndex, error) {
	records, err := readRecords(path)
	if err != nil {
		return nil, err
	}
	column := "size"
	if release == older {
		column = "sizeOlderRule"
	}
	var rows []measuredIndex
	for _, r := range records {
		m := measuredIndex{r.text("set"), r.text("name"), r.number("entries"), r.number(column)}
		if r.err == nil && m.size <= 0 {
			r.err = fmt.Errorf("%s: %s must be positive", m.set, column)
		}
		if r.err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, r.line, r.err)
		}
		rows = append(rows, m)
	}
	return rows, nil
}

// indexSheets compares index files under the newest and the older rule, and,
// with seeds, projections from samples under the newest.
func (f *accuracyFlags) indexSheets(ctx context.Context, progress io.Writer) ([]*sheet, error) {
	cases := &sheet{
		title:  "Indexes, bulk-built: bytes and error in %; rule of releases up to " + older + " in the last columns",
		header: []string{"collection", "index", "measured", "projected", "error", "measured, older", "projected, older", "error, older"},
	}
	summary := &sheet{title: "Indexes: error in %", header: []string{"rule", "cases", "exact", "median", "95th percentile", "largest"}}
	for _, release := range []string{"", older} {
		all, err := f.projectIndexes(ctx, release, progress)
		if err != nil {
			return nil, err
		}
		var errors []float64
		exact := 0
		for i, c := range all {
			if release == "" {
				cases.add(c.set, c.name)
			}
			if c.projected == c.size {
				exact++
			}
			errors = append(errors, c.error())
			cases.rows[i] = append(cases.rows[i], integer(c.size), integer(c.projected), signed(c.error()))
		}
		e := absolute(errors)
		summary.add(ruleName(release), fmt.Sprint(len(e)), fmt.Sprint(exact), percent(median(e)), percent(quantile(e, 0.95)), percent(quantile(e, 1)))
	}
	return []*sheet{cases, summary}, nil
}

func ruleName(release string) string {
	if release == older {
		return "up to " + older
	}
	return "newest"
}

type comparedIndex struct {
	measuredIndex
	projected int64
}

func (c comparedIndex) error() float64 { return float64(c.projected)/float64(c.size) - 1 }

func (f *accuracyFlags) projectIndexes(ctx context.Context, release string, progress io.Writer) ([]comparedIndex, error) {
	rows, err := readIndexes(filepath.Join(f.data, "truth-indexes.tsv"), release)
	if err != nil {
		return nil, err
	}
	o := f.options()
	o.NoIndexes, o.Release, o.Compressors = false, release, []codec.Setting{{Name: codec.None}}
	var out []comparedIndex
	var last estimate.CollectionResult
	set := ""
	for _, m := range rows {
		if !strings.Contains(m.set, f.sets) {
			continue
		}
		if m.set != set {
			set = m.set
			fmt.Fprintf(progress, "\r%-60s", set)
			if last, err = project(ctx, measured{set: set}.file(f.data), o); err != nil {
				return nil, err
			}
		}
		size, err := indexSize(last, m)
		if err != nil {
			return nil, err
		}
		out = append(out, comparedIndex{m, size})
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return out, nil
}

// indexSize finds the bulk-built file of an index of as many entries.
func indexSize(c estimate.CollectionResult, m measuredIndex) (int64, error) {
	for _, x := range c.Indexes {
		switch {
		case x.Name != m.name:
		case x.Entries != m.entries:
			return 0, fmt.Errorf("%s: index %s: %d entries, the engine loaded %d", m.set, m.name, x.Entries, m.entries)
		default:
			return x.Size, nil
		}
	}
	return 0, fmt.Errorf("%s: no figures for index %s", m.set, m.name)
}
