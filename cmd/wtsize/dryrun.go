package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/wtsize/wtsize/report"
	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live"
)

// dryRun says what would be read of a deployment, and reads none of it but for
// the few small commands that probing takes.
func dryRun(ctx context.Context, e *env, in *input, b sampler.Budget) error {
	if in.live == nil {
		return usage("leave out --dry-run: reading files disturbs nobody", "--dry-run without a deployment to read")
	}
	p, err := in.live.Plan(ctx, b)
	if err != nil {
		return err
	}
	if err := write(e, "", func(w io.Writer) error { return writePlan(w, p) }); err != nil {
		return err
	}
	failed := false
	for _, s := range p.Skipped {
		if !s.Fault.Expected {
			failed = true
			printError(e.stderr, s.Fault)
		}
	}
	switch {
	case failed && len(p.Collections) == 0:
		return exitStatus(exitFailed)
	case failed:
		return exitStatus(exitPartial)
	}
	return nil
}

func writePlan(w io.Writer, p live.Plan) error {
	fmt.Fprintf(w, "would read from %s (%s %s, %s)\n\n", report.Safe(p.Host), report.Safe(p.Product), report.Safe(p.Release), p.Topology)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "namespace\tdocuments\tBSON\tto read\tcommands\tmethod\tfrom\n")
	var bytes, commands int64
	for _, c := range p.Collections {
		method := c.Method
		if c.Runs > 0 {
			method += fmt.Sprintf(", %d runs", c.Runs)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", report.Safe(c.NS.String()), known(c.Count, report.Integer),
			known(c.Size, report.Bytes), known(c.Bytes, report.Bytes), c.Commands, method, report.Safe(strings.Join(c.Hosts, " ")))
		bytes, commands = bytes+c.Bytes, commands+c.Commands
	}
	fmt.Fprintf(t, "total\t\t\t%s\t%d\t\t\n", report.Bytes(bytes), commands)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, s := range p.Skipped {
		if s.Fault.Expected {
			fmt.Fprintf(w, "%s: %s\n", report.Safe(s.NS.String()), report.Safe(s.Fault.Reason()))
		}
	}
	return nil
}

// known prints a figure that is 0 where a server does not say.
func known(n int64, text func(int64) string) string {
	if n == 0 {
		return "–"
	}
	return text(n)
}
