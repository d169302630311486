package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate"
)

// accuracyFlags say what is compared.
type accuracyFlags struct {
	data, truth, topology, sets, format string
	whole, stream, indexes              bool
	sample                              mebibytes
	seeds                               int
	overlap                             float64
}

func newAccuracy() *cobra.Command {
	f := &accuracyFlags{sample: 8}
	cmd := &cobra.Command{
		Use: "accuracy", Short: "Projections against what the engine made of real collections", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			sheets, err := f.sheets(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			return writeSheets(c.OutOrStdout(), f.format, sheets...)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.whole, "whole", true, "project from the whole collection")
	cmd.Flags().BoolVar(&f.indexes, "indexes", false, "compare indexes instead, with FOLDER/truth-indexes.tsv")
	return cmd
}

func (f *accuracyFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.data, "data", "", "`FOLDER` with truth.tsv and sets/")
	fs.StringVar(&f.truth, "truth", "", "`FILE` of measured sizes (default FOLDER/truth.tsv, truth-replset.tsv with --topology replset)")
	fs.StringVar(&f.topology, "topology", estimate.Standalone, "standalone or replset")
	fs.StringVar(&f.sets, "sets", "", "only collections whose name contains this")
	fs.StringVar(&f.format, "format", asText, "text, tsv or markdown")
	fs.Var(&f.sample, "sample", "project from samples of this size, such as 8MiB")
	fs.IntVar(&f.seeds, "seeds", 0, "number of samples of each collection (default none)")
	fs.BoolVar(&f.stream, "stream", false, "take samples of the gzipped stream instead of a plain file")
	fs.Float64Var(&f.overlap, "overlap", estimate.DefaultOverlap, "reconciliations that overlap when loading outruns eviction")
	cobra.CheckErr(cmd.MarkFlagRequired("data"))
}

func (f *accuracyFlags) options() estimate.Options {
	return estimate.Options{
		Topology: f.topology, CacheBytes: truthCache, Overlap: f.overlap, Confidence: estimate.DefaultConfidence,
		NoTimings: true, NoIndexes: true,
	}
}

// rows reads the measured sizes that are compared with.
func (f *accuracyFlags) rows() ([]measured, error) {
	truth := f.truth
	if truth == "" {
		truth = filepath.Join(f.data, "truth.tsv")
		if f.topology == estimate.Replset {
			truth = filepath.Join(f.data, "truth-replset.tsv")
		}
	}
	all, err := readTruth(truth)
	var rows []measured
	for _, m := range all {
		if strings.Contains(m.set, f.sets) {
			rows = append(rows, m)
		}
	}
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("%s: no collection whose name contains %q", truth, f.sets)
	}
	return rows, err
}

func (f *accuracyFlags) sheets(ctx context.Context, progress io.Writer) ([]*sheet, error) {
	rows, err := f.rows()
	if err != nil {
		return nil, err
	}
	if f.indexes {
		return f.allIndexSheets(ctx, rows, progress)
	}
	var sheets []*sheet
	if f.whole {
		all, err := f.projectWhole(ctx, rows, progress)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, wholeSheet(f.topology, all), summarySheet(f.topology, all))
	}
	if f.seeds > 0 {
		all, err := f.projectSampled(ctx, rows, progress)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, sampledSheet(f, all), sampledSummary(f, all))
	}
	return sheets, nil
}

// compared is a measured size and what was projected.
type compared struct {
	measured
	projected estimate.CompressorResult
}

func (c compared) error() float64 { return c.off(c.projected.StorageSize) }
func (c compared) exact() bool    { return c.projected.StorageSize == c.used }

// projectWhole reads every collection whole, once for all its compressors.
func (f *accuracyFlags) projectWhole(ctx context.Context, rows []measured, progress io.Writer) ([]compared, error) {
	out := make([]compared, 0, len(rows))
	var last estimate.CollectionResult
	for i, m := range rows {
		if i == 0 || rows[i-1].set != m.set {
			fmt.Fprintf(progress, "\r%-60s", m.set)
			var err error
			if last, err = project(ctx, m.file(f.data), f.options()); err != nil {
				return nil, err
			}
			if last.Count != m.count {
				return nil, fmt.Errorf("%s: %d documents, the engine loaded %d", m.set, last.Count, m.count)
			}
		}
		r, err := compressor(last, m.compressor)
		if err != nil {
			return nil, err
		}
		out = append(out, compared{m, r})
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return out, nil
}

func wholeSheet(topology string, all []compared) *sheet {
	s := &sheet{
		title:  "Whole collections, " + topology + ": storageSize in bytes; error in % beyond the engine's spread",
		header: []string{"collection", "compressor", "measured", "low", "high", "projected", "error", "exact"},
	}
	for _, c := range all {
		exact := ""
		if c.exact() {
			exact = "="
		}
		s.add(c.set, c.compressor, integer(c.used), integer(c.low), integer(c.high), integer(c.projected.StorageSize), signed(c.error()), exact)
	}
	return s
}
