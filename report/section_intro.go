package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// introduction says what was read and what was assumed.
func introduction(r estimate.Result, n *notes) []block {
	source := Safe(r.Source.Kind + " " + r.Source.Name)
	f := facts{{"source", strings.TrimSpace(source + " " + superscript(n.add(r.Warnings)))}, {"read", readText(r)}}
	f = append(f, fact{"assumed", assumedText(r.Assumptions)})
	if w := workloadText(r.Assumptions); w != "" {
		f = append(f, fact{"workload", w})
	}
	f = append(f, fact{"intervals", fmt.Sprintf("%s, seed %d", shortPercent(r.Assumptions.Confidence), r.Seed)})
	blocks := []block{f}
	if r.Interrupted {
		blocks = append(blocks, para{strong: true,
			text: "Interrupted: the figures rest on what was read before that."})
	}
	return blocks
}

// readText gives documents, bytes and runs over all collections, and to how many
// documents the figures were scaled.
func readText(r estimate.Result) string {
	var docs, size, count int64
	runs, complete, scaled := 0, true, false
	for _, c := range r.Collections {
		docs, size, count = docs+c.Sample.Documents, size+c.Sample.Bytes, count+c.Count
		runs += c.Sample.Runs
		complete = complete && c.Sample.Complete
		scaled = scaled || slices.ContainsFunc(c.Warnings, func(w sampler.Warning) bool { return w.Code == estimate.ScaledCode })
	}
	s := plural(docs, "document", "documents")
	if !complete && !scaled && count > docs {
		s += " of " + integer(count)
	}
	s += ", " + bytesText(size, false)
	switch {
	case complete && scaled:
	case complete:
		s += ", everything there is"
	case runs > 0:
		s += ", in " + plural(int64(runs), "run of neighbours", "runs of neighbours")
	}
	if k := len(r.Collections); k != 1 {
		s += ", from " + plural(int64(k), "collection", "collections")
	}
	if scaled {
		s += ", scaled to " + plural(count, "document", "documents")
	}
	return s
}

func assumedText(a estimate.Assumptions) string {
	parts := []string{"MongoDB" + nbsp + Safe(a.Release), Safe(a.Topology)}
	if a.InsertMode != "" {
		parts[1] += " (" + Safe(a.InsertMode) + " inserts)"
	}
	parts = append(parts, trimUnit(bytesText(a.CacheBytes, false))+" cache")
	if a.Disk != nil {
		parts = append(parts, diskText(*a.Disk))
	}
	return strings.Join(parts, ", ")
}

func diskText(d estimate.Disk) string {
	return fmt.Sprintf("%s disk (%s, %s"+nbsp+"IOPS, %s)", Safe(d.Profile),
		rateText(d.ThroughputBytesPerSecond), integer(int64(d.IOPS)), trimUnit(secondsText(d.LatencySeconds)))
}

func workloadText(a estimate.Assumptions) string {
	var parts []string
	if a.WorkingSet > 0 {
		parts = append(parts, shortPercent(a.WorkingSet)+" of documents in use")
	}
	if a.HotReads > 0 {
		parts = append(parts, fmt.Sprintf("%s of reads on %s of them", shortPercent(a.HotReads), shortPercent(a.HotData)))
	}
	if a.InsertsPerS > 0 {
		parts = append(parts, trimZeros(plainScale(a.InsertsPerS).number(a.InsertsPerS))+nbsp+"inserts/s")
	}
	if a.UpdatesPerS > 0 {
		parts = append(parts, trimZeros(plainScale(a.UpdatesPerS).number(a.UpdatesPerS))+nbsp+"updates/s")
	}
	return strings.Join(parts, ", ")
}

// shortPercent is for shares that someone typed: 95 %, 99.9 %.
func shortPercent(share float64) string {
	return trimZeros(percentNumber(share)) + nbsp + "%"
}

// maxLeftOut is how many namespaces that never have figures are named.
const maxLeftOut = 6

func leftOutText(names []string) string {
	s := "Left out, as they never have figures: " + strings.Join(names[:min(len(names), maxLeftOut)], ", ")
	if more := len(names) - maxLeftOut; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s + "."
}

// skippedSection lists namespaces without figures, or with figures of a part.
func skippedSection(list []estimate.Skipped, o Options) section {
	var b bullets
	var expected []string
	for _, s := range list {
		if s.Expected {
			expected = append(expected, Safe(s.NS))
			continue
		}
		t := s.NS + ": " + s.Why
		if s.Source != "" {
			t += " (" + s.Source + " at offset " + integer(s.Offset) + ")"
		}
		if s.Partial {
			t += "; figures are of what was read before"
		}
		if s.Hint != "" {
			t += " – " + s.Hint
		}
		b = append(b, Safe(t))
	}
	out := section{id: "skipped", title: "Skipped or cut short"}
	if len(b) > 0 {
		out.blocks = append(out.blocks, b)
	}
	if len(expected) > 0 {
		out.blocks = append(out.blocks, para{text: leftOutText(expected)})
	}
	return out
}
