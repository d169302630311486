package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// outcome is how a run ended, beside its figures.
type outcome struct {
	errs     []error // each with its hint
	warnings []string
	expected bool // of what was met, some never has figures, and nothing is wrong
	status   int
}

// judge looks at what was skipped or cut short. Where the user or the time
// limit ended the read, one sentence stands for all that is missing.
func judge(ctx context.Context, r estimate.Result, failures []error) outcome {
	var o outcome
	switch {
	case r.Interrupted:
		o.status = exitInterrupted
		o.warnings = append(o.warnings, "interrupted: the figures rest on what was read until then")
	case ctx.Err() != nil:
		o.status = exitPartial
		o.warnings = append(o.warnings, errTimeUp.Error()+": the figures rest on what was read until then (see --timeout)")
	}
	ended := ctx.Err() != nil
	var told []string
	for _, s := range r.Skipped {
		told = append(told, s.Why)
		switch {
		case s.Expected:
			o.expected = true
		case !ended || !stopped(ctx, s.Why):
			o.errs = append(o.errs, skippedError(s))
		}
	}
	for _, err := range failures {
		var f *sampler.Fault
		if errors.As(err, &f) && slices.Contains(told, f.Reason()) {
			continue
		}
		o.errs = append(o.errs, err)
	}
	if o.status == exitOK && len(o.errs) > 0 {
		o.status = exitPartial
	}
	return o
}

// stopped reports whether a source says no more than that its context ended.
func stopped(ctx context.Context, why string) bool {
	for _, end := range []string{ctx.Err().Error(), context.Cause(ctx).Error()} {
		if strings.HasSuffix(why, end) {
			return true
		}
	}
	return false
}

func skippedError(s estimate.Skipped) error {
	text := s.Source
	if s.Offset > 0 {
		text += fmt.Sprintf(": at offset %d", s.Offset)
	}
	if s.NS != "" && s.NS != s.Source {
		text += ": " + s.NS
	}
	return hinted{errors.New(strings.TrimPrefix(text+": "+s.Why, ": ")), s.Hint}
}

// empty reports whether there is nothing to show: no figures, and not even that
// what was met has none.
func (o outcome) empty(r estimate.Result) bool {
	return len(r.Collections) == 0 && !(o.status == exitOK && o.expected)
}

// tell prints what went wrong beside a result that was written.
func (o outcome) tell(e *env, quiet bool) error {
	o.print(e)
	if !quiet {
		for _, w := range o.warnings {
			printWarning(e.stderr, w)
		}
	}
	if o.status == exitOK {
		return nil
	}
	return exitStatus(o.status)
}

// print writes errors, and each hint once.
func (o outcome) print(e *env) {
	var hints []string
	for _, err := range o.errs {
		printError(e.stderr, hinted{err, ""})
		if h := hintOf(err); h != "" && !slices.Contains(hints, h) {
			hints = append(hints, h)
			printHint(e.stderr, h)
		}
	}
}

// nothing ends a run that has no figures to show; noMatch says why where nothing
// went wrong.
func (o outcome) nothing(e *env, noMatch func() error) error {
	switch {
	case o.status == exitInterrupted:
		return fmt.Errorf("%w before anything was read", errInterrupted)
	case len(o.errs) == 1:
		return o.errs[0]
	case len(o.errs) > 0:
		o.print(e)
		return exitStatus(exitFailed)
	case o.status == exitPartial:
		return hinted{fmt.Errorf("%w before anything was read", errTimeUp), "give it more time with --timeout"}
	}
	return noMatch()
}
