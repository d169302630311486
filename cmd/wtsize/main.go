// Wtsize projects how large MongoDB collections become under each WiredTiger
// compressor, from samples of their documents.
//
// One file per subcommand. Each reads its flags, opens what is read and what is
// written, and calls the packages that do the work; none of them computes a
// figure or formats one.
package main

import (
	"context"
	"os"
)

func main() { os.Exit(run(context.Background(), systemEnv(), os.Args[1:])) }
