// Wtsize projects how large MongoDB collections become under each WiredTiger
// compressor, from samples of their documents.
package main

import (
	"context"
	"os"
)

func main() { os.Exit(run(context.Background(), systemEnv(), os.Args[1:])) }
