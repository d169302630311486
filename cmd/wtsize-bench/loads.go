//go:build oracle

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/wtsize/wtsize/estimate/oracle"
)

// loadsSheet sets one estimate against loading the same documents into the linked
// engine once for each compressor. The larger file is only sampled: what loading
// it takes is extrapolated.
func (f *speedFlags) loadsSheet(ctx context.Context, loaded, sampled string, progress io.Writer) (s *sheet, err error) {
	dir, err := os.MkdirTemp(f.dir, "wtsize-loads")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	small, large := filepath.Join(dir, "small.bson"), filepath.Join(dir, "large.bson")
	smallBytes, err := generated(small, loaded)
	if err != nil {
		return nil, err
	}
	s = &sheet{
		title: fmt.Sprintf("Generated orders, four compressors, no indexes, %d cores: seconds, and how many times the sample's of the same file",
			runtime.NumCPU()),
		header: []string{"file", "what", "elapsed", "CPU", "elapsed ×", "CPU ×"},
	}
	fmt.Fprintf(progress, "\r%-60s", "loading "+loaded)
	loads, err := fourLoads(dir, small)
	if err != nil {
		return nil, err
	}
	whole, err := task{path: small, procs: runtime.NumCPU()}.run(ctx, dir)
	if err != nil {
		return nil, err
	}
	sample, err := f.sampleOf(ctx, small, dir)
	if err != nil {
		return nil, err
	}
	engine := fmt.Sprintf("four loads into WiredTiger %s", oracle.EngineVersion())
	s.add(loads.against(sample, loaded, engine)...)
	s.add(whole.against(sample, loaded, "estimate, all read")...)
	s.add(sample.against(sample, loaded, "estimate, "+f.sample.String())...)
	fmt.Fprintf(progress, "\r%-60s", "sampling "+sampled)
	largeBytes, err := generated(large, sampled)
	if err != nil {
		return nil, err
	}
	if sample, err = f.sampleOf(ctx, large, dir); err != nil {
		return nil, err
	}
	times := float64(largeBytes) / float64(smallBytes)
	more := usage{elapsed: loads.elapsed * times, cpu: loads.cpu * times}
	s.add(more.against(sample, sampled, fmt.Sprintf("four loads, extrapolated: %.1f times those above", times))...)
	s.add(sample.against(sample, sampled, "estimate, "+f.sample.String())...)
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return s, nil
}

func generated(path, size string) (int64, error) {
	bytes, err := decimalBytes(size)
	if err != nil {
		return 0, err
	}
	return generateFile(path, "orders", bytes)
}

func (f *speedFlags) sampleOf(ctx context.Context, path, dir string) (usage, error) {
	return task{path: path, sample: f.sample.bytes(), procs: runtime.NumCPU()}.run(ctx, dir)
}

// fourLoads is what loading a file takes under every compressor, from the first
// insert to the end of the checkpoint.
func fourLoads(dir, path string) (sum usage, err error) {
	for _, name := range compressorNames() {
		to := filepath.Join(dir, name)
		if err := os.Mkdir(to, 0o700); err != nil {
			return sum, err
		}
		r, err := oracle.Load(to, oracle.ReadBSON(path), oracle.Config{Compressor: name})
		if err != nil {
			return sum, fmt.Errorf("%s: %w", name, err)
		}
		sum.elapsed, sum.cpu = sum.elapsed+r.WallSeconds, sum.cpu+r.CPUSeconds
		if err := os.RemoveAll(to); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

func (u usage) against(sample usage, file, what string) []string {
	return []string{file, what, seconds(u.elapsed), seconds(u.cpu),
		fmt.Sprintf("%.1f", u.elapsed/sample.elapsed), fmt.Sprintf("%.1f", u.cpu/sample.cpu)}
}
