package oracle

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadBSON(t *testing.T) {
	empty, other := "\x05\x00\x00\x00\x00", "\x08\x00\x00\x00\x0aa\x00\x00"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(empty + other)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, content string
		documents     int
		fault         string
	}{
		{"a.bson", "", 0, ""},
		{"a.bson", empty + other, 2, ""},
		{"a.bson.gz", packed.String(), 2, ""},
		{"a.bson.gz", "no gzip", 0, "a.bson.gz"},
		{"a.bson", empty + "\x08\x00", 1, "offset 5: unexpected EOF"},
		{"a.bson", empty + other[:6], 1, "offset 5: unexpected EOF"},
		{"a.bson", "\x04\x00\x00\x00", 0, "offset 0: document of 4 bytes"},
		{"a.bson", "\xff\xff\xff\x7f", 0, "document of 2147483647 bytes"},
	} {
		path := filepath.Join(t.TempDir(), tc.name)
		if err := os.WriteFile(path, []byte(tc.content), 0o600); err != nil {
			t.Fatal(err)
		}
		n, fault := 0, ""
		for _, err := range ReadBSON(path) {
			if err != nil {
				fault = err.Error()
				break
			}
			n++
		}
		if n != tc.documents || !strings.Contains(fault, tc.fault) || (fault == "") != (tc.fault == "") {
			t.Errorf("%q: %d documents, %q; want %d, %q", tc.content, n, fault, tc.documents, tc.fault)
		}
	}
	for range ReadBSON(filepath.Join(t.TempDir(), "absent")) {
		return
	}
	t.Error("no error for a file that is not there")
}
