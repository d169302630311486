package codec

import (
	"bytes"
	"errors"
)

// Report is what SelfTest found out about one setting.
type Report struct {
	Setting Setting
	Info    Info
	// Err is why the setting cannot be used, or what went wrong.
	Err error
	// Ratio of stored to source bytes on the generated pages.
	Ratio  float64
	Timing Timing
}

// SelfTest runs each setting over generated pages: every one must come back as
// it was. With the default options four settings take about a second.
func SelfTest(settings []Setting, opts MeasureOptions) []Report {
	var pages [][]byte
	for seed := range uint64(4) {
		pages = append(pages, generatePage(seed, 117_000), generatePage(seed, 28_000))
	}
	reports := make([]Report, len(settings))
	for i, s := range settings {
		reports[i] = selfTest(s, pages, opts)
	}
	return reports
}

func selfTest(s Setting, pages [][]byte, opts MeasureOptions) Report {
	report := Report{Setting: s}
	c, err := New(s)
	if err != nil {
		report.Err = err
		return report
	}
	report.Info = c.Info()
	var source, stored int
	for _, page := range pages {
		n, err := roundTrip(c, page)
		if err != nil {
			report.Err = err
			return report
		}
		source += len(page)
		stored += n
	}
	report.Ratio = float64(stored) / float64(source)
	report.Timing, report.Err = Measure(s, pages, opts)
	return report
}

// roundTrip returns the bytes a page takes, compressed or as it is.
func roundTrip(c Codec, page []byte) (int, error) {
	n, err := c.Compress(page)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return len(page), nil
	}
	got := make([]byte, len(page))
	if err := c.Decompress(got, c.Stored()); err != nil {
		return 0, err
	}
	if !bytes.Equal(got, page) {
		return 0, errRoundTrip
	}
	return n, nil
}

// errRoundTrip reports a codec that does not give back what went in.
var errRoundTrip = errors.New("decompressed bytes differ from the source")
