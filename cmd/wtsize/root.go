package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

// run runs one command line and returns the exit status.
func run(ctx context.Context, e *env, args []string) int {
	cmd := newRoot(e)
	cmd.SetArgs(args)
	cmd.SetIn(e.stdin)
	cmd.SetOut(e.stdout)
	cmd.SetErr(e.stderr)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	printError(e.stderr, err)
	var u usageError
	if errors.As(err, &u) {
		return exitUsage
	}
	return exitFailed
}

// exitStatus ends a command whose output is complete with a status of its own.
type exitStatus int

func (exitStatus) Error() string { return "" }

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:           "wtsize",
		Short:         "Project how large MongoDB collections become under each compressor",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("see "+c.CommandPath()+" --help", "%w", err)
	})
	root.AddCommand(newEstimate(e))
	return root
}
