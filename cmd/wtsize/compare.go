package main

import (
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wtsize/wtsize/report"
)

func newCompare(e *env) *cobra.Command {
	var f outputFlags
	fanout := 0
	cmd := &cobra.Command{
		Use:   "compare A.json B.json [flags]",
		Short: "Show two saved results side by side",
		Long: "Show two results side by side that wtsize estimate --format json saved: before\n" +
			"and after, or, with --fanout, two designs: A holds one document where B holds\n" +
			"one with N documents beside it.",
		Example: "  wtsize compare before.json after.json\n" +
			"  wtsize compare embedded.json referenced.json --fanout 8",
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("wtsize compare before.json after.json", "two results are needed, %d given", len(args))
			}
			if fanout < 0 {
				return usage("--fanout 8", "--fanout %d: less than nothing", fanout)
			}
			return runCompare(e, f, fanout, args)
		},
	}
	addGroup(cmd, "What is compared", func(fs *pflag.FlagSet) {
		fs.IntVar(&fanout, "fanout", 0, "compare designs: documents in B beside each one")
		values(fs, "fanout", "N")
	})
	addGroup(cmd, "Output", f.add)
	return cmd
}

func runCompare(e *env, f outputFlags, fanout int, paths []string) error {
	how, err := f.render(e)
	if err != nil {
		return err
	}
	a, err := readResult(e, paths[0])
	if err != nil {
		return err
	}
	b, err := readResult(e, paths[1])
	if err != nil {
		return err
	}
	return write(e, f.out, func(w io.Writer) error {
		return report.Compare(w, a, b, report.CompareOptions{Options: how, Fanout: fanout})
	})
}
