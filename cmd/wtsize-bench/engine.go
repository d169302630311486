//go:build oracle

package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/oracle"
)

// engineSheet loads generated collections into the linked engine and compares.
func engineSheet(ctx context.Context, progress io.Writer) (*sheet, error) {
	s := &sheet{
		title: fmt.Sprintf("**Kinds of collections**, generated and loaded into WiredTiger %s; the number is that of the documents.",
			oracle.EngineVersion()),
		header: append([]string{"collection", "MB"}, compressorNames()...),
	}
	for _, shape := range oracle.Shapes() {
		fmt.Fprintf(progress, "\r%-60s", shape)
		row, err := engineRow(ctx, shape)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shape, err)
		}
		s.add(row...)
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return s, nil
}

func engineRow(ctx context.Context, shape oracle.Shape) ([]string, error) {
	o := (&accuracyFlags{topology: estimate.Standalone, overlap: estimate.DefaultOverlap}).options()
	o.Release = oracle.EngineVersion().Release()
	whole, err := projectSource(ctx, shape.Source(), o)
	if err != nil {
		return nil, err
	}
	cells := map[string]string{}
	for _, c := range whole.Compressors {
		used, err := engineBytes(shape, c.Compressor)
		if err != nil {
			return nil, err
		}
		cells[c.Compressor] = "="
		if c.StorageSize != used {
			cells[c.Compressor] = signed(float64(c.StorageSize)/float64(used) - 1)
		}
	}
	return inOrder([]string{shape.String(), megabytes(whole.Size)}, cells), nil
}

// engineBytes is storageSize of the engine's file.
func engineBytes(shape oracle.Shape, compressor string) (int64, error) {
	dir, err := os.MkdirTemp("", "wtsize-bench")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	r, err := shape.Load(dir, oracle.Config{Compressor: compressor})
	return r.FileBytes - r.FreeBytes, err
}
