package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/report"
	"github.com/wtsize/wtsize/sampler"
)

func newReport(e *env) *cobra.Command {
	var f outputFlags
	cmd := &cobra.Command{
		Use:   "report RESULT.json [flags]",
		Short: "Show a saved result again, in any format",
		Long: "Show a result again that wtsize estimate --format json saved, in any format,\n" +
			"without reading the data a second time. - is standard input.",
		Example: "  wtsize estimate dump --out result.json\n" +
			"  wtsize report result.json --explain\n" +
			"  wtsize report result.json --out result.html",
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("wtsize report result.json", "one result is needed, %d given", len(args))
			}
			return runReport(e, f, args[0])
		},
	}
	addGroup(cmd, "Output", f.add)
	return cmd
}

func runReport(e *env, f outputFlags, path string) error {
	how, err := f.render(e)
	if err != nil {
		return err
	}
	r, err := readResult(e, path)
	if err != nil {
		return err
	}
	return write(e, f.out, func(w io.Writer) error { return report.Render(w, r, how) })
}

// readResult reads a saved result; - is standard input.
func readResult(e *env, path string) (estimate.Result, error) {
	in := e.stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return estimate.Result{}, hinted{&sampler.Fault{Source: path, Offset: -1, Why: "can't be opened", Err: cause(err)},
				"make one with wtsize estimate SOURCE --out " + path}
		}
		defer file.Close()
		in = file
	}
	r, err := report.Parse(in)
	var f *sampler.Fault
	if errors.As(err, &f) {
		f.Source = path
	}
	return r, err
}

// write writes a result to stdout or a file in one go.
func write(e *env, path string, render func(io.Writer) error) error {
	out, err := openOutput(e, path, 0o666)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := render(out); err != nil {
		return err
	}
	return out.commit()
}
