package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

func plainNumber(v float64) string { return fmt.Sprintf("%g", v) }

const hostile = `<script>alert("x")</script>&'` + "\u202e日本"

func bars(name string, values ...float64) Bars {
	b := Bars{Text: Text{"b", "bars " + name, "values " + name}, Axis: "MiB", Number: plainNumber}
	for _, v := range values {
		b.Rows = append(b.Rows, Bar{Name: name, Label: plainNumber(v), Strong: true,
			Segments: []Segment{{v, Data}, {v / 10, Rounding}, {-v, Inner}, {v, Ghost}}})
	}
	return b
}

func histogram(name string, share float64) Histogram {
	return Histogram{Text: Text{"h", name, name}, Role: Series4, Axis: name, Step: 4096, Min: 0, Max: 40960, Mean: 24000,
		MeanText: "mean " + name, Number: plainNumber, Percent: plainNumber,
		Bars: []Column{{20480, share}, {24576, share / 2}, {1 << 40, share}}}
}

func curves(name string, cpu float64) Curves {
	return Curves{Text: Text{"c", name, name}, XAxis: "MB/s", YAxis: "s", XMin: 1e7, XMax: 1e10, XNumber: plainNumber, YNumber: plainNumber,
		Lines: []Line{{name, Series1, func(x float64) float64 { return 4e8/x + cpu }},
			{name, Series2, func(x float64) float64 { return 1e8/x + 4*cpu }}},
		Crossings: []Mark{{3e8, 4e8/3e8 + cpu, "300 MB/s"}, {1, 1, "outside"}, {3.1e8, 4e8/3e8 + cpu, "310 MB/s"}},
		Rule:      Mark{X: 1.25e8, Label: name}}
}

func scatter(name string, speed float64) Scatter {
	return Scatter{Text: Text{"s", name, name}, XAxis: "MB/s", YAxis: "MiB", XNumber: plainNumber, YNumber: plainNumber,
		Groups: []Group{{name, Series3, []Mark{{speed, 100, "1"}, {speed * 2, 90, "2"}, {speed * 2, 90, "3"}}}, {name, Series6, []Mark{{speed, 40, name}}}}}
}

type figure interface{ SVG(float64) (string, error) }

func TestFiguresAreWellFormed(t *testing.T) {
	for name, f := range map[string]figure{"bars": bars(hostile, 1, 450, 0), "histogram": histogram(hostile, 0.5),
		"curves": curves(hostile, 0.4), "scatter": scatter(hostile, 30)} {
		for _, width := range []float64{330, 760} {
			svg, err := f.SVG(width)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			checkSVG(t, name, svg)
		}
	}
}

var leftovers = regexp.MustCompile(`NaN|Inf|#FE01|%!|font-family`)

func checkSVG(t *testing.T, name, svg string) {
	t.Helper()
	if m := leftovers.FindString(svg); m != "" {
		t.Errorf("%s holds %s", name, m)
	}
	texts, elements := "", map[string]int{}
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is not well formed: %v", name, err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			elements[e.Name.Local]++
		case xml.CharData:
			texts += string(e)
		}
	}
	if elements["script"] > 0 || elements["text"] == 0 || elements["title"] != 1 || elements["desc"] != 1 {
		t.Errorf("%s has elements %v", name, elements)
	}
	if !strings.Contains(texts, `<script>alert("x")</script>&'`) {
		t.Errorf("%s does not show the name as text", name)
	}
}

func TestWhatCannotBeDrawnIsAnError(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, f := range map[string]figure{
		"no bars": bars("a"), "bars of nothing": bars("a", 0), "NaN bar": bars("a", nan), "endless bar": bars("a", inf), "wide name": bars(strings.Repeat("M", 60), 1, 450),
		"no pages": histogram("a", 0), "NaN share": histogram("a", nan), "no step": Histogram{Min: 1, Max: 2, Bars: []Column{{1, 1}}},
		"no lines": Curves{XMin: 1, XMax: 2}, "negative time": curves("a", -1e9), "NaN time": curves("a", nan), "no range": Curves{},
		"no points": Scatter{XNumber: plainNumber, YNumber: plainNumber}, "no speed": scatter("a", 0), "NaN speed": scatter("a", nan),
	} {
		if svg, err := f.SVG(400); err == nil {
			t.Errorf("%s: drawn as %.80s", name, svg)
		}
	}
}

// Every variable that figures use is defined by the page's style sheet.
func TestPageDefinesTheColours(t *testing.T) {
	css, err := os.ReadFile("../page.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range Variables() {
		if !strings.Contains(string(css), v+":") {
			t.Errorf("page.css does not define %s", v)
		}
	}
}

func TestNiceStep(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{
		{1, 1}, {1.01, 2}, {2, 2}, {2.1, 5}, {5.1, 10}, {90, 100}, {0.003, 0.005}, {0, 1}, {-1, 1}, {math.Inf(1), 1}, {math.NaN(), 1},
	} {
		if got := niceStep(c.in); math.Abs(got-c.want) > c.want*1e-9 {
			t.Errorf("niceStep(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}

// Whatever the values, a figure or an error comes out.
func FuzzFigures(f *testing.F) {
	f.Add("zstd", 1.0, 450.0)
	f.Add(hostile, -1.0, 1e300)
	f.Add("", 5e-324, math.MaxFloat64)
	f.Fuzz(func(t *testing.T, name string, a, b float64) {
		for _, fig := range []figure{bars(name, a, b), histogram(name, a), curves(name, b), scatter(name, a)} {
			svg, err := fig.SVG(330)
			if err == nil && leftovers.MatchString(svg) && !leftovers.MatchString(name) {
				t.Errorf("%T of %v, %v: %s", fig, a, b, leftovers.FindString(svg))
			}
		}
	})
}
