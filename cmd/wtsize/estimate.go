package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/report"
	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
)

// estimateFlags are the flags of wtsize estimate.
type estimateFlags struct {
	model  modelFlags
	output outputFlags
	sample string
}

func newEstimate(e *env) *cobra.Command {
	f := &estimateFlags{}
	cmd := &cobra.Command{
		Use:   "estimate [SOURCE...]",
		Short: "Project sizes, indexes and costs of collections",
		RunE: func(c *cobra.Command, args []string) error {
			return runEstimate(c.Context(), e, f, args)
		},
	}
	f.model.add(cmd.Flags())
	f.output.add(cmd.Flags())
	cmd.Flags().StringVar(&f.sample, "sample", "64MiB", "how much to read of each collection: 64MiB, 2%, all")
	return cmd
}

func runEstimate(ctx context.Context, e *env, f *estimateFlags, args []string) error {
	debug.SetGCPercent(50)
	o, err := f.model.options()
	if err != nil {
		return err
	}
	budget := sampler.Budget{RunBytes: 512 << 10, Seed: o.Seed}
	if f.sample != "all" {
		if budget.Bytes, err = parseBytes(f.sample); err != nil {
			return usage("write --sample 64MiB, 2% or all", "--sample %q: %w", f.sample, err)
		}
	}
	o.SampleBytes = budget.Bytes
	est, err := estimate.New(o)
	if err != nil {
		return usage("", "%w", err)
	}
	defer est.Close()
	out, err := f.output.open(e)
	if err != nil {
		return err
	}
	defer out.Close()
	if len(args) == 0 {
		return usage("wtsize estimate dump/shop/orders.bson", "no source given")
	}
	src, err := dump.Open(args[0], dump.Options{Stdin: e.stdin})
	if err != nil {
		return err
	}
	if err := src.Read(ctx, budget, est); err != nil {
		return err
	}
	r := est.Result()
	r.Source = estimate.SourceInfo{Kind: src.Kind(), Name: src.Name()}
	return f.finish(e, out, r)
}

func (f *estimateFlags) finish(e *env, out io.Writer, r estimate.Result) error {
	if err := report.Render(out, r, f.output.render(e)); err != nil {
		return err
	}
	status := exitStatus(exitOK)
	for _, s := range r.Skipped {
		if s.Expected {
			continue
		}
		status = exitPartial
		printError(e.stderr, skippedError(s))
	}
	if status == exitPartial && len(r.Collections) == 0 {
		status = exitFailed
	}
	if status != exitOK {
		return status
	}
	return nil
}

func skippedError(s estimate.Skipped) error {
	err := fmt.Errorf("%s: at offset %d: %s", s.Source, s.Offset, s.Why)
	return hinted{err, s.Hint}
}

