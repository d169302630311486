package main

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/report"
	"github.com/wtsize/wtsize/sampler/stream"
)

// estimateFlags are the flags of wtsize estimate.
type estimateFlags struct {
	source sourceFlags
	read   readFlags
	model  modelFlags
	index  indexFlags
	cost   costFlags
	output outputFlags
	manner mannerFlags
	jobs   int
	dryRun bool
	typed  []string // the command line
}

func newEstimate(e *env, args []string) *cobra.Command {
	f := &estimateFlags{typed: args}
	cmd := &cobra.Command{
		Use:   "estimate [SOURCE...] [flags]",
		Short: "Project the sizes of collections under each compressor",
		Long: "Project the sizes of collections under each compressor.\n\n" +
			"A source is a .bson file, a dump directory, an archive, a mongoexport file, a\n" +
			"sample file, or - for standard input, each as it is or compressed with gzip or\n" +
			"zstd; what it is, is found from its bytes. --uri reads a running deployment.\n" +
			"-h is help: there is no short form for a host.",
		Example: "  wtsize estimate dump/shop/orders.bson\n" +
			"  wtsize estimate dump -d shop --format json | jq .totals\n" +
			"  mongodump --archive | wtsize estimate --archive\n" +
			"  wtsize estimate --uri mongodb://localhost -d shop -c orders\n" +
			"  wtsize estimate orders.bson --compressors snappy,zstd:1-9 --out orders.html",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.Context(), e, args)
		},
	}
	addGroup(cmd, "What is read", f.source.add)
	addGroup(cmd, "A running deployment", f.source.live.add)
	addGroup(cmd, "How much is read", func(fs *pflag.FlagSet) {
		f.read.add(fs)
		fs.BoolVar(&f.dryRun, "dry-run", false, "say what would be read of a deployment, and stop")
	})
	addGroup(cmd, "What is tried, for which server", f.model.add)
	addGroup(cmd, "What else is worked out", f.index.add)
	addGroup(cmd, "What it costs", f.cost.add)
	addGroup(cmd, "Output", f.output.add)
	addGroup(cmd, "Manners", func(fs *pflag.FlagSet) {
		f.manner.add(fs)
		fs.IntVarP(&f.jobs, "jobs", "j", 0, "goroutines that compress (default: one for each core)")
		values(fs, "jobs", "NUMBER")
	})
	return cmd
}

func (f *estimateFlags) run(ctx context.Context, e *env, args []string) error {
	debug.SetGCPercent(50)          // the sample is most of what is held: bound the peak,
	debug.SetMemoryLimit(170 << 20) // and collect before the process grows beyond it
	l, err := f.read.limits()
	if err != nil {
		return err
	}
	o, err := f.options(e, l)
	if err != nil {
		return err
	}
	how, err := f.output.render(e)
	if err != nil {
		return err
	}
	est, err := estimate.New(o)
	if err != nil {
		return usage("wtsize estimate --help", "%w", err)
	}
	defer est.Close()
	reading, stop := timeLimit(ctx, f.read.timeout)
	defer stop()
	meter := &stream.Meter{}
	inputs, err := f.source.inputs(reading, e, args, l, meter)
	if err != nil {
		return err
	}
	if f.dryRun {
		return dryRun(reading, e, inputs[0], l.budget(o.Seed))
	}
	out, err := openOutput(e, f.output.out, 0o666)
	if err != nil {
		return err
	}
	defer out.discard()
	failures, err := f.readAll(reading, e, est, l, inputs, meter)
	if err != nil {
		return err
	}
	res := est.Result()
	res.Tool.Version, res.Command, res.Source = e.version, recorded(f.typed), sourceInfo(inputs)
	res.Interrupted = errors.Is(context.Cause(ctx), errInterrupted)
	verdict := judge(reading, res, failures)
	if verdict.empty(res) {
		return f.source.nothing(ctx, e, verdict, args)
	}
	if err := report.Render(out, res, how); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	return verdict.tell(e, f.manner.quiet)
}

// readAll reads every input into est and gives what ended a source as a whole.
func (f *estimateFlags) readAll(ctx context.Context, e *env, est *estimate.Estimator, l limits, inputs []*input, m *stream.Meter) ([]error, error) {
	join := &joiner{est, f.source.survey(ctx, inputs)}
	gate := newGate(ctx, e, join, l.rate, m, f.manner)
	defer gate.bar.Done()
	gate.joints = join.joints
	r := reader{limits: l, seed: f.read.seed, v: gate}
	r.read(ctx, inputs)
	return r.failures, join.finish()
}

// options are the estimate's.
func (f *estimateFlags) options(e *env, l limits) (estimate.Options, error) {
	o, err := f.model.options()
	if err != nil {
		return o, err
	}
	if err := errors.Join(f.index.set(&o), f.cost.set(&o)); err != nil {
		return o, err
	}
	if f.jobs < 0 {
		return o, usage("-j 4", "--jobs %d: less than nothing", f.jobs)
	}
	o.Seed, o.Jobs, o.NoTimings = f.read.seed, f.jobs, e.noTimings
	o.SampleBytes, o.SampleShare = l.sample.bytes, l.sample.share
	return o, nil
}

// sourceInfo names what was read.
func sourceInfo(inputs []*input) estimate.SourceInfo {
	var s estimate.SourceInfo
	var names []string
	for _, in := range inputs {
		names = append(names, in.name)
		switch {
		case s.Kind == "" || s.Kind == in.kind:
			s.Kind = in.kind
		default:
			s.Kind = "several"
		}
	}
	s.Name = strings.Join(names, ", ")
	return s
}
