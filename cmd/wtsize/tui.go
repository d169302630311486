package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/wtsize/wtsize/report"
	"github.com/wtsize/wtsize/sampler"
)

// Everything the user reads beside the result goes to stderr, one line each,
// lower case, no full stop, behind "wtsize: error:", "wtsize: hint:" or
// "wtsize: warning:". Names from the input pass report.Safe.

// Exit statuses; unknown ones are to be treated as failures.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitPartial     = 3
	exitInterrupted = 130
)

// usageError is a command line that cannot be run.
type usageError struct {
	err  error
	hint string
}

func (u usageError) Error() string { return u.err.Error() }
func (u usageError) Unwrap() error { return u.err }

func usage(hint, format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...), hint}
}

// hinted is an error with a way out.
type hinted struct {
	error
	hint string
}

func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "wtsize: error: %s\n", report.Safe(err.Error()))
	if h := hintOf(err); h != "" {
		fmt.Fprintf(w, "wtsize: hint: %s\n", report.Safe(h))
	}
}

func hintOf(err error) string {
	var u usageError
	var h hinted
	var f *sampler.Fault
	switch {
	case errors.As(err, &u):
		return u.hint
	case errors.As(err, &h):
		return h.hint
	case errors.As(err, &f):
		return f.Hint
	}
	return ""
}

func printWarning(w io.Writer, text string) {
	fmt.Fprintf(w, "wtsize: warning: %s\n", report.Safe(text))
}
