package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite README.md and testdata with what the commands print")

// TestMain makes wtsize a command of scripts: this binary under another name.
// wtsize-still is wtsize without what depends on the machine's speed.
func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){
		"wtsize":       func() { os.Exit(run(context.Background(), testEnv(), os.Args[1:])) },
		"wtsize-still": func() { e := testEnv(); e.noTimings = true; os.Exit(run(context.Background(), e, os.Args[1:])) },
	})
}

// suite is the tests, and what they leave to be removed.
type suite struct{ *testing.M }

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "wtsize-programs-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programsIn = dir
	return s.M.Run()
}

func testEnv() *env {
	e := systemEnv()
	e.version = "test"
	return e
}

// programsIn is the folder that programs builds in.
var programsIn string

// built makes wtsize and wtsize-gen as users get them, without the race detector.
var built = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "build", "-buildvcs=false", "-o", programsIn, ".", "../wtsize-gen").CombinedOutput()
})

// programs returns the folder of the two programs.
func programs(t *testing.T) string {
	t.Helper()
	if out, err := built(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return programsIn
}

// prependPath puts dir before what is in $PATH.
func prependPath(dir string) string {
	return fmt.Sprintf("%s%c%s", dir, os.PathListSeparator, os.Getenv("PATH"))
}
