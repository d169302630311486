package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// madeUpData is a folder like the one of real data, with one generated
// collection whose measured sizes are the model's own: off moves them by so many
// blocks.
func madeUpData(t *testing.T, off int64) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sets"), 0o755); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "plain.bson")
	if _, err := generateFile(plain, "log", 3e6); err != nil {
		t.Fatal(err)
	}
	if err := gzipFile(plain, filepath.Join(dir, "sets", "log.bson.gz")); err != nil {
		t.Fatal(err)
	}
	f := accuracyFlags{topology: "standalone", overlap: 3}
	c, err := project(context.Background(), plain, f.options())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, "set\tcompressor\tcount\tsize\tstorageSize\tfreeStorageSize")
	for _, r := range c.Compressors {
		fmt.Fprintf(&b, "log.bson\t%s\t%d\t%d\t%d\t0\n", r.Name(), c.Count, c.Size, r.StorageSize+off*allocation)
	}
	if err := os.WriteFile(filepath.Join(dir, "truth.tsv"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func runCommand(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(args, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	return out.String()
}

func TestAccuracyCommand(t *testing.T) {
	out := runCommand(t, "accuracy", "--data", madeUpData(t, 0), "--format", "tsv")
	if n := strings.Count(out, "\t0\t=\n"); n != 4 {
		t.Errorf("%d of 4 cases exact:\n%s", n, out)
	}
	out = runCommand(t, "accuracy", "--data", madeUpData(t, 1), "--format", "tsv")
	if n := strings.Count(out, "\t-"); n != 4 || strings.Contains(out, "=") {
		t.Errorf("%d of 4 cases too small by a block:\n%s", n, out)
	}
}

func TestAccuracyOfSamples(t *testing.T) {
	out := runCommand(t, "accuracy", "--data", madeUpData(t, 0), "--format", "tsv", "--whole=false", "--sample", "1MiB", "--seeds", "2")
	for _, name := range compressorNames() {
		if !strings.Contains(out, "log.bson\t"+name+"\t") || !strings.Contains(out, "\n"+name+"\t2\t") {
			t.Errorf("no line for %s in\n%s", name, out)
		}
	}
}

func TestMethodsCommand(t *testing.T) {
	out := runCommand(t, "methods", "--data", madeUpData(t, 0), "--format", "tsv")
	if !strings.Contains(out, "wtsize, whole collection\t0.00 / 0.00\t0.00 / 0.00\t0.00 / 0.00\t0.00 / 0.00\n") {
		t.Errorf("the model differs from itself:\n%s", out)
	}
	if n := strings.Count(out, "\n"); n != 6 { // title, header, four methods
		t.Errorf("%d lines:\n%s", n, out)
	}
}

func TestOverlapCommand(t *testing.T) {
	dir := madeUpData(t, 0)
	out := runCommand(t, "overlap", "--truth", filepath.Join(dir, "truth.tsv"), "--bson", dir, "--format", "tsv")
	if strings.Contains(out, "log.bson") {
		t.Errorf("a collection that nothing evicts is compared:\n%s", out)
	}
}

func TestCommandFaults(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "nothing")
	for _, c := range []struct{ args, want string }{
		{"accuracy", `"data" not set`},
		{"accuracy --data " + missing, "what the engine made of the collections is not there"},
		{"accuracy --data " + madeUpData(t, 0) + " --sets zzz", `no collection whose name contains "zzz"`},
		{"accuracy --data " + madeUpData(t, 0) + " --format xml", "want text, tsv or markdown"},
		{"readme --data " + missing + " " + missing, "no such file"},
		{"speed --sizes 5", "want a size such as 100MB or 10GB"},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(c.args), &out, &errs); code != 1 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit %d, %q; want %q", c.args, code, errs.String(), c.want)
		}
	}
}
