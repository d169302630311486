package main

import (
	"fmt"

	"github.com/wtsize/wtsize/estimate/codec"
)

// compressorNames are the compressors that collections were loaded with.
func compressorNames() (names []string) {
	for _, s := range codec.Defaults() {
		names = append(names, s.Name)
	}
	return names
}

func orAll(name string) string {
	if name == "" {
		return "all"
	}
	return name
}

// summarySheet gives the errors of whole reads by compressor, apart for
// collections that the checkpoint writes alone and those that outrun eviction.
func summarySheet(topology string, all []compared) *sheet {
	s := &sheet{
		title:  "Whole collections, " + topology + ": error in % beyond the engine's spread",
		header: []string{"compressor", "in cache", "cases", "exact", "median", "95th percentile", "largest"},
	}
	for _, name := range append(compressorNames(), "") {
		for _, small := range []bool{true, false} {
			class := "over 5 %"
			if small {
				class = "under 5 %"
			}
			exact, e := errorsOf(all, name, small)
			if len(e) > 0 {
				s.add(orAll(name), class, fmt.Sprint(len(e)), fmt.Sprint(exact), percent(median(e)), percent(quantile(e, 0.95)), percent(quantile(e, 1)))
			}
		}
	}
	return s
}

// errorsOf gives the sizes of the errors of one compressor, or of all where name
// is empty, in one class of collections, and how many are exact.
func errorsOf(all []compared, name string, small bool) (exact int, errors []float64) {
	for _, c := range all {
		if name != "" && c.compressor != name || c.deterministic() != small {
			continue
		}
		errors = append(errors, c.error())
		if c.exact() {
			exact++
		}
	}
	return exact, absolute(errors)
}
