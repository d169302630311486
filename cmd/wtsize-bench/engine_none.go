//go:build !oracle

package main

import (
	"context"
	"errors"
	"io"
)

var errNoEngine = errors.New("built without the engine; its package and how to build with it: go doc ./estimate/oracle")

func engineSheet(context.Context, io.Writer) (*sheet, error) { return nil, errNoEngine }

func (f *speedFlags) loadsSheet(context.Context, string, string, io.Writer) (*sheet, error) {
	return nil, errNoEngine
}
