package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate"
)

type generatedFlags struct {
	accuracyFlags
	shapes, size string
}

func newGenerated() *cobra.Command {
	f := &generatedFlags{accuracyFlags: accuracyFlags{
		sample: 64, seeds: 20, topology: estimate.Standalone, overlap: estimate.DefaultOverlap,
	}}
	cmd := &cobra.Command{
		Use: "generated", Short: "Samples of large generated collections against the same read whole", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			all, err := f.projectAll(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			sheets := []*sheet{sampledSheet(&f.accuracyFlags, all), sampledSummary(&f.accuracyFlags, all)}
			if f.indexes {
				sheets = indexSampleSheets(&f.accuracyFlags, all)
			}
			return writeSheets(c.OutOrStdout(), f.format, sheets...)
		},
	}
	cmd.Flags().StringVar(&f.shapes, "shapes", "orders,drift,heavy,grouped", "of the collections")
	cmd.Flags().StringVar(&f.size, "size", "1GB", "of each")
	cmd.Flags().Var(&f.sample, "sample", "size of the samples")
	cmd.Flags().IntVar(&f.seeds, "seeds", f.seeds, "number of samples of each")
	cmd.Flags().BoolVar(&f.indexes, "indexes", false, "compare the indexes instead")
	cmd.Flags().StringVar(&f.format, "format", asText, "text, tsv or markdown")
	return cmd
}

// projectAll takes the whole read's figure for the truth, and its interval for
// the engine's spread.
func (f *generatedFlags) projectAll(ctx context.Context, progress io.Writer) ([]trials, error) {
	size, err := decimalBytes(f.size)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "wtsize-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var out []trials
	for _, shape := range strings.Split(f.shapes, ",") {
		fmt.Fprintf(progress, "\r%-60s", shape)
		path := filepath.Join(dir, shape+".bson")
		if _, err := generateFile(path, shape, size); err != nil {
			return nil, err
		}
		t, err := f.tryShape(ctx, path, shape, progress)
		if err != nil {
			return nil, err
		}
		out = append(out, t...)
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return out, nil
}

func (f *generatedFlags) tryShape(ctx context.Context, path, shape string, progress io.Writer) ([]trials, error) {
	if f.indexes {
		return f.indexTrials(ctx, path, shape, progress)
	}
	whole, err := project(ctx, path, f.options())
	if err != nil {
		return nil, err
	}
	return f.trySet(ctx, path, truthOf(whole), f.options(), compressorFigures, progress)
}

func truthOf(whole estimate.CollectionResult) (rows []measured) {
	for _, c := range whole.Compressors {
		rows = append(rows, measured{
			set: whole.NS, compressor: c.Name(), count: whole.Count, size: whole.Size,
			used: c.StorageSize, low: c.StorageSizeLow, high: c.StorageSizeHigh,
		})
	}
	return rows
}
