//go:build oracle

package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFourLoads(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "orders.bson")
	if _, err := generated(path, "2MB"); err != nil {
		t.Fatal(err)
	}
	u, err := fourLoads(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if u.elapsed <= 0 || u.cpu <= 0 || len(left) != 1 {
		t.Errorf("%+v, and %d files are left", u, len(left))
	}
	got := usage{elapsed: 50, cpu: 9}.against(usage{elapsed: 0.2, cpu: 3}, "1GB", "loads")
	if got[4] != "250.0" || got[5] != "3.0" {
		t.Errorf("50 s against 0.2 s is %s times, 9 against 3 %s", got[4], got[5])
	}
}
