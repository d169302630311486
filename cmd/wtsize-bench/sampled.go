package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/wtsize/wtsize/estimate"
)

// trials are the projections of one case from samples, one a seed.
type trials struct {
	measured
	errors, widths []float64
	covered        int // intervals that reach the engine's range
}

// projectSampled projects every collection larger than the sample from as many
// samples as there are seeds. The samples are runs of a plain file, as a user's
// dump is, or, with f.stream, kept of the gzipped one while it streams past.
func (f *accuracyFlags) projectSampled(ctx context.Context, rows []measured, progress io.Writer) ([]trials, error) {
	dir, err := os.MkdirTemp("", "wtsize-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var out []trials
	for _, set := range bySet(rows) {
		if set[0].size <= f.sample.bytes() {
			continue
		}
		path := set[0].file(f.data)
		if !f.stream {
			if path, err = unpack(path, dir); err != nil {
				return nil, err
			}
		}
		t, err := f.trySet(ctx, path, set, progress)
		if err != nil {
			return nil, err
		}
		out = append(out, t...)
		if !f.stream {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return out, nil
}

func (f *accuracyFlags) trySet(ctx context.Context, path string, set []measured, progress io.Writer) ([]trials, error) {
	out := make([]trials, len(set))
	for i, m := range set {
		out[i].measured = m
	}
	o := f.options()
	o.SampleBytes = f.sample.bytes()
	for seed := range f.seeds {
		fmt.Fprintf(progress, "\r%-52s seed %2d", set[0].set, seed+1)
		o.Seed = int64(seed + 1)
		c, err := project(ctx, path, o)
		if err != nil {
			return nil, err
		}
		for i := range out {
			r, err := compressor(c, out[i].compressor)
			if err != nil {
				return nil, err
			}
			out[i].add(r)
		}
	}
	return out, nil
}

func (t *trials) add(r estimate.CompressorResult) {
	t.errors = append(t.errors, t.off(r.StorageSize))
	t.widths = append(t.widths, float64(r.StorageSizeHigh-r.StorageSizeLow)/float64(r.StorageSize))
	if r.StorageSizeLow <= t.high && r.StorageSizeHigh >= t.low {
		t.covered++
	}
}

// bySet groups rows that follow each other and are of one collection.
func bySet(rows []measured) (sets [][]measured) {
	for i, m := range rows {
		if i == 0 || rows[i-1].set != m.set {
			sets = append(sets, nil)
		}
		sets[len(sets)-1] = append(sets[len(sets)-1], m)
	}
	return sets
}

// unpack writes a gzipped file and the metadata beside it, if any, into dir.
func unpack(path, dir string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	name := filepath.Base(path)
	out, err := os.Create(filepath.Join(dir, name[:len(name)-len(".gz")]))
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, z)
	return out.Name(), errors.Join(err, out.Close())
}

func sampledSheet(f *accuracyFlags, all []trials) *sheet {
	s := &sheet{
		title: fmt.Sprintf("Samples of %v, %d seeds, %s: error of storageSize in %% beyond the engine's spread; "+
			"share of intervals that reach the measured size and their width in %%", &f.sample, f.seeds, f.topology),
		header: []string{"collection", "compressor", "median error", "95th percentile", "covered", "median width"},
	}
	for _, t := range all {
		s.add(t.row(t.set, t.compressor)...)
	}
	return s
}

func (t trials) row(names ...string) []string {
	e := absolute(t.errors)
	covered := float64(t.covered) / float64(len(t.errors))
	return append(names, percent(median(e)), percent(quantile(e, 0.95)), percent(covered), percent(median(t.widths)))
}

// sampledSummary puts all collections together, by compressor.
func sampledSummary(f *accuracyFlags, all []trials) *sheet {
	s := &sheet{
		title:  fmt.Sprintf("Samples of %v, %d seeds, %s, all collections above that size", &f.sample, f.seeds, f.topology),
		header: []string{"compressor", "cases", "median error", "95th percentile", "covered", "median width"},
	}
	for _, name := range append(compressorNames(), "") {
		var sum trials
		for _, t := range all {
			if name == "" || t.compressor == name {
				sum.errors = append(sum.errors, t.errors...)
				sum.widths = append(sum.widths, t.widths...)
				sum.covered += t.covered
			}
		}
		if len(sum.errors) > 0 {
			s.add(sum.row(orAll(name), fmt.Sprint(len(sum.errors)))...)
		}
	}
	return s
}
