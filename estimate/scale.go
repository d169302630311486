package estimate

import (
	"fmt"
	"math"
	"strconv"

	"github.com/wtsize/wtsize/sampler"
)

// ScaledCode is the code of the warning that figures were scaled to another
// document count.
const ScaledCode = "docs"

// scaleTo projects the figures to another document count: more of the same.
func (r *CollectionResult) scaleTo(docs int64) {
	if docs <= 0 || r.Count == 0 || docs == r.Count {
		return
	}
	k := float64(docs) / float64(r.Count)
	times := func(ns ...*int64) {
		for _, n := range ns {
			*n = int64(math.Round(float64(*n) * k))
		}
	}
	r.Warnings = append(r.Warnings, sampler.Warning{Code: ScaledCode, Text: fmt.Sprintf(
		"scaled to %s documents from %s, as if the others were of the same kind", grouped(docs), grouped(r.Count))})
	r.Count, r.CountKind = docs, "projected"
	times(&r.Size, &r.TotalIndexSize, &r.CountLow, &r.CountHigh, &r.SizeLow, &r.SizeHigh)
	for i := range r.Compressors {
		c := &r.Compressors[i]
		times(&c.StorageSize, &c.StorageSizeLow, &c.StorageSizeHigh, &c.WithTimeWindows,
			&c.LeafPages, &c.InternalPages, &c.UncompressedPages)
		for j := range c.PageDiskHistogram {
			times(&c.PageDiskHistogram[j].Pages)
		}
		l := &c.Ledger
		times(&l.Documents, &l.Cells, &l.Headers, &l.TimeWindows, &l.Internal, &l.CompressionSaved, &l.File)
		// Rounding takes what the scaled labels leave, so that they still add up.
		l.Rounding = c.StorageSize - (l.Documents + l.Cells + l.Headers + l.TimeWindows + l.Internal + l.CompressionSaved + l.File)
	}
	for i := range r.Indexes {
		x := &r.Indexes[i]
		times(&x.Entries, &x.Size, &x.SizeLow, &x.SizeHigh, &x.SizeInserts, &x.SizeInsertsLow, &x.SizeInsertsHigh, &x.SizeReplset)
	}
	for i := range r.WhatIf {
		for name, n := range r.WhatIf[i].StorageSize {
			r.WhatIf[i].StorageSize[name] = int64(math.Round(float64(n) * k))
		}
	}
}

// grouped writes a count with a comma before every three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
