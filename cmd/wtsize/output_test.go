package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// names lists a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestOutputAppearsWhenComplete(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.json")
	if err := os.WriteFile(path, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	o, err := openOutput(&env{}, path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Write([]byte("after")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "before" {
		t.Errorf("%q before the commit", b)
	}
	if err := o.commit(); err != nil {
		t.Fatal(err)
	}
	o.discard() // does nothing any more
	b, err := os.ReadFile(path)
	info, _ := os.Stat(path)
	if err != nil || string(b) != "after" || info.Mode().Perm() != 0o600 || names(t, dir) != "r.json" {
		t.Errorf("%q, %v, mode %v, in the folder: %s", b, err, info.Mode(), names(t, dir))
	}
}

func TestFailedOutputLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	e := &env{}
	o, err := openOutput(e, filepath.Join(dir, "r.json"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	o.w = fullDisk{}
	_, first := o.Write([]byte("x"))
	_, second := o.Write([]byte("y"))
	if first == nil || !errors.Is(first, syscall.ENOSPC) || second != first || o.commit() != first {
		t.Errorf("errors %v, %v", first, second)
	}
	if hintOf(first) == "" || !strings.Contains(first.Error(), "r.json") {
		t.Errorf("error %q with hint %q", first, hintOf(first))
	}
	o.discard()
	if got := names(t, dir); got != "" || len(e.unfinished.paths) != 0 {
		t.Errorf("left behind: %s, noted: %v", got, e.unfinished.paths)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "somewhere", Err: syscall.ENOSPC}
}

func TestStoppedProgramLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	e := &env{}
	if _, err := openOutput(e, filepath.Join(dir, "r.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.unfinished.remove()
	if got := names(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
}
