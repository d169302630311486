package main

import (
	"bytes"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
)

// TestByHand: without a compressor a batch is as long as its documents, and the
// last document that does not fit starts the next batch.
func TestByHand(t *testing.T) {
	c, err := codec.New(codec.Setting{Name: codec.None})
	if err != nil {
		t.Fatal(err)
	}
	h := &byHand{codec: c}
	doc := bytes.Repeat([]byte{1}, 20_000)
	for range 3 {
		if err := h.add(doc); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.flush(); err != nil {
		t.Fatal(err)
	}
	if h.documents != 60_000 || h.batches != 60_000 || h.rounded != 3*20_480 {
		t.Errorf("documents %d, batches %d, rounded %d", h.documents, h.batches, h.rounded)
	}
}

func TestByHandCompresses(t *testing.T) {
	c, err := codec.New(codec.Setting{Name: codec.Zstd, Level: codec.DefaultLevel})
	if err != nil {
		t.Fatal(err)
	}
	h := &byHand{codec: c}
	for range 100 {
		if err := h.add(bytes.Repeat([]byte("word "), 100)); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.flush(); err != nil {
		t.Fatal(err)
	}
	if h.batches >= h.documents || h.documents >= h.plain || h.rounded%allocation != 0 {
		t.Errorf("plain %d, documents %d, batches %d, rounded %d", h.plain, h.documents, h.batches, h.rounded)
	}
}

func TestDecimalBytes(t *testing.T) {
	for s, want := range map[string]int64{"100MB": 1e8, "10GB": 1e10} {
		if got, err := decimalBytes(s); err != nil || got != want {
			t.Errorf("%q: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "MB", "0GB", "-1MB", "1GiB", "9999999999999GB"} {
		if _, err := decimalBytes(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
}
