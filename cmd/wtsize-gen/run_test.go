package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// documents counts the documents of a .bson file and fails on a cut one.
func documents(t *testing.T, b []byte) int {
	t.Helper()
	n := 0
	for len(b) > 0 {
		if len(b) < 4 || int(binary.LittleEndian.Uint32(b)) > len(b) {
			t.Fatalf("cut after %d documents", n)
		}
		b = b[binary.LittleEndian.Uint32(b):]
		n++
	}
	return n
}

func TestDocumentsToStdout(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"orders", "--docs", "1000", "--seed", "7"}, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, &errs)
	}
	if n := documents(t, out.Bytes()); n != 1000 {
		t.Errorf("%d documents, want 1000", n)
	}
	var again bytes.Buffer
	run([]string{"--seed=7", "--docs=1000", "orders"}, &again, &errs)
	if !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Error("the same seed gave other bytes")
	}
}

func TestBytesLimit(t *testing.T) {
	for _, shape := range []string{"log", "tiny", "drift"} {
		var out, errs bytes.Buffer
		if code := run([]string{shape, "--bytes", "1MiB"}, &out, &errs); code != 0 {
			t.Fatalf("exit %d: %s", code, &errs)
		}
		documents(t, out.Bytes())
		if n := out.Len(); n > 1<<20 || n < 1<<20-1000 {
			t.Errorf("%s: %d bytes for --bytes 1MiB", shape, n)
		}
	}
}

func TestFileAndMetadata(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "shop.bson")
	var out, errs bytes.Buffer
	if code := run([]string{"orders", "--docs", "10", "--out", file, "--metadata"}, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, &errs)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := documents(t, b); n != 10 || out.Len() > 0 {
		t.Errorf("%d documents in the file, %d bytes on stdout", n, out.Len())
	}
	meta, err := os.ReadFile(filepath.Join(dir, "shop.metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(meta, []byte(`"collectionName":"shop"`)) {
		t.Errorf("metadata %s", meta)
	}
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "no shape"},
		{"ordres", `no shape "ordres"`},
		{"orders --docs -1", "must not be negative"},
		{"orders --metadata", "needs --out"},
		{"orders log", `unexpected argument "log"`},
		{"orders --bytes 10XB", "10XB"},
		{"orders --nope", "nope"},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(c.args), &out, &errs); code != exitUsage {
			t.Errorf("%q: exit %d, want %d", c.args, code, exitUsage)
		}
		if !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%q: stderr %q, stdout %d bytes", c.args, &errs, out.Len())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrors(t *testing.T) {
	var errs bytes.Buffer
	if code := run([]string{"orders", "--docs", "10"}, fullDisk{}, &errs); code != exitFailed {
		t.Errorf("exit %d on a full disk: %s", code, &errs)
	}
	missing := filepath.Join(t.TempDir(), "no", "file.bson")
	if code := run([]string{"orders", "--docs", "10", "--out", missing}, fullDisk{}, &errs); code != exitFailed {
		t.Errorf("exit %d for a folder that does not exist: %s", code, &errs)
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{
		"1": 1, "7B": 7, "10KB": 10_000, "10KiB": 10_240, "3MB": 3e6, "2MiB": 2 << 20,
		"10GiB": 10 << 30, "1GB": 1e9, "1TiB": 1 << 40, "2TB": 2e12,
	} {
		if got, err := parseSize(s); err != nil || got != want {
			t.Errorf("parseSize(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "B", "GiB", "-1", "0", "1.5GB", "9000000TiB", "10 GB", "1EiB"} {
		if got, err := parseSize(s); err == nil {
			t.Errorf("parseSize(%q) = %d, want an error", s, got)
		}
	}
}
