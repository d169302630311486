package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate"
)

// readmeFlags are those of accuracy and speed, and where the full data goes.
type readmeFlags struct {
	accuracyFlags
	speed speedFlags
	parts []string
	out   string
}

func newReadme() *cobra.Command {
	f := &readmeFlags{accuracyFlags: accuracyFlags{sample: 8}, speed: speedFlags{sample: 64, gz: true}}
	cmd := &cobra.Command{
		Use: "readme README.md", Short: "Rewrite the README's tables in place", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.rewrite(c.Context(), args[0], c.ErrOrStderr())
		},
	}
	f.add(cmd)
	// Speed is measured on generated documents alone.
	cobra.CheckErr(cmd.Flags().SetAnnotation("data", cobra.BashCompOneRequiredFlag, []string{"false"}))
	cmd.Flags().Lookup("seeds").DefValue, f.seeds = "20", 20
	cmd.Flags().StringSliceVar(&f.parts, "parts", []string{accuracyPart, speedPart}, "tables to make; engine and loads too where the engine is linked")
	cmd.Flags().StringVar(&f.speed.sizes, "sizes", "100MB,1GB,10GB", "of the files that speed is measured on")
	cmd.Flags().StringVar(&f.speed.wholeUpTo, "whole-up-to", "1GB", "largest file that is read whole")
	cmd.Flags().StringVar(&f.out, "tsv", "", "also write every case to `FILE`")
	return cmd
}

// The parts of the README that stand between markers.
const (
	accuracyPart = "accuracy"
	enginePart   = "engine" // needs the build tag oracle
	loadsPart    = "loads"  // so does this
	speedPart    = "speed"
)

// Sizes of the files that are loaded into the engine and only sampled.
const (
	loadedSize  = "1GB"
	sampledSize = "10GB"
)

func (f *readmeFlags) rewrite(ctx context.Context, path string, progress io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, part := range f.parts {
		if _, err := replaceSection(string(text), part, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	changed := string(text)
	for _, part := range f.parts {
		var body strings.Builder
		if err := f.part(ctx, part, &body, progress); err != nil {
			return err
		}
		if changed, err = replaceSection(changed, part, body.String()); err != nil {
			return err
		}
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}

// part writes what stands between one pair of markers.
func (f *readmeFlags) part(ctx context.Context, part string, w, progress io.Writer) error {
	var s *sheet
	var err error
	switch part {
	case speedPart:
		s, err = f.speed.sheet(ctx, progress)
	case enginePart:
		s, err = engineSheet(ctx, progress)
	case loadsPart:
		s, err = f.speed.loadsSheet(ctx, loadedSize, sampledSize, progress)
	default:
		return f.accuracy(ctx, w, progress)
	}
	if err != nil {
		return err
	}
	return writeSheets(w, asMarkdown, s)
}

func (f *readmeFlags) accuracy(ctx context.Context, w, progress io.Writer) error {
	r, err := f.run(ctx, progress)
	if err != nil {
		return err
	}
	return errors.Join(r.readme(w), r.save(f.out))
}

// replaceSection puts body between <!-- name --> and <!-- /name -->.
func replaceSection(text, name, body string) (string, error) {
	open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	from := strings.Index(text, open)
	to := strings.Index(text, end)
	if from < 0 || to < from {
		return "", fmt.Errorf("no lines %q and %q in this order", strings.TrimSpace(open), end)
	}
	return text[:from+len(open)] + body + text[to:], nil
}

// results are all the figures of one run.
type results struct {
	f              *accuracyFlags
	whole, replset []compared
	sampled        []trials
	indexes        []*sheet // cases and summary
	methods        []method
}

func (f *accuracyFlags) run(ctx context.Context, progress io.Writer) (*results, error) {
	r := &results{f: f}
	rows, err := f.rows()
	if err != nil {
		return nil, err
	}
	if r.whole, err = f.projectWhole(ctx, rows, progress); err != nil {
		return nil, err
	}
	if r.sampled, err = f.projectSampled(ctx, rows, progress); err != nil {
		return nil, err
	}
	if r.methods, err = f.allMethods(ctx, r.whole, r.sampled, progress); err != nil {
		return nil, err
	}
	if r.indexes, err = f.indexSheets(ctx, progress); err != nil {
		return nil, err
	}
	replset := *f
	replset.topology = estimate.Replset
	if rows, err = replset.rows(); err != nil {
		return nil, err
	}
	r.replset, err = replset.projectWhole(ctx, rows, progress)
	return r, err
}

// save writes every case as tab-separated values.
func (r *results) save(path string) error {
	if path == "" {
		return nil
	}
	var b strings.Builder
	err := writeSheets(&b, asTSV, wholeSheet(estimate.Standalone, r.whole), wholeSheet(estimate.Replset, r.replset),
		sampledSheet(r.f, r.sampled), r.indexes[0], methodSheet(r.methods))
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// readme writes the section: one line a collection, and what sums them up.
func (r *results) readme(w io.Writer) error {
	sets := len(bySet(rowsOf(r.whole)))
	fmt.Fprintf(w, "Measured: the files that WiredTiger wrote of %d real collections, loaded one insert at a time with a\n"+
		"cache of 1 GiB and closed by one checkpoint. All errors are of `storageSize`, in %%, beyond the range of the\n"+
		"engine's own loads: collections under 5 %% of the cache come out the same each time, larger ones are written\n"+
		"by several eviction threads at once. `wtsize-bench readme` makes these tables.\n\n", sets)
	return writeSheets(w, asMarkdown,
		wholeByCollection(r.whole),
		summarySheet(estimate.Standalone, r.whole).titled("The same by compressor."),
		sampledByCollection(r.f, r.sampled),
		sampledSummary(r.f, r.sampled).titled("The same by compressor; the share of 95 % intervals that reach the measured size, and their width, in %."),
		methodSheet(r.methods).titled("**Other methods** on the same whole data with the same codecs, collections above 1 MiB: median / 90th percentile."),
		summarySheet(estimate.Replset, r.replset).titled("**On a replica set**, every record with a time window, read whole."),
		r.indexes[1].titled("**Indexes**, bulk-built: error of the file's size in %, by rule for prefixes of keys."))
}

func rowsOf(all []compared) (rows []measured) {
	for _, c := range all {
		rows = append(rows, c.measured)
	}
	return rows
}
