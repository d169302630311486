package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

// csvColumns are the header of the CSV form. Names are the JSON result's; bytes
// are integers, times seconds or nanoseconds. A row's kind says which of them it
// has: compressor and index rows for each collection, then total rows, then
// skipped rows. A field that does not apply or is not known is empty.
var csvColumns = []string{
	"kind", "ns", "name", "level", "count", "countKind", "size",
	"storageSize", "storageSizeLow", "storageSizeHigh", "confidence", "ratio",
	"leafPages", "internalPages", "pageImageBytes", "pageDiskBytes", "inflation",
	"compressNsPerByte", "decompressNsPerByte", "cpuScaled",
	"scanSeconds", "scanSecondsCached", "pointReadSeconds", "pointReadCacheBytes", "loadCpuSeconds",
	"library", "exact", "sampleDocuments", "sampleBytes", "current", "advice",
	"key", "entries", "build", "why",
}

// A record is one CSV row by column name.
type record map[string]string

func writeCSV(w io.Writer, r estimate.Result) error {
	cw := csv.NewWriter(w)
	if err := cw.Write(csvColumns); err != nil {
		return err
	}
	for _, rec := range csvRecords(r) {
		if err := cw.Write(rec.line(csvColumns)); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}

func csvRecords(r estimate.Result) []record {
	var out []record
	for _, c := range r.Collections {
		for _, k := range c.Compressors {
			out = append(out, compressorRecord(c, k))
		}
		for _, x := range c.Indexes {
			out = append(out, indexRecord(c, x))
		}
	}
	labels, sums := totalsOf(r)
	for _, l := range labels {
		name, level, _ := strings.Cut(l, ":")
		out = append(out, record{"kind": "total", "name": cellText(name), "level": level, "count": whole(r.Totals.Count),
			"size": whole(r.Totals.Size), "storageSize": whole(sums[l])})
	}
	for _, s := range r.Skipped {
		out = append(out, record{"kind": "skipped", "ns": cellText(s.NS), "why": cellText(s.Why)})
	}
	return out
}

// totalsOf sums storageSize by setting, over the collections that have it.
func totalsOf(r estimate.Result) ([]string, map[string]int64) {
	sums := map[string]int64{}
	for _, c := range r.Collections {
		for label, v := range sizesOf(c) {
			sums[label] += v
		}
	}
	return settings(r), sums
}

func compressorRecord(c estimate.CollectionResult, k estimate.CompressorResult) record {
	rec := record{
		"kind": "compressor", "ns": cellText(c.NS), "name": cellText(k.Compressor), "level": known(int64(k.Level)),
		"count": whole(c.Count), "countKind": cellText(c.CountKind), "size": whole(c.Size),
		"storageSize": whole(k.StorageSize), "storageSizeLow": whole(k.StorageSizeLow),
		"storageSizeHigh": whole(k.StorageSizeHigh), "confidence": real(k.Confidence), "ratio": real(k.Ratio),
		"leafPages": whole(k.LeafPages), "internalPages": whole(k.InternalPages),
		"pageImageBytes": whole(k.PageImageBytes), "pageDiskBytes": whole(k.PageDiskBytes), "inflation": real(k.Inflation),
		"compressNsPerByte": real(k.CompressNsPerByte), "decompressNsPerByte": real(k.DecompressNsPerByte),
		"cpuScaled": yes(k.CPUScaled),
		"library":   cellText(strings.TrimSpace(k.Codec.Library + " " + k.Codec.Version)), "exact": strconv.FormatBool(k.Codec.Exact),
		"sampleDocuments": whole(c.Sample.Documents), "sampleBytes": whole(c.Sample.Bytes),
	}
	if !hasInterval(k) {
		rec["storageSizeLow"], rec["storageSizeHigh"], rec["confidence"] = "", "", ""
	}
	if x := k.Costs; x != nil {
		rec["scanSeconds"], rec["scanSecondsCached"] = real(x.ScanSeconds), real(x.ScanSecondsCached)
		rec["pointReadSeconds"], rec["pointReadCacheBytes"] = real(x.PointReadSeconds), whole(x.PointReadCacheBytes)
		rec["loadCpuSeconds"] = real(x.LoadCPUSeconds)
	}
	rec["current"] = yes(isToday(c, k))
	if markOf(c, k) == advised {
		rec["advice"] = "change"
	} else if c.Advice != nil && c.Advice.Action != "change" {
		rec["advice"] = cellText(c.Advice.Action)
	}
	return rec
}

func indexRecord(c estimate.CollectionResult, x estimate.IndexResult) record {
	return record{"kind": "index", "ns": cellText(c.NS), "name": cellText(x.Name), "key": cellText(keyText(x.Key)),
		"entries": whole(x.Entries), "storageSize": whole(x.Size), "storageSizeLow": whole(x.SizeLow),
		"storageSizeHigh": whole(x.SizeHigh), "build": cellText(x.Build), "current": known(x.Current)}
}

func whole(v int64) string { return strconv.FormatInt(v, 10) }

// known leaves zero, which stands for not known, empty.
func known(v int64) string {
	if v == 0 {
		return ""
	}
	return whole(v)
}

func real(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func yes(b bool) string {
	if b {
		return "true"
	}
	return ""
}

// cellText keeps a spreadsheet from taking a name for a formula: text that
// starts like one gets an apostrophe, which spreadsheets read as "text follows".
func cellText(s string) string {
	s = Safe(s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
