package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate/codec"
)

// leastMethodBytes is the smallest collection that methods are compared on:
// below it a file is a few blocks and any error a multiple of one of them.
const leastMethodBytes = 1 << 20

// method is one way to size a collection, with its error in each case.
type method struct {
	name   string
	errors map[string][]float64 // by compressor
}

func newMethods() *cobra.Command {
	f := &accuracyFlags{sample: 8}
	cmd := &cobra.Command{
		Use: "methods", Short: "This tool, batches and single documents on the same data", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := f.methods(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			return writeSheets(c.OutOrStdout(), f.format, s)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *accuracyFlags) methods(ctx context.Context, progress io.Writer) (*sheet, error) {
	all, err := f.rows()
	if err != nil {
		return nil, err
	}
	var rows []measured
	for _, m := range all {
		if m.size >= leastMethodBytes {
			rows = append(rows, m)
		}
	}
	whole, err := f.projectWhole(ctx, rows, progress)
	if err != nil {
		return nil, err
	}
	methods := []method{newMethod("wtsize, whole collection")}
	for _, c := range whole {
		methods[0].add(c.measured, c.projected.StorageSize)
	}
	if f.seeds > 0 {
		m, err := f.sampledMethod(ctx, rows, whole, progress)
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	hand, err := f.handMethods(ctx, rows, progress)
	if err != nil {
		return nil, err
	}
	return methodSheet(append(methods, hand...)), nil
}

func newMethod(name string) method { return method{name, map[string][]float64{}} }

func (m method) add(row measured, projected int64) {
	m.errors[row.compressor] = append(m.errors[row.compressor], row.off(projected))
}

// sampledMethod takes collections that a sample holds whole from the whole read.
func (f *accuracyFlags) sampledMethod(ctx context.Context, rows []measured, whole []compared, progress io.Writer) (method, error) {
	m := newMethod(fmt.Sprintf("wtsize, %v sample", &f.sample))
	all, err := f.projectSampled(ctx, rows, progress)
	for _, t := range all {
		m.errors[t.compressor] = append(m.errors[t.compressor], t.errors...)
	}
	for _, c := range whole {
		if c.size <= f.sample.bytes() {
			for range f.seeds {
				m.add(c.measured, c.projected.StorageSize)
			}
		}
	}
	return m, err
}

// handMethods projects without a model of pages, always from the whole data.
func (f *accuracyFlags) handMethods(ctx context.Context, rows []measured, progress io.Writer) ([]method, error) {
	batches, rounded := newMethod("32 KiB batches, ratio scaled"), newMethod("32 KiB batches, each rounded up to 4 KiB")
	single := newMethod("documents one by one")
	for _, set := range bySet(rows) {
		fmt.Fprintf(progress, "\r%-60s", set[0].set)
		settings := make([]codec.Setting, len(set))
		for i, m := range set {
			var err error
			if settings[i], err = codec.Parse(m.compressor); err != nil {
				return nil, err
			}
		}
		hands, err := sizeByHand(ctx, set[0].file(f.data), settings)
		if err != nil {
			return nil, err
		}
		for i, m := range set {
			batches.add(m, hands[i].batches)
			rounded.add(m, hands[i].rounded)
			single.add(m, hands[i].documents)
		}
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return []method{batches, rounded, single}, nil
}

func methodSheet(methods []method) *sheet {
	s := &sheet{
		title:  "Error of storageSize in %, median / 90th percentile over collections above 1 MiB",
		header: append([]string{"method"}, compressorNames()...),
	}
	for _, m := range methods {
		row := []string{m.name}
		for _, name := range compressorNames() {
			e := absolute(m.errors[name])
			row = append(row, percent(median(e))+" / "+percent(quantile(e, 0.9)))
		}
		s.add(row...)
	}
	return s
}
