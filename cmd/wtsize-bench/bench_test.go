package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/codec"
)

// benchmarkEstimate estimates 16 MB of orders under one setting.
func benchmarkEstimate(b *testing.B, name string, sample int64) {
	path := filepath.Join(b.TempDir(), "orders.bson")
	size, err := generateFile(path, "orders", 16e6)
	if err != nil {
		b.Fatal(err)
	}
	s, err := codec.Parse(name)
	if err != nil {
		b.Fatal(err)
	}
	if sample > 0 {
		size = sample
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		o := estimate.Options{Compressors: []codec.Setting{s}, SampleBytes: sample, Topology: estimate.Standalone, NoTimings: true, NoIndexes: true}
		if _, err := project(context.Background(), path, o); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWhole without a compressor is what the model costs by itself.
func BenchmarkWhole(b *testing.B) {
	for _, name := range compressorNames() {
		b.Run(name, func(b *testing.B) { benchmarkEstimate(b, name, 0) })
	}
}

func BenchmarkSample(b *testing.B) {
	for _, name := range compressorNames() {
		b.Run(name, func(b *testing.B) { benchmarkEstimate(b, name, 4<<20) })
	}
}
