package main

import (
	"strings"
	"testing"
)

func TestReplaceSection(t *testing.T) {
	got, err := replaceSection("a\n<!-- x -->\nold\n<!-- /x -->\nb\n", "x", "new\n")
	if want := "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for _, text := range []string{"", "<!-- x -->\n", "<!-- /x -->\n<!-- x -->\n", "<!-- y -->\n<!-- /y -->\n"} {
		if _, err := replaceSection(text, "x", ""); err == nil {
			t.Errorf("%q has no section x, and no error", text)
		}
	}
}

func TestSheetFormats(t *testing.T) {
	s := &sheet{title: "T", header: []string{"name", "n"}}
	s.add("a", "1")
	s.add("long", "22")
	for format, want := range map[string]string{
		asTSV:      "# T\nname\tn\na\t1\nlong\t22\n",
		asMarkdown: "T\n\n| name | n |\n|---|--:|\n| a | 1 |\n| long | 22 |\n\n",
	} {
		var b strings.Builder
		if err := s.write(&b, format); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v; want %q", format, b.String(), err, want)
		}
	}
	var b strings.Builder
	if err := s.write(&b, asText); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n")[1:] {
		if !strings.HasSuffix(line, "n") && !strings.HasSuffix(line, "1") && !strings.HasSuffix(line, "22") {
			t.Errorf("line %q", line)
		}
	}
	if s.write(&b, "xml") == nil {
		t.Error("xml is written")
	}
}

func TestSmallFigures(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.0123: "+1.23", -0.5: "-50.00"} {
		if got := signed(x); got != want {
			t.Errorf("signed(%g) = %q, want %q", x, got, want)
		}
	}
	if got := percent(median(nil)); got != "–" {
		t.Errorf("percent of nothing is %q", got)
	}
}
