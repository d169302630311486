package main

import (
	"context"
	"fmt"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
)

// runBytes is the length of a run of neighbours, as in the wtsize command.
const runBytes = 512 << 10

// project estimates the one collection in a file.
func project(ctx context.Context, path string, o estimate.Options) (estimate.CollectionResult, error) {
	src, err := dump.Open(path, dump.Options{})
	if err != nil {
		return estimate.CollectionResult{}, err
	}
	return projectSource(ctx, src, o)
}

func projectSource(ctx context.Context, src sampler.Source, o estimate.Options) (estimate.CollectionResult, error) {
	e, err := estimate.New(o)
	if err != nil {
		return estimate.CollectionResult{}, err
	}
	defer e.Close()
	budget := sampler.Budget{Bytes: o.SampleBytes, RunBytes: runBytes, Seed: o.Seed}
	if err := src.Read(ctx, budget, e); err != nil {
		return estimate.CollectionResult{}, err
	}
	r := e.Result()
	if len(r.Collections) != 1 || len(r.Skipped) > 0 {
		return estimate.CollectionResult{}, fmt.Errorf("%s: %d collections, %d skipped; want one whole collection",
			src.Name(), len(r.Collections), len(r.Skipped))
	}
	return r.Collections[0], nil
}

// compressor finds the figures of one compressor.
func compressor(c estimate.CollectionResult, name string) (estimate.CompressorResult, error) {
	for _, r := range c.Compressors {
		if r.Name() == name {
			return r, nil
		}
	}
	return estimate.CompressorResult{}, fmt.Errorf("%s: no figures for %s", c.NS, name)
}
