package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite README.md and testdata with what the commands print")

// TestMain makes wtsize a command of scripts and README examples: this binary
// under another name. wtsize-still is wtsize without what depends on the
// machine's speed.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"wtsize":       func() { os.Exit(run(context.Background(), testEnv(), os.Args[1:])) },
		"wtsize-still": func() { e := testEnv(); e.noTimings = true; os.Exit(run(context.Background(), e, os.Args[1:])) },
	})
}

func testEnv() *env {
	e := systemEnv()
	e.version = "test"
	return e
}

// generator builds wtsize-gen, whose package main can't be imported, and
// returns the folder it is in.
func generator(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "wtsize-gen"), "../wtsize-gen").CombinedOutput()
	if err != nil {
		t.Fatalf("build wtsize-gen: %v\n%s", err, out)
	}
	return dir
}

// prependPath puts dir before what is in $PATH.
func prependPath(dir string) string {
	return fmt.Sprintf("%s%c%s", dir, os.PathListSeparator, os.Getenv("PATH"))
}
