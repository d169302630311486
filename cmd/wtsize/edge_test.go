package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/sampler/racetest"
)

// TestOddFiles runs the command on every file and folder of real and damaged
// dumps, and compares the exit status with the verdict on the source alone.
// Whatever the input, a failure prints one line that names it, and no result.
func TestOddFiles(t *testing.T) {
	const data = "../../../shared/data"
	if _, err := os.Stat(data); err != nil {
		t.Skip("no real dumps here: ", data)
	}
	table, err := os.ReadFile("../../sampler/dump/testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	verdicts := strings.Split(strings.ReplaceAll(string(table), "\n\t", "\x00"), "\n")
	if len(verdicts) < 100 {
		t.Errorf("only %d files", len(verdicts))
	}
	for i, v := range verdicts {
		if racetest.Enabled && i%4 != 0 { // the same goroutines each time
			continue
		}
		head, found, _ := strings.Cut(v, "\x00")
		words := strings.Split(head, "\t") // path, kind, status
		if len(words) != 3 {
			continue
		}
		path, want := words[0], words[2]
		if want == "3" && !strings.Contains(found, " documents=") {
			want = "1" // nothing could be read at all
		}
		out, errs, got := runOn(t, "estimate", filepath.Join(data, path), "--no-indexes", "--compressors", "none")
		if fmt.Sprint(got) != want {
			t.Errorf("%s: status %d, want %s\n%s", path, got, want, errs)
		}
		if got != 0 && !strings.Contains(errs, "wtsize: error: ") || strings.Contains(errs, "\n\n") {
			t.Errorf("%s: stderr %q", path, errs)
		}
		if (got == exitFailed) != (out == "") {
			t.Errorf("%s: status %d and %d bytes of result", path, got, len(out))
		}
	}
}

// runOn runs one command line in this process.
func runOn(t testing.TB, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return runWith(strings.NewReader(""), args...)
}

func runWith(stdin io.Reader, args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	e := &env{
		stdin: stdin, stdout: &out, stderr: &errs, getenv: func(string) string { return "" },
		askPassword: func(string) (string, error) { return "", os.ErrNotExist }, noTimings: true, version: "test",
	}
	status = run(context.Background(), e, args)
	return out.String(), errs.String(), status
}
