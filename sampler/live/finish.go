package live

import (
	"context"
	"fmt"
	"slices"

	"github.com/wtsize/wtsize/sampler"
)

func orphans(n int64) sampler.Warning {
	return sampler.Warning{Code: "orphans",
		Text: fmt.Sprintf("%d documents are orphans, left behind by chunk migrations: they take space and are counted, and go with cleanupOrphaned", n)}
}

// read reads every part and adds up how it ended. Warnings found on the way join
// the collection's.
func (se *session) read(ctx context.Context, p *prepared, sink sampler.Sink) (sampler.End, error) {
	total := sampler.End{Count: p.total.Count, Size: p.total.Size, CountMeasured: p.total.counted}
	var failed error
	stratum := 0
	whole := true
	mixed := slices.ContainsFunc(p.parts, func(p part) bool { return p.c.way.method() != MethodAll })
	for _, part := range p.parts {
		r := part.r
		r.sink, r.stratum = sink, stratum
		r.announce = mixed && part.c.way.method() == MethodAll
		err := perform(ctx, r, part.c)
		stratum += r.strata
		total.Documents += r.end.Documents
		total.Bytes += r.end.Bytes
		if err != nil && r.end.Method == MethodAll {
			r.end.Method = MethodHead // what was read is the front
		}
		whole = whole && r.end.Method == MethodAll
		total.Method = lower(total.Method, r.end.Method)
		for _, w := range r.warnings {
			if !slices.Contains(p.coll.Warnings, w) {
				p.coll.Warnings = append(p.coll.Warnings, w)
			}
		}
		if err != nil {
			failed = err
			break
		}
	}
	switch {
	case failed != nil && len(p.parts) == 1 && total.Method == MethodHead && p.parts[0].r.runs == 0,
		whole && failed == nil:
		// Everything, or a complete read cut short: figures are of what was read.
		total.Count, total.Size, total.CountMeasured = total.Documents, total.Bytes, true
	case failed != nil:
		// Runs stand for the whole, whose figures the server told.
		total.CountMeasured = false
	case !total.CountMeasured && total.Documents > 0:
		total.Size = int64(float64(total.Count) * float64(total.Bytes) / float64(total.Documents))
	}
	return total, failed
}

// rank orders methods from best to worst.
var rank = []string{MethodAll, MethodRuns, MethodSampledRuns, MethodClustered, MethodIDRanges, MethodSingle, MethodHead}

// lower gives the worse of two methods.
func lower(a, b string) string {
	if slices.Index(rank, a) > slices.Index(rank, b) {
		return a
	}
	return b
}
