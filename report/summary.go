package report

import (
	"fmt"

	"github.com/wtsize/wtsize/estimate"
)

// summarySection says the result in plain words, for formats that people read at
// leisure. A terminal shows the tables alone.
func summarySection(r estimate.Result, o Options) section {
	s := section{id: "summary", title: "In short"}
	switch len(r.Collections) {
	case 0:
		s.blocks = []block{para{text: "No collection has figures.", strong: true}}
	case 1:
		s.blocks = collectionSummary(r, r.Collections[0], o)
	default:
		s.blocks = dumpSummary(r, o)
	}
	return s
}

// A comparison is what a collection has, or would have by default, against what
// it is best compared with.
type comparison struct {
	from, to           estimate.CompressorResult
	fromName, toName   string
	isToday, isAdvised bool
}

// comparisonOf sets the baseline's row against the advised one, or against the
// smallest file when nothing is advised.
func comparisonOf(c estimate.CollectionResult) (comparison, bool) {
	var x comparison
	ok := false
	if c.Current != nil && c.Current.Compressor != "" {
		x.from, ok = find(c, c.Current.Compressor)
		x.isToday = ok
	}
	for _, name := range []string{"snappy", "none"} {
		if !ok {
			x.from, ok = find(c, name)
		}
	}
	if !ok {
		return x, false
	}
	best := -1
	for i, k := range c.Compressors {
		if markOf(c, k) == advised {
			x.isAdvised, best = true, i
			break
		}
		if best < 0 || k.StorageSize < c.Compressors[best].StorageSize {
			best = i
		}
	}
	x.to = c.Compressors[best]
	x.fromName, x.toName = labelIn(c, x.from), labelIn(c, x.to)
	return x, x.fromName != x.toName
}

func collectionSummary(r estimate.Result, c estimate.CollectionResult, o Options) []block {
	var out []block
	if c.Advice != nil {
		out = append(out, para{text: adviceText(c, o), strong: true})
	}
	x, ok := comparisonOf(c)
	if ok {
		out = append(out, comparisonTiles(x, o))
	}
	out = append(out, para{text: Safe(c.NS) + " holds " + describe(c) + ". " + sizeSentence(r, c, x, ok, o)})
	if ok && x.from.Costs != nil && x.to.Costs != nil {
		out = append(out, para{text: costSentence(r, x)})
	}
	if n := len(c.Indexes); n > 0 {
		out = append(out, para{text: indexSentence(n, bytesText(c.TotalIndexSize, o.Bytes))})
	}
	return out
}

func indexSentence(n int, size string) string {
	if n == 1 {
		return "Its index takes " + size + " under any compressor."
	}
	return fmt.Sprintf("Its %d indexes take %s under any compressor.", n, size)
}

func sizeSentence(r estimate.Result, c estimate.CollectionResult, x comparison, ok bool, o Options) string {
	if len(c.Compressors) == 0 {
		return ""
	}
	if !ok {
		k := c.Compressors[0]
		return fmt.Sprintf("Under %s its file takes %s%s.", labelIn(c, k), bytesText(k.StorageSize, o.Bytes), intervalText(r, k, o))
	}
	name := x.fromName
	if x.isToday {
		name += ", today's compressor,"
	}
	s := fmt.Sprintf("Under %s its file takes %s; under %s it would take %s%s", name, bytesText(x.from.StorageSize, o.Bytes),
		x.toName, bytesText(x.to.StorageSize, o.Bytes), intervalText(r, x.to, o))
	if d := x.from.StorageSize - x.to.StorageSize; d > 0 {
		return s + fmt.Sprintf(": %s less.", bytesText(d, o.Bytes))
	}
	return s + "."
}

func intervalText(r estimate.Result, k estimate.CompressorResult, o Options) string {
	if !hasInterval(k) {
		return " (no interval: too little was read)"
	}
	if k.StorageSizeLow == k.StorageSizeHigh {
		return ""
	}
	sc := byteScale(o.Bytes, k.StorageSizeLow, k.StorageSizeHigh)
	return fmt.Sprintf(" (%s interval %s to %s%s)", shortPercent(orElse(k.Confidence, r.Assumptions.Confidence)),
		sc.bytes(k.StorageSizeLow), sc.bytes(k.StorageSizeHigh), nbsp+sc.unit)
}

func orElse(a, b float64) float64 {
	if a > 0 {
		return a
	}
	return b
}

func costSentence(r estimate.Result, x comparison) string {
	disk := "the assumed disk"
	if d := r.Assumptions.Disk; d != nil {
		disk = Safe(d.Profile)
	}
	a, b := x.from.Costs, x.to.Costs
	return fmt.Sprintf("On %s, a full scan that finds nothing in memory takes %s instead of %s, and a point read that misses "+
		"the cache %s instead of %s. Each such read brings %s into the cache instead of %s.", disk,
		secondsText(b.ScanSeconds), secondsText(a.ScanSeconds), secondsText(b.PointReadSeconds), secondsText(a.PointReadSeconds),
		bytesText(b.PointReadCacheBytes, false), bytesText(a.PointReadCacheBytes, false))
}

func comparisonTiles(x comparison, o Options) tiles {
	note := x.fromName + " to " + x.toName
	size := byteScale(o.Bytes, x.from.StorageSize, x.to.StorageSize)
	out := tiles{{"storageSize", arrow(size.bytes(x.from.StorageSize), size.bytes(x.to.StorageSize)) + nbsp + size.unit, note},
		{"saved", percent(1 - share(x.to.StorageSize, x.from.StorageSize)), "of the collection's file"}}
	if a, b := x.from.Costs, x.to.Costs; a != nil && b != nil {
		scan, read := secondScale(a.ScanSeconds, b.ScanSeconds), secondScale(a.PointReadSeconds, b.PointReadSeconds)
		out = append(out,
			tile{"full scan", arrow(scan.number(a.ScanSeconds), scan.number(b.ScanSeconds)) + nbsp + scan.unit, "nothing in memory"},
			tile{"point read", arrow(read.number(a.PointReadSeconds), read.number(b.PointReadSeconds)) + nbsp + read.unit, "not in the cache"})
	}
	return out
}

func arrow(a, b string) string { return a + nbsp + "→ " + b }

func dumpSummary(r estimate.Result, o Options) []block {
	var saves int64
	n := 0
	for _, c := range r.Collections {
		if c.Advice != nil && c.Advice.Action == "change" {
			saves += c.Advice.SavesBytes
			n++
		}
	}
	answer := fmt.Sprintf("%s worth changing: that saves %s.", plural(int64(n), "collection is", "collections are"), bytesText(saves, o.Bytes))
	if n == 0 {
		answer = "No collection is worth changing."
	}
	return []block{para{text: answer, strong: true}, para{text: whereText(r, o)}}
}
