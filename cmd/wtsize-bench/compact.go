package main

import (
	"fmt"
	"strings"
)

// wholeByCollection gives a line to each collection and a column to each
// compressor.
func wholeByCollection(all []compared) *sheet {
	s := &sheet{
		title:  "**Read whole**, standalone; `=`: to the byte.",
		header: append([]string{"collection", "MB", "documents"}, compressorNames()...),
	}
	for start := 0; start < len(all); {
		set := all[start].set
		cells := map[string]string{}
		first := all[start].measured
		for ; start < len(all) && all[start].set == set; start++ {
			c := all[start]
			cells[c.compressor] = signed(c.error())
			if c.exact() {
				cells[c.compressor] = "="
			}
		}
		s.add(inOrder([]string{shortSet(set), megabytes(first.size), fmt.Sprint(first.count)}, cells)...)
	}
	return s
}

// sampledByCollection is the same for samples.
func sampledByCollection(f *accuracyFlags, all []trials) *sheet {
	s := &sheet{
		title:  fmt.Sprintf("**Sampled**: %d MiB, %d samples of each larger collection; median / 95th percentile.", int64(f.sample), f.seeds),
		header: append([]string{"collection", "MB"}, compressorNames()...),
	}
	for start := 0; start < len(all); {
		set := all[start].set
		cells := map[string]string{}
		first := all[start].measured
		for ; start < len(all) && all[start].set == set; start++ {
			e := absolute(all[start].errors)
			cells[all[start].compressor] = percent(median(e)) + " / " + percent(quantile(e, 0.95))
		}
		s.add(inOrder([]string{shortSet(set), megabytes(first.size)}, cells)...)
	}
	return s
}

func inOrder(row []string, cells map[string]string) []string {
	for _, name := range compressorNames() {
		row = append(row, cells[name])
	}
	return row
}

func shortSet(set string) string   { return strings.TrimSuffix(set, ".bson") }
func megabytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/1e6) }
