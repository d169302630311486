//go:build !oracle

package main

import (
	"context"
	"errors"
	"io"
)

func engineSheet(context.Context, io.Writer) (*sheet, error) {
	return nil, errors.New("built without the engine; its package and how to build with it: go doc ./estimate/oracle")
}
