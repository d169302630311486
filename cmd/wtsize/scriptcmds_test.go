package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wtsize/wtsize/report"
)

// checkResults holds results to the published schema.
func checkResults(ts *testscript.TestScript, neg bool, args []string) {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema()))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("schema.json", schema))
	compiled, err := c.Compile("schema.json")
	ts.Check(err)
	for _, name := range args {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
		if err := compiled.Validate(value); (err != nil) != neg {
			ts.Fatalf("%s: %v", name, err)
		}
	}
}

// checkColumns holds lines to a width: columns WIDTH FILE…
func checkColumns(ts *testscript.TestScript, neg bool, args []string) {
	most := 0
	_, err := fmt.Sscan(args[0], &most)
	ts.Check(err)
	for _, name := range args[1:] {
		for i, line := range strings.Split(ts.ReadFile(name), "\n") {
			if n := utf8.RuneCountInString(line); n > most {
				ts.Fatalf("%s:%d has %d columns: %s", name, i+1, n, line)
			}
		}
	}
}

// checkPermissions compares a file's mode: permissions 0600 FILE.
func checkPermissions(ts *testscript.TestScript, neg bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s has mode %s", args[1], got)
	}
}

// truncate cuts a file to so many bytes: truncate FILE BYTES.
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	n := int64(0)
	_, err := fmt.Sscan(args[1], &n)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}
