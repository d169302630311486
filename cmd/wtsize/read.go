package main

import (
	"context"
	"errors"
	"time"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
)

// runBytes is the smallest run of neighbours: four of the largest page images a
// table has (128 KiB), so that the partial pages at its ends weigh little.
const runBytes = 512 << 10

// errTimeUp is the cause of a context that ended by --timeout.
var errTimeUp = errors.New("the time limit was reached")

// reader reads inputs one after the other into one visitor.
type reader struct {
	limits limits
	seed   int64
	v      sampler.Visitor
	// failures are what ended a source as a whole.
	failures []error
}

// read visits every input. What can't be read is noted and the next one is
// tried, until the context ends.
func (r *reader) read(ctx context.Context, inputs []*input) {
	for _, in := range inputs {
		if ctx.Err() != nil {
			r.unread(ctx, in.name)
			continue
		}
		src, err := in.open()
		if err == nil {
			in.kind, in.name = src.Kind(), src.Name()
			err = r.source(ctx, src)
		}
		if err != nil && ctx.Err() == nil {
			r.failures = append(r.failures, err)
		}
	}
}

// source reads one source, a directory file by file: what time does not suffice
// for is named.
func (r *reader) source(ctx context.Context, src sampler.Source) error {
	dir, ok := src.(*dump.Dir)
	if !ok {
		return src.Read(ctx, r.limits.budget(r.seed), r.v)
	}
	for _, part := range dir.Parts() {
		if ctx.Err() != nil {
			r.unread(ctx, part.Name())
			continue
		}
		if err := r.source(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// unread notes a source that nothing was read of.
func (r *reader) unread(ctx context.Context, name string) {
	f := &sampler.Fault{Source: name, Offset: -1, Why: "not read: " + context.Cause(ctx).Error()}
	r.v.Skip(sampler.Namespace{}, f)
}

// timeLimit ends ctx after d, 0 for never.
func timeLimit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, d, errTimeUp)
}
