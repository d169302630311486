// Command wtsize-gen writes made-up documents as a .bson file: the test and
// benchmark data of wtsize, the same bytes on every machine.
//
//	wtsize-gen orders --docs 1000000 --seed 1 --out orders.bson --metadata
//	wtsize-gen log --bytes 10GiB > log.bson
package main

import (
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
