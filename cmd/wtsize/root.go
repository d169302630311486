package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// errInterrupted is the cause of a context that the user ended.
var errInterrupted = errors.New("interrupted")

// run runs one command line and returns the exit status. The first interrupt
// ends reading, so that a command can still report on what it has; the second
// ends the program.
func run(ctx context.Context, e *env, args []string) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan error, 1)
	go func() { done <- execute(ctx, e, args) }()
	for interrupts := 0; ; {
		select {
		case err := <-done:
			return status(e, err)
		case <-e.signals:
			if interrupts++; interrupts > 1 {
				e.unfinished.remove()
				return exitInterrupted
			}
			cancel(errInterrupted)
		}
	}
}

func execute(ctx context.Context, e *env, args []string) error {
	cmd := newRoot(e, args)
	cmd.SetArgs(args)
	cmd.SetIn(e.stdin)
	cmd.SetOut(e.stdout)
	cmd.SetErr(e.stderr)
	return cmd.ExecuteContext(ctx)
}

// status prints what went wrong and says how the program ends.
func status(e *env, err error) int {
	var s exitStatus
	var u usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &s):
		return int(s)
	case errors.As(err, &u):
		printError(e.stderr, err)
		return exitUsage
	}
	printError(e.stderr, err)
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

// exitStatus ends a command whose output is complete with a status of its own.
type exitStatus int

func (exitStatus) Error() string { return "" }

const firstSteps = `wtsize projects how large MongoDB collections become under each compressor

  wtsize estimate dump/shop/orders.bson      a collection from a dump
  wtsize estimate dump                       a dump directory, an archive, an export
  wtsize estimate --uri mongodb://host -d shop
  wtsize --help                              all commands
`

func newRoot(e *env, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "wtsize",
		Short: "Project how large MongoDB collections become under each compressor",
		Long: "wtsize reads a sample of real documents, builds the pages that WiredTiger\n" +
			"would build, compresses them with the codecs that servers use, and projects\n" +
			"the size of the whole collection under each compressor.",
		Example: "  wtsize estimate dump/shop/orders.bson\n" +
			"  wtsize estimate --uri mongodb://localhost -d shop --out shop.html",
		Version:       e.version,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				e.stderr.Write([]byte(firstSteps))
				return exitStatus(exitUsage)
			}
			return unknownCommand(c, args)
		},
	}
	root.SetVersionTemplate(versionText(e.version))
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { writeHelp(e.stdout, c) })
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newEstimate(e, args), newSample(e), newReport(e), newCompare(e), newCodecs(e),
		newCompletion(e), newVersion(e), newMan())
	root.SetHelpCommand(newHelp(e))
	return root
}

// newHelp is "wtsize help COMMAND".
func newHelp(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(c.Root(), args)
			}
			writeHelp(e.stdout, found)
			return nil
		},
	}
}

// unknownCommand says what was probably meant.
func unknownCommand(c *cobra.Command, args []string) error {
	if _, err := os.Stat(args[0]); err == nil {
		return usage("wtsize estimate "+strings.Join(args, " "), "no command %q, but a file of that name", args[0])
	}
	if isURI(args[0]) {
		return usage("wtsize estimate --uri URI", "no command given before the connection string")
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if near := nearest(args[0], names); near != "" {
		return usage("wtsize "+near+" --help", "no command %q, did you mean %q?", args[0], near)
	}
	return usage("wtsize --help", "no command %q", args[0])
}
