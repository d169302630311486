package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wtsize/wtsize/estimate"
)

// trials are the projections of one case from samples, one a seed. For an index,
// its name stands in the compressor's place.
type trials struct {
	measured
	errors, widths []float64
	covered        int // intervals that reach the engine's range
}

// figures are a projected size and its interval.
type figures struct{ size, low, high int64 }

// projectSampled projects every collection larger than the sample from as many
// samples as there are seeds.
func (f *accuracyFlags) projectSampled(ctx context.Context, rows []measured, progress io.Writer) ([]trials, error) {
	return f.eachLarger(rows, progress, func(path string, set []measured) ([]trials, error) {
		return f.trySet(ctx, path, set, f.options(), compressorFigures, progress)
	})
}

func compressorFigures(c estimate.CollectionResult, name string) (figures, error) {
	r, err := compressor(c, name)
	return figures{r.StorageSize, r.StorageSizeLow, r.StorageSizeHigh}, err
}

// eachLarger visits the collections larger than the sample. The samples are runs
// of a plain file, as a user's dump is, or, with f.stream, kept of the gzipped
// one while it streams past.
func (f *accuracyFlags) eachLarger(rows []measured, progress io.Writer, visit func(path string, set []measured) ([]trials, error)) ([]trials, error) {
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
		t, err := visit(path, set)
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

// trySet tries one collection's cases; find gives the figures of one by its name.
func (f *accuracyFlags) trySet(ctx context.Context, path string, set []measured, o estimate.Options,
	find func(estimate.CollectionResult, string) (figures, error), progress io.Writer,
) ([]trials, error) {
	out := make([]trials, len(set))
	for i, m := range set {
		out[i].measured = m
	}
	o.SampleBytes = f.sample.bytes()
	for seed := range f.seeds {
		fmt.Fprintf(progress, "\r%-52s seed %2d", set[0].set, seed+1)
		o.Seed = int64(seed + 1)
		c, err := project(ctx, path, o)
		if err != nil {
			return nil, err
		}
		for i := range out {
			r, err := find(c, out[i].compressor)
			if err != nil {
				return nil, err
			}
			out[i].add(r)
		}
	}
	return out, nil
}

func (t *trials) add(r figures) {
	t.errors = append(t.errors, t.off(r.size))
	t.widths = append(t.widths, float64(r.high-r.low)/float64(r.size))
	if r.low <= t.high && r.high >= t.low {
		t.covered++
	}
}

// pooled puts the trials of several cases together.
func pooled(all []trials, meant func(trials) bool) (sum trials) {
	for _, t := range all {
		if meant(t) {
			sum.errors = append(sum.errors, t.errors...)
			sum.widths = append(sum.widths, t.widths...)
			sum.covered += t.covered
		}
	}
	return sum
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
	name := strings.TrimSuffix(path, ".bson.gz")
	plain := filepath.Join(dir, filepath.Base(name))
	metadata, err := os.ReadFile(name + ".metadata.json")
	if err == nil {
		err = os.WriteFile(plain+".metadata.json", metadata, 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	out, err := os.Create(plain + ".bson")
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
		sum := pooled(all, func(t trials) bool { return name == "" || t.compressor == name })
		if len(sum.errors) > 0 {
			s.add(sum.row(orAll(name), fmt.Sprint(len(sum.errors)))...)
		}
	}
	return s
}
