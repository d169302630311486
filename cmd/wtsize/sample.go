package main

import (
	"bufio"
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/export/samplefile"
	"github.com/wtsize/wtsize/sampler/stream"
)

// sampleFlags are the flags of wtsize sample.
type sampleFlags struct {
	source sourceFlags
	read   readFlags
	manner mannerFlags
	out    string
}

func newSample(e *env) *cobra.Command {
	f := &sampleFlags{}
	cmd := &cobra.Command{
		Use:   "sample [SOURCE...] --out FILE [flags]",
		Short: "Take a sample and stop, to estimate from it elsewhere",
		Long: "Take a sample of real documents, with what is known of their collections, and\n" +
			"write it to a file that only you may read. wtsize estimate FILE gives the same\n" +
			"figures as the source itself. The file is BSON: bsondump shows what is in it.",
		Example: "  wtsize sample dump --out shop.sample\n" +
			"  wtsize sample --uri mongodb://localhost -d shop --out shop.sample\n" +
			"  wtsize estimate shop.sample",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.Context(), e, args)
		},
	}
	addGroup(cmd, "What is read", f.source.add)
	addGroup(cmd, "A running deployment", f.source.live.add)
	addGroup(cmd, "How much is read", f.read.add)
	addGroup(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.out, "out", "", "the sample, readable for you alone; - is standard output")
		values(fs, "out", "FILE")
	})
	addGroup(cmd, "Manners", f.manner.add)
	return cmd
}

func (f *sampleFlags) run(ctx context.Context, e *env, args []string) error {
	l, err := f.read.limits()
	switch {
	case err != nil:
		return err
	case f.out == "":
		return usage("add --out shop.sample", "no file given to write the sample to")
	case f.out == "-" && e.terminal:
		return usage("add --out shop.sample", "a sample is binary: not written to a terminal")
	}
	reading, stop := timeLimit(ctx, f.read.timeout)
	defer stop()
	meter := &stream.Meter{}
	inputs, err := f.source.inputs(reading, e, args, l, meter)
	if err != nil {
		return err
	}
	out, err := openOutput(e, f.out, 0o600)
	if err != nil {
		return err
	}
	defer out.discard()
	buffered := bufio.NewWriterSize(out, 1<<20)
	info := sourceInfo(inputs)
	w, err := samplefile.NewWriter(buffered, info.Kind, info.Name)
	if err != nil {
		return err
	}
	taken := &taker{Visitor: estimate.Thin(w, l.budget(f.read.seed))}
	gate := newGate(reading, e, taken, l.rate, meter, f.manner)
	r := reader{limits: l, seed: f.read.seed, v: gate}
	r.read(reading, inputs)
	gate.bar.Done()
	taken.result.Interrupted = errors.Is(context.Cause(ctx), errInterrupted)
	verdict := judge(reading, taken.result, r.failures)
	switch {
	case out.err != nil:
		return out.err
	case verdict.empty(taken.result):
		return f.source.nothing(ctx, e, verdict, args)
	}
	if err := errors.Join(w.Close(), buffered.Flush()); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	return verdict.tell(e, f.manner.quiet)
}

// taker notes what goes into a sample, for the exit status.
type taker struct {
	sampler.Visitor
	result estimate.Result
}

// End is part of sampler.Visitor.
func (t *taker) End(c sampler.Collection, end sampler.End) error {
	t.result.Collections = append(t.result.Collections, estimate.CollectionResult{NS: c.NS.String()})
	if end.Fault != nil {
		t.note(c.NS, end.Fault, true)
	}
	return t.Visitor.End(c, end)
}

// Skip is part of sampler.Visitor.
func (t *taker) Skip(ns sampler.Namespace, f *sampler.Fault) {
	t.note(ns, f, false)
	t.Visitor.Skip(ns, f)
}

func (t *taker) note(ns sampler.Namespace, f *sampler.Fault, partial bool) {
	t.result.Skipped = append(t.result.Skipped, estimate.Skipped{
		NS: ns.String(), Why: f.Reason(), Hint: f.Hint, Source: f.Source, Offset: max(f.Offset, 0),
		Partial: partial, Expected: f.Expected,
	})
}
