// Command wtsize-bench measures wtsize: how close its projections come to what
// the engine made of real collections, how other methods do on the same data,
// and what the work costs in time and memory.
//
//	wtsize-bench accuracy --data FOLDER          projected against measured
//	wtsize-bench methods --data FOLDER           the same with other methods
//	wtsize-bench generated                       samples of large generated collections
//	wtsize-bench overlap --truth FILE --bson DIR candidates for the overlap of reconciliations
//	wtsize-bench speed                           time, codec time and memory
//	wtsize-bench readme --data FOLDER README.md  rewrite the README's tables in place
//
// FOLDER holds truth.tsv and its collections under sets/; truth.tsv says how
// large the engine's files were. Built with the tag oracle, readme --parts
// engine,loads loads generated collections into the linked engine.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command: arguments in, exit status out.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cmd := &cobra.Command{
		Use: "wtsize-bench", Short: "Measure wtsize: accuracy, other methods, speed",
		SilenceErrors: true, SilenceUsage: true,
	}
	cmd.AddCommand(newAccuracy(), newMethods(), newOverlap(), newReadme(), newGenerated(), newSpeed(), newWork())
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, "wtsize-bench: error:", err)
		return 1
	}
	return 0
}
