package codec

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Setting
		out  string
	}{
		{"none", Setting{"none", 0}, "none"},
		{"snappy", Setting{"snappy", 0}, "snappy"},
		{"zlib", Setting{"zlib", 6}, "zlib"},
		{"zlib:1", Setting{"zlib", 1}, "zlib:1"},
		{"zlib:6", Setting{"zlib", 6}, "zlib"},
		{"zlib:9", Setting{"zlib", 9}, "zlib:9"},
		{"zstd", Setting{"zstd", 6}, "zstd"},
		{"zstd:-7", Setting{"zstd", -7}, "zstd:-7"},
		{"zstd:22", Setting{"zstd", 22}, "zstd:22"},
		{"zstd:3-3", Setting{"zstd", 3}, "zstd:3"},
	} {
		got, err := Parse(tt.text)
		if err != nil || got != tt.want || got.String() != tt.out {
			t.Errorf("Parse(%q) = %+v %q, %v; want %+v %q", tt.text, got, got, err, tt.want, tt.out)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", got, again, err, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":               "not known",
		"gzip":           "not known",
		"ZSTD":           "not known",
		"none:1":         "no levels",
		"snappy:1":       "no levels",
		"zlib:0":         "level 0",
		"zlib:10":        "from 1 to 9",
		"zlib:-1":        "from 1 to 9",
		"zstd:0":         "level 0",
		"zstd:23":        "from -7 to 22",
		"zstd:-8":        "from -7 to 22",
		"zstd:":          "want a level",
		"zstd:-":         "want a level",
		"zstd:3-":        "want a level",
		"zstd:9-3":       "want a level",
		"zstd:1--":       "want a level",
		"zstd:+3":        "want a level",
		"zstd:1 ":        "want a level",
		"zstd:1-1000000": "want a level",
		"zstd:1-2":       "range of levels where one",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) error = %v, want it to contain %q", text, err, want)
		}
	}
}

func TestParseList(t *testing.T) {
	for text, want := range map[string]string{
		"none,snappy,zlib,zstd": "none snappy zlib zstd",
		" snappy , zstd:3":      "snappy zstd:3",
		"zstd:1-3,zstd:2-4":     "zstd:1 zstd:2 zstd:3 zstd:4",
		"zstd,zstd:6":           "zstd",
		"zstd:-2-2":             "zstd:-2 zstd:-1 zstd:1 zstd:2",
		"zstd:-7--6":            "zstd:-7 zstd:-6",
		"zlib:5-7":              "zlib:5 zlib zlib:7",
	} {
		list, err := ParseList(text)
		var got []string
		for _, s := range list {
			got = append(got, s.String())
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("ParseList(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "snappy,", "zstd:20-23", "zlib:0-3", "zstd:0-3"} {
		if list, err := ParseList(text); err == nil {
			t.Errorf("ParseList(%q) = %v, want an error", text, list)
		}
	}
	if got := Defaults(); !slices.Equal(got, mustParseList(t, "none,snappy,zlib,zstd")) {
		t.Errorf("Defaults() = %v", got)
	}
}

func mustParseList(t testing.TB, text string) []Setting {
	t.Helper()
	list, err := ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func FuzzParseList(f *testing.F) {
	for _, text := range []string{"none,snappy,zlib,zstd:1-22", "zstd:-7--1", "zlib:9", ":", "zstd:--"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseList(text)
		if err != nil {
			return
		}
		for _, s := range list {
			if again, err := Parse(s.String()); err != nil || again != s {
				t.Errorf("Parse(%q) = %v, %v", s, again, err)
			}
		}
	})
}
