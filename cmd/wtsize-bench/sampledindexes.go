package main

import (
	"context"
	"fmt"
	"io"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/codec"
)

// indexOptions size indexes and, beside them, as little as can be.
func (f *accuracyFlags) indexOptions() estimate.Options {
	o := f.options()
	o.NoIndexes, o.Compressors = false, []codec.Setting{{Name: codec.None}}
	return o
}

// allIndexSheets are the tables of indexes read whole and from samples.
func (f *accuracyFlags) allIndexSheets(ctx context.Context, rows []measured, progress io.Writer) (sheets []*sheet, err error) {
	if f.whole {
		if sheets, err = f.indexSheets(ctx, progress); err != nil {
			return nil, err
		}
	}
	if f.seeds > 0 {
		all, err := f.sampleIndexes(ctx, rows, progress)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, indexSampleSheets(f, all)...)
	}
	return sheets, nil
}

// indexTrials sizes every index of a file's collection from as many samples as
// there are seeds. What the same index is when everything is read stands for the
// engine's: it is compared with that in the table of indexes.
func (f *accuracyFlags) indexTrials(ctx context.Context, path, set string, progress io.Writer) ([]trials, error) {
	fmt.Fprintf(progress, "\r%-60s", set)
	whole, err := project(ctx, path, f.indexOptions())
	if err != nil {
		return nil, err
	}
	var rows []measured
	for _, x := range whole.Indexes {
		rows = append(rows, measured{set: set, compressor: x.Name, used: x.Size, low: x.Size, high: x.Size})
	}
	return f.trySet(ctx, path, rows, f.indexOptions(), indexFigures, progress)
}

func indexFigures(c estimate.CollectionResult, name string) (figures, error) {
	for _, x := range c.Indexes {
		if x.Name == name {
			return figures{x.Size, x.SizeLow, x.SizeHigh}, nil
		}
	}
	return figures{}, fmt.Errorf("%s: no figures for index %s", c.NS, name)
}

// sampleIndexes does so for every collection that is larger than a sample.
func (f *accuracyFlags) sampleIndexes(ctx context.Context, rows []measured, progress io.Writer) ([]trials, error) {
	return f.eachLarger(rows, progress, func(path string, set []measured) ([]trials, error) {
		return f.indexTrials(ctx, path, set[0].set, progress)
	})
}

// indexSampleSheets are the table by index and what sums it up.
func indexSampleSheets(f *accuracyFlags, all []trials) []*sheet {
	cases := &sheet{
		title: fmt.Sprintf("Indexes from samples of %v, %d seeds: error of the bulk-built file in %%; "+
			"share of intervals that hold it and their width in %%", &f.sample, f.seeds),
		header: []string{"collection", "index", "median error", "95th percentile", "covered", "median width", "mean"},
	}
	for _, t := range all {
		row := t.row(t.set, t.compressor)
		cases.add(append(row, signed(average(t.errors)))...)
	}
	summary := &sheet{
		title:  fmt.Sprintf("Indexes from samples of %v, %d seeds, together", &f.sample, f.seeds),
		header: []string{"indexes", "cases", "median error", "95th percentile", "covered", "median width"},
	}
	sum := pooled(all, func(trials) bool { return true })
	if len(sum.errors) > 0 {
		summary.add(sum.row(fmt.Sprint(len(all)), fmt.Sprint(len(sum.errors)))...)
	}
	return []*sheet{cases, summary}
}
