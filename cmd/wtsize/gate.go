package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/wtsize/wtsize/report"
	"github.com/wtsize/wtsize/report/progress"
	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
)

// gate stands between the sources and the visitor that does the work: it takes
// every namespace once, keeps to the rate, and shows how far reading is.
type gate struct {
	sampler.Visitor
	ctx   context.Context
	rate  int64     // bytes a second, 0 for no bound
	tell  io.Writer // a line for each collection; nil for none
	bar   *progress.Meter
	files *stream.Meter // counts what was read of files, as stored
	start time.Time

	seen             map[sampler.Namespace]bool
	joints           map[sampler.Namespace]*joint // those may come again
	documents, bytes int64                        // passed
	shown            int64                        // of documents
	shownBytes       int64                        // of files or, of a deployment, of bytes
}

func newGate(ctx context.Context, e *env, v sampler.Visitor, rate int64, m *stream.Meter, f mannerFlags) *gate {
	g := &gate{Visitor: v, ctx: ctx, rate: rate, files: m, start: time.Now(), seen: map[sampler.Namespace]bool{}}
	g.bar = progress.New(e.stderr, progress.Options{
		Terminal: e.stderrWidth != nil && !f.quiet, Width: e.stderrWidth, Color: e.color, Final: f.verbose > 0 && !f.quiet,
	})
	if f.verbose > 0 && !f.quiet {
		g.tell = g.bar.Writer()
	}
	return g
}

// Begin is part of sampler.Visitor.
func (g *gate) Begin(c sampler.Collection) (sampler.Sink, error) {
	if g.seen[c.NS] && g.joints[c.NS] == nil {
		g.Skip(c.NS, &sampler.Fault{Source: c.NS.String(), Offset: -1, Why: "is in more than one source; the first one counts",
			Hint: "estimate them one at a time, or give a name with --collection"})
		return nil, nil
	}
	g.seen[c.NS] = true
	sink, err := g.Visitor.Begin(c)
	if err != nil || sink == nil {
		return sink, err
	}
	return counted{sink, g, c.NS.String()}, nil
}

// End is part of sampler.Visitor.
func (g *gate) End(c sampler.Collection, end sampler.End) error {
	if g.tell != nil {
		fmt.Fprintf(g.tell, "wtsize: %s: %s documents read, %s\n", report.Safe(c.NS.String()),
			report.Integer(end.Documents), report.Bytes(end.Bytes))
	}
	g.show()
	return g.Visitor.End(c, end)
}

// show tells the bar what came since the last time.
func (g *gate) show() {
	s := g.files.Snapshot()
	now := s.Input
	if now == 0 { // not a file
		now = g.bytes
	}
	g.bar.Total(s.Total)
	g.bar.Add(g.documents-g.shown, now-g.shownBytes)
	g.shown, g.shownBytes = g.documents, now
}

// counted is a collection's sink behind the gate.
type counted struct {
	sampler.Sink
	g    *gate
	name string
}

// showDocuments is how many documents pass between two looks at the bar, unless
// they are large.
const showDocuments = 256

// Document is part of sampler.Sink.
func (c counted) Document(doc []byte) error {
	g := c.g
	g.documents++
	g.bytes += int64(len(doc))
	if g.documents-g.shown >= showDocuments || len(doc) > 64<<10 {
		g.bar.Collection(c.name)
		g.show()
	}
	if g.rate > 0 {
		g.wait()
	}
	return c.Sink.Document(doc)
}

// wait keeps to the rate. A wait that its context ends is no error here: the
// source notices by itself.
func (g *gate) wait() {
	due := time.Duration(float64(g.bytes) / float64(g.rate) * float64(time.Second))
	d := due - time.Since(g.start)
	if d < 10*time.Millisecond {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-g.ctx.Done():
	}
}
