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
// "wtsize: warning:". An error names the thing, a hint says what to type. Names
// from the input pass report.Safe, and no message holds a credential.

// Exit statuses; unknown ones are to be treated as failures.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitPartial     = 3
	exitInterrupted = 130
)

const exitHelp = `Exit status:
  0    done
  1    failed
  2    the command line can't be used
  3    finished, but some namespaces were skipped or cut short
  130  interrupted; what was read until then is reported
`

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

func (h hinted) Unwrap() error { return h.error }

func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "wtsize: error: %s\n", report.Safe(err.Error()))
	printHint(w, hintOf(err))
}

func printHint(w io.Writer, hint string) {
	if hint != "" {
		fmt.Fprintf(w, "wtsize: hint: %s\n", report.Safe(hint))
	}
}

func printWarning(w io.Writer, text string) {
	fmt.Fprintf(w, "wtsize: warning: %s\n", report.Safe(text))
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
