package dump

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/metadata"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

var update = flag.Bool("update", false, "rewrite the golden tables")

// verdict is what reading a path came to: the exit status a command would give
// it, and a line for every namespace.
func verdict(t *testing.T, root, path string) string {
	s, err := Open(path, Options{})
	var r streamtest.Record
	kind := "-"
	if err == nil {
		kind = s.Kind()
		err = s.Read(context.Background(), sampler.Budget{}, &r)
	}
	status := 0
	for name, taken := range r.Taken {
		if taken.Ended != 1 {
			t.Errorf("%s: %s ended %d times", path, name, taken.Ended)
		}
		if taken.End.Fault != nil {
			status = 3
		}
	}
	for _, f := range r.Skips {
		if !f.Expected {
			status = 3
		}
	}
	lines := r.Lines()
	if err != nil {
		f, ok := err.(*sampler.Fault)
		if !ok {
			t.Errorf("%s: %v is no fault", path, err)
			return ""
		}
		status, lines = 1, append(lines, fmt.Sprintf("fault at %d: %s", f.Offset, f.Why))
	}
	rel, _ := filepath.Rel(root, path)
	return fmt.Sprintf("%s\t%s\t%d\n\t%s\n", rel, kind, status, strings.Join(lines, "\n\t"))
}

// TestGolden reads every file of the real and the odd data, and the
// directories, and compares what came of it with the table kept here.
func TestGolden(t *testing.T) {
	root := streamtest.Data(t, data)
	var got strings.Builder
	for _, top := range []string{"dumps", "edge"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if strings.Contains(path, "sample-metadata") {
				return nil // TestMetadataGolden
			}
			if e.IsDir() && filepath.Base(path) == top {
				return nil
			}
			got.WriteString(verdict(t, root, path))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	compare(t, "verdicts.txt", strings.ReplaceAll(got.String(), root, "DATA"))
}

// TestMetadataGolden reads every metadata file and compares its type and the
// number of indexes.
func TestMetadataGolden(t *testing.T) {
	root := streamtest.Data(t, data)
	var got strings.Builder
	filepath.WalkDir(filepath.Join(root, "edge"), func(path string, e fs.DirEntry, walkErr error) error {
		if _, ok := cutExt(path, metaExt); !ok || walkErr != nil || e.IsDir() {
			return walkErr
		}
		m, err := readMetadata(path)
		if err != nil {
			m = &metadata.Metadata{}
		}
		rel, _ := filepath.Rel(root, path)
		fmt.Fprintf(&got, "%s\t%s\tindexes=%d\t%s\t%v\n", rel, m.Type, len(m.Indexes), m.ConfigString, err)
		return nil
	})
	compare(t, "metadata.txt", got.String())
}

func compare(t *testing.T, name, got string) {
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			t.Fatalf("%s line %d: want\n%s\ngot\n%s\n(go test -update rewrites it)", path, i+1, a, b)
		}
	}
}
