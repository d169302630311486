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
	rows, err := f.rows()
	if err != nil {
		return nil, err
	}
	whole, err := f.projectWhole(ctx, rows, progress)
	if err != nil {
		return nil, err
	}
	var sampled []trials
	if f.seeds > 0 {
		if sampled, err = f.projectSampled(ctx, rows, progress); err != nil {
			return nil, err
		}
	}
	methods, err := f.allMethods(ctx, whole, sampled, progress)
	return methodSheet(methods), err
}

// allMethods adds what can be done by hand to what has been projected.
func (f *accuracyFlags) allMethods(ctx context.Context, whole []compared, sampled []trials, progress io.Writer) ([]method, error) {
	var large []compared
	var rows []measured
	for _, c := range whole {
		if c.size >= leastMethodBytes {
			large, rows = append(large, c), append(rows, c.measured)
		}
	}
	model := newMethod("wtsize, whole collection")
	for _, c := range large {
		model.add(c.measured, c.projected.StorageSize)
	}
	methods := []method{model}
	if len(sampled) > 0 {
		methods = append(methods, f.sampledMethod(large, sampled))
	}
	hand, err := f.handMethods(ctx, rows, progress)
	return append(methods, hand...), err
}

func newMethod(name string) method { return method{name, map[string][]float64{}} }

func (m method) add(row measured, projected int64) {
	m.errors[row.compressor] = append(m.errors[row.compressor], row.off(projected))
}

// sampledMethod takes collections that a sample holds whole from the whole read.
func (f *accuracyFlags) sampledMethod(whole []compared, sampled []trials) method {
	m := newMethod(fmt.Sprintf("wtsize, %v sample", &f.sample))
	for _, t := range sampled {
		m.errors[t.compressor] = append(m.errors[t.compressor], t.errors...)
	}
	for _, c := range whole {
		if c.size <= f.sample.bytes() {
			for range f.seeds {
				m.add(c.measured, c.projected.StorageSize)
			}
		}
	}
	return m
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
