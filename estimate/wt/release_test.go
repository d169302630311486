package wt

import (
	"strings"
	"testing"
)

func TestParseRelease(t *testing.T) {
	for _, tt := range []struct {
		text                string
		major, minor, patch int
	}{
		{"4.2", 4, 2, 0}, {"4.2.0", 4, 2, 0}, {"4.4.29", 4, 4, 29}, {"8.0.14", 8, 0, 14},
		{"8.2.0-alpha0-1234-gabcdef", 8, 2, 0}, {"8.3-rc1", 8, 3, 0}, {"10.0", 10, 0, 0},
	} {
		r, err := ParseRelease(tt.text)
		if err != nil || r.major != tt.major || r.minor != tt.minor || r.patch != tt.patch || r.String() != tt.text {
			t.Errorf("ParseRelease(%q) = %+v, %v; want %d.%d.%d", tt.text, r, err, tt.major, tt.minor, tt.patch)
		}
	}
	for text, want := range map[string]string{
		"":                       "not a version",
		"8":                      "not a version",
		"8.":                     "not a version",
		".0":                     "not a version",
		"8.0.1.2":                "not a version",
		"8.x":                    "not a version",
		"8.-1":                   "not a version",
		"v8.0":                   "not a version",
		"8.0.0beta":              "not a version",
		"-8.0":                   "not a version",
		"99999999999999999999.0": "not a version",
		"4.1.13":                 "built by other rules",
		"4.0":                    "built by other rules",
		"3.6.23":                 "built by other rules",
	} {
		if r, err := ParseRelease(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseRelease(%q) = %v, %v; want an error with %q", text, r, err, want)
		}
	}
}

// The rules change exactly at these releases, each named with its source in
// release.go.
func TestReleaseRules(t *testing.T) {
	for _, tt := range []struct {
		release     string
		savesUnit   bool
		timeWindows bool
		update      int64
		prefixFloor int
		emptyPage   int64
	}{
		{"4.2.0", true, false, 38, 0, 560},
		{"4.2.1", true, false, 38, 0, 544},
		{"4.3.9", true, false, 38, 0, 544},
		{"4.4.0", true, true, 39, 0, 536},
		{"4.4.6", true, true, 39, 0, 536},
		{"4.4.7", true, true, 39, 10, 536},
		{"4.9.0", true, true, 39, 10, 536},
		{"5.0.0", true, true, 39, 10, 544},
		{"5.1.0", true, true, 39, 10, 528},
		{"5.3.2", true, true, 39, 10, 536},
		{"6.0.0", true, true, 47, 10, 544},
		{"6.1.1", true, true, 47, 10, 552},
		{"6.3.2", true, true, 47, 10, 568},
		{"7.0.0", true, true, 47, 10, 560},
		{"7.0.25", true, true, 47, 10, 560},
		{"7.2.9", true, true, 47, 10, 544},
		{"7.3.0", true, true, 47, 10, 552},
		{"8.0.14", true, true, 47, 10, 552},
		{"8.1.9", true, true, 47, 10, 552},
		{"8.2.0", false, true, 47, 10, 632},
		{"9.0", false, true, 47, 10, 632},
		{"10.0", false, true, 47, 10, 632}, // 10 comes after 9, not after 1
	} {
		r, err := ParseRelease(tt.release)
		if err != nil {
			t.Fatal(err)
		}
		if r.SavesUnit() != tt.savesUnit || r.TimeWindows() != tt.timeWindows ||
			r.UpdateBytes() != tt.update || r.PrefixFloor() != tt.prefixFloor || r.EmptyPageBytes() != tt.emptyPage {
			t.Errorf("%s: saves unit %v, time windows %v, update %d, prefix floor %d, empty page %d; want %+v",
				tt.release, r.SavesUnit(), r.TimeWindows(), r.UpdateBytes(), r.PrefixFloor(), r.EmptyPageBytes(), tt)
		}
	}
	if n := Newest(); n.SavesUnit() || !n.TimeWindows() {
		t.Errorf("the newest release follows old rules: %+v", n)
	}
}

func FuzzParseRelease(f *testing.F) {
	for _, s := range []string{"8.0", "4.4.7", "8.2.0-rc3", "..", "1.2.3.4", "-", "4.2-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRelease(s)
		if err == nil && (r.before(4, 2, 0) || r.String() != s) {
			t.Errorf("ParseRelease(%q) = %+v", s, r)
		}
		if err != nil && r != (Release{}) {
			t.Errorf("ParseRelease(%q) fails and gives %+v", s, r)
		}
	})
}
