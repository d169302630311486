package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
)

// speedFlags say what is timed.
type speedFlags struct {
	sizes     string
	sample    mebibytes
	wholeUpTo string
	format    string
	dir       string
	gz        bool
}

func newSpeed() *cobra.Command {
	f := &speedFlags{}
	cmd := &cobra.Command{
		Use: "speed", Short: "Time, codec time and memory on generated orders", Args: cobra.NoArgs,
		Long: "Speed generates orders, plain and gzipped, and runs one process an estimate. Time in\n" +
			"codecs is taken from a CPU profile of that process, for which the go command is needed.",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := f.sheet(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			return writeSheets(c.OutOrStdout(), f.format, s)
		},
	}
	f.sample = 64
	cmd.Flags().StringVar(&f.sizes, "sizes", "100MB,1GB", "of the files, up to 10GB")
	cmd.Flags().Var(&f.sample, "sample", "size of the samples")
	cmd.Flags().StringVar(&f.wholeUpTo, "whole-up-to", "1GB", "largest file that is read whole")
	cmd.Flags().StringVar(&f.format, "format", asText, "text, tsv or markdown")
	cmd.Flags().BoolVar(&f.gz, "gz", true, "gzipped files too")
	cmd.Flags().StringVar(&f.dir, "dir", "", "`FOLDER` for the files (default a temporary one)")
	return cmd
}

func (f *speedFlags) sheet(ctx context.Context, progress io.Writer) (*sheet, error) {
	dir, err := os.MkdirTemp(f.dir, "wtsize-speed")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	most, err := decimalBytes(f.wholeUpTo)
	if err != nil {
		return nil, err
	}
	s := &sheet{
		title: fmt.Sprintf("Generated orders, four compressors, %d cores: seconds, and peak memory in MiB", runtime.NumCPU()),
		header: []string{"file", "input", "read", "GOMAXPROCS", "elapsed", "CPU", "in codecs", "CPU / codecs",
			"one plain pass", "CPU / pass", "MiB read", "memory"},
	}
	for _, name := range strings.Split(f.sizes, ",") {
		size, err := decimalBytes(name)
		if err != nil {
			return nil, err
		}
		if err := f.size(ctx, s, dir, name, size, size <= most, progress); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// size adds the lines of one file.
func (f *speedFlags) size(ctx context.Context, s *sheet, dir, name string, size int64, whole bool, progress io.Writer) error {
	fmt.Fprintf(progress, "\r%-60s", name+": generating")
	plain := filepath.Join(dir, "orders.bson")
	bytes, err := generateFile(plain, "orders", size)
	if err != nil {
		return err
	}
	zipped := plain + ".gz"
	if f.gz {
		if err := gzipFile(plain, zipped); err != nil {
			return err
		}
	}
	pass, err := plainPass(ctx, plain)
	if err != nil {
		return err
	}
	for _, t := range f.tasks(plain, zipped, whole) {
		fmt.Fprintf(progress, "\r%-60s", fmt.Sprintf("%s: %s, %s, %d", name, t.input, t.read, t.procs))
		u, err := t.run(ctx, dir)
		if err != nil {
			return err
		}
		perPass := pass * float64(bytes)
		if t.sample > 0 {
			perPass = pass * float64(min(bytes, t.sample))
		}
		s.add(append([]string{name, t.input, t.read, fmt.Sprint(t.procs)}, u.cells(perPass)...)...)
	}
	fmt.Fprintf(progress, "\r%-60s\r", "")
	return nil
}

func (f *speedFlags) tasks(plain, zipped string, whole bool) (all []task) {
	n := runtime.NumCPU()
	for procs := 1; procs <= n && whole; procs++ {
		all = append(all, task{path: plain, input: "plain", read: "all", procs: procs})
	}
	for procs := 1; procs <= n; procs++ {
		all = append(all, task{path: plain, input: "plain", read: f.sample.String(), sample: f.sample.bytes(), procs: procs})
	}
	if !f.gz {
		return all
	}
	zip := task{path: zipped, input: ".gz", procs: n}
	if whole {
		zip.read = "all"
		all = append(all, zip)
	}
	zip.read, zip.sample = f.sample.String(), f.sample.bytes()
	all = append(all, zip)
	return append(all, task{path: zipped, input: ".gz", read: "gunzip alone", procs: n, gunzip: true})
}
