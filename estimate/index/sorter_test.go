package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// TestSorter sorts with and without spilling: the order is that of the keys and
// nothing is lost.
func TestSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 1000, 100000} {
		s := NewSorter(1<<20, t.TempDir())
		want := make([]string, n)
		for i := range want {
			key := make([]byte, r.IntN(20))
			for j := range key {
				key[j] = byte(r.IntN(3))
			}
			value := fmt.Appendf(nil, "%d", i)
			if err := s.Add(key, value); err != nil {
				t.Fatal(err)
			}
			want[i] = string(key) + "|" + string(value)
		}
		if n == 100000 && len(s.runs) < 2 {
			t.Errorf("%d runs", len(s.runs))
		}
		var last []byte
		var got []string
		err := s.Each(func(k, v []byte) error {
			if bytes.Compare(last, k) > 0 {
				t.Fatalf("%x after %x", k, last)
			}
			last = append(last[:0], k...)
			got = append(got, string(k)+"|"+string(v))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d entries: %d came back", n, len(got))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSpillIsUnreadable: no part of a key can be found in the file, and no file
// has a name or can be opened by others.
func TestSpillIsUnreadable(t *testing.T) {
	dir := t.TempDir()
	s := NewSorter(1<<20, dir)
	secret := []byte("the secret of one document")
	for i := range 60000 {
		if err := s.Add(fmt.Appendf(append([]byte(nil), secret...), "%d", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.runs) == 0 {
		t.Fatal("nothing was spilled")
	}
	for _, run := range s.runs {
		info, err := run.file.Stat()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info.Mode(), err)
		}
		raw := make([]byte, info.Size())
		if _, err := run.file.ReadAt(raw, 0); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte("secret")) {
			t.Error("a key is readable")
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
		t.Errorf("files left in the directory: %v %v", names, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestSorterFaults(t *testing.T) {
	s := NewSorter(1<<20, "/nonexistent/folder")
	var err error
	for i := 0; i < 100000 && err == nil; i++ {
		err = s.Add(fmt.Appendf(nil, "%d", i), nil)
	}
	if err == nil {
		t.Error("no error without a place to spill to")
	}
	if err := NewSorter(1, "").Add(make([]byte, 65<<20), nil); err != errTooLong {
		t.Errorf("%v", err)
	}
}
