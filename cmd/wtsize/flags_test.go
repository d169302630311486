package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"1": 1, "4096": 4096, "64MiB": 64 << 20, "64MB": 64 << 20, "64mb": 64 << 20, "64M": 64 << 20,
		"1.5GiB": 3 << 29, "2T": 2 << 40, "1PiB": 1 << 50, " 8 KiB": 8 << 10, "0.5": 1, "1B": 1, "7b": 7,
	} {
		if got, err := parseBytes(strings.ReplaceAll(s, " ", "")); err != nil || got != want {
			t.Errorf("parseBytes(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "0", "-1", "MiB", "x", "1XB", "1MiBB", "NaN", "Inf", "-Inf", "1e30", "5000PiB"} {
		if got, err := parseBytes(s); err == nil {
			t.Errorf("parseBytes(%q) = %d, want an error", s, got)
		}
	}
}

func TestParseAmount(t *testing.T) {
	for s, want := range map[string]amount{
		"all": {}, "100%": {}, "64MiB": {bytes: 64 << 20}, "2%": {share: 0.02}, "0.5%": {share: 0.005},
	} {
		if got, err := parseAmount(s); err != nil || got != want {
			t.Errorf("parseAmount(%q) = %+v, %v; want %+v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "%", "0%", "101%", "-1%", "NaN%", "everything"} {
		if got, err := parseAmount(s); err == nil {
			t.Errorf("parseAmount(%q) = %+v, want an error", s, got)
		}
	}
}

func TestParseCount(t *testing.T) {
	for s, want := range map[string]int64{
		"1": 1, "50000": 50_000, "50,000": 50_000, "50k": 50_000, "1.5M": 1_500_000, "2G": 2_000_000_000,
	} {
		if got, err := parseCount(s); err != nil || got != want {
			t.Errorf("parseCount(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "0", "-5", "k", "many", "NaN", "1e30", "0.1"} {
		if got, err := parseCount(s); err == nil {
			t.Errorf("parseCount(%q) = %d, want an error", s, got)
		}
	}
}

func TestRecorded(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"estimate orders.bson", "wtsize estimate orders.bson"},
		{"estimate --uri mongodb://me:hunter2@a:1,b:2/shop?x=y -d shop", "wtsize estimate --uri mongodb://a:1,b:2 -d shop"},
		{"estimate --uri=mongodb+srv://me:hunter2@a/ -d shop", "wtsize estimate --uri=mongodb+srv://a -d shop"},
		{"estimate mongodb://me:hun@ter2@a", "wtsize estimate mongodb://…"},
		{"estimate --shard-uri mongodb://me:hunter2@a", "wtsize estimate --shard-uri mongodb://a"},
		{"estimate -p hunter2 -u me", "wtsize estimate -p … -u …"},
		{"estimate -phunter2 -ume", "wtsize estimate -p… -u…"},
		{"estimate --password=hunter2 --username me x", "wtsize estimate --password=… --username … x"},
		{"estimate --tlsCertificateKeyFilePassword hunter2", "wtsize estimate --tlsCertificateKeyFilePassword …"},
		{"estimate --password", "wtsize estimate"},
		{"estimate --config f.yaml --passive", "wtsize estimate --config f.yaml --passive"},
	} {
		got := strings.Join(recorded(strings.Fields(c.typed)), " ")
		if got != c.want {
			t.Errorf("%s\nrecorded as %s\nwant        %s", c.typed, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"orders", "log", "customers", "orders_2024"}
	for word, want := range map[string]string{
		"orders": "orders", "ordres": "orders", "Orders": "orders", "oders": "orders", "order": "orders",
		"custmers": "customers", "lg": "log", "orders2024": "orders_2024", "zzzz": "", "": "",
	} {
		if got := nearest(word, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := nearest(strings.Repeat("x", 1000), names); got != "" {
		t.Errorf("a word of 1000 letters is near %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1},
		{"kitten", "sitting", 3}, {"ca", "abc", 3}, {"đơn", "đon", 1},
	} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("distance(%q, %q) = %d, back %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	got := wrap("one two  three averyverylongword four", 9)
	if want := []string{"one two", "three", "averyverylongword", "four"}; !slices.Equal(got, want) {
		t.Errorf("wrapped as %q, want %q", got, want)
	}
}
