package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate/build"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// candidates are the numbers of overlapping reconciliations that are tried; 1
// is one after the other, as the checkpoint writes.
var candidates = []float64{1, 1.5, 2, 2.5, 3, 3.5, 4, 5}

type overlapFlags struct{ truth, bson, format string }

func newOverlap() *cobra.Command {
	f := &overlapFlags{}
	cmd := &cobra.Command{
		Use: "overlap", Short: "Candidates for the overlap of reconciliations against the engine's loads", Args: cobra.NoArgs,
		Long: "Overlap builds every collection of a truth file with each candidate. The file has\n" +
			"the columns of truth.tsv, and the folder the collections that it names: such as\n" +
			"outrun eviction, since nothing overlaps in others.",
		RunE: func(c *cobra.Command, _ []string) error {
			rows, err := readTruth(f.truth)
			if err != nil {
				return err
			}
			sheets, err := f.sheets(c.Context(), rows, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return writeSheets(c.OutOrStdout(), f.format, sheets...)
		},
	}
	cmd.Flags().StringVar(&f.truth, "truth", "", "`FILE` of measured sizes")
	cmd.Flags().StringVar(&f.bson, "bson", "", "`FOLDER` with the collections")
	cmd.Flags().StringVar(&f.format, "format", asText, "text, tsv or markdown")
	cobra.CheckErr(cmd.MarkFlagRequired("truth"))
	cobra.CheckErr(cmd.MarkFlagRequired("bson"))
	return cmd
}

func (f *overlapFlags) sheets(ctx context.Context, rows []measured, progress io.Writer) ([]*sheet, error) {
	pool := build.NewPool(runtime.GOMAXPROCS(0))
	defer pool.Close()
	cases := &sheet{
		title:  "Error of storageSize in % beyond the engine's spread, by overlapping reconciliations",
		header: append([]string{"collection", "compressor", "low", "high"}, candidateNames()...),
	}
	errors := make([][]float64, len(candidates)+1)
	for _, m := range rows {
		if m.deterministic() {
			continue
		}
		fmt.Fprintf(progress, "\r%-52s %s", m.set, m.compressor)
		sizes, err := overlapped(ctx, filepath.Join(f.bson, m.set), m.compressor, pool)
		if err != nil {
			return nil, err
		}
		row := []string{m.set, m.compressor, integer(m.low), integer(m.high)}
		for i, size := range append(sizes, mean(sizes)) {
			errors[i] = append(errors[i], m.off(size))
			row = append(row, signed(m.off(size)))
		}
		cases.add(row...)
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return []*sheet{cases, candidateSheet(errors)}, nil
}

// candidateNames are the candidates and, last, the mean of their sizes.
func candidateNames() (names []string) {
	for _, c := range candidates {
		names = append(names, strconv.FormatFloat(c, 'f', -1, 64))
	}
	return append(names, "mean")
}

func candidateSheet(errors [][]float64) *sheet {
	s := &sheet{
		title:  "The same over all collections; bias is the mean with its sign",
		header: []string{"overlap", "cases", "bias", "mean", "median", "90th percentile", "largest"},
	}
	for i, name := range candidateNames() {
		signedErrors, e := errors[i], absolute(errors[i])
		s.add(name, fmt.Sprint(len(e)), signed(average(signedErrors)), percent(average(e)), percent(median(e)),
			percent(quantile(e, 0.9)), percent(quantile(e, 1)))
	}
	return s
}

// overlapped builds a collection's file once with each candidate.
func overlapped(ctx context.Context, path, compressor string, pool *build.Pool) ([]int64, error) {
	setting, err := codec.Parse(compressor)
	if err != nil {
		return nil, err
	}
	table := build.New(build.Config{
		Table: wt.Collection(), Setting: setting, Release: wt.Newest(), CacheBytes: truthCache, Overlaps: candidates,
	}, pool)
	pager := reconcile.NewPager(wt.Collection(), wt.Newest(), truthCache, table.Page)
	var id int64
	var key []byte
	err = documents(ctx, path, func(doc []byte) error {
		id++
		key = wt.AppendPackedInt64(key[:0], id)
		return pager.Add(key, wt.TimeWindow{}, doc)
	})
	if err == nil {
		err = pager.Close()
	}
	if err != nil {
		return nil, err
	}
	files, err := table.Finish()
	if err != nil {
		return nil, err
	}
	sizes := make([]int64, len(candidates))
	for i := range sizes {
		// Without feedback every course of events gives the same file.
		sizes[i] = files[min(i, len(files)-1)].Size
	}
	return sizes, nil
}

func mean(sizes []int64) (m int64) {
	for _, s := range sizes {
		m += s / int64(len(sizes))
	}
	return m
}
