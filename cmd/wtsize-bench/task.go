package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/spf13/cobra"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler/dump"
	"github.com/wtsize/wtsize/sampler/stream"
)

// task is one process that estimates a file, or only unpacks it.
type task struct {
	path, input, read string
	sample            int64 // 0: everything
	procs             int
	gunzip            bool
}

// usage is what a task took; seconds and bytes.
type usage struct {
	elapsed, cpu, codecs float64
	memory, input        int64
}

// workCommand is how a task's process is started: this program again.
const workCommand = "work"

func (t task) run(ctx context.Context, dir string) (usage, error) {
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	profile := filepath.Join(dir, "cpu.profile")
	args := []string{workCommand, t.path, "--profile", profile, "--bytes", fmt.Sprint(t.sample), fmt.Sprintf("--gunzip=%t", t.gunzip)}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", t.procs))
	cmd.Stderr = os.Stderr
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return usage{}, fmt.Errorf("%s: %w", t.path, err)
	}
	u := usage{
		elapsed: time.Since(start).Seconds(),
		cpu:     (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		memory:  peakMemory(cmd.ProcessState),
	}
	if u.input, err = strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64); err != nil {
		return u, err
	}
	if !t.gunzip {
		u.codecs, err = codecSeconds(ctx, self, profile)
	}
	return u, err
}

func (u usage) cells(pass float64) []string {
	cells := []string{seconds(u.elapsed), seconds(u.cpu), "", "", "", "", fmt.Sprint(u.input >> 20), fmt.Sprint(u.memory >> 20)}
	if u.codecs > 0 {
		cells[2], cells[3] = seconds(u.codecs), fmt.Sprintf("%.2f", u.cpu/u.codecs)
		cells[4], cells[5] = seconds(pass), fmt.Sprintf("%.2f", u.cpu/pass)
	}
	return cells
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) }

var focused = regexp.MustCompile(`Showing nodes accounting for ([0-9.]+)s`)

// codecSeconds is the CPU time that a profile has below the functions of package
// codec and of the snappy library.
func codecSeconds(ctx context.Context, program, profile string) (float64, error) {
	out, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-top", "-unit=s", "-nodefraction=0", "-nodecount=0",
		"-focus", `estimate/codec\.`, program, profile).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("go tool pprof: %w: %s", err, out)
	}
	m := focused.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("go tool pprof: no sum in its output")
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

func newWork() *cobra.Command {
	var profile string
	var sample int64
	var gunzip bool
	cmd := &cobra.Command{
		Use: workCommand + " FILE", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			debug.SetGCPercent(50) // as wtsize does
			f, err := os.Create(profile)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Close()) }()
			if err := pprof.StartCPUProfile(f); err != nil {
				return err
			}
			defer pprof.StopCPUProfile()
			n, err := work(c.Context(), args[0], sample, gunzip)
			fmt.Fprintln(c.OutOrStdout(), n)
			return err
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "", "CPU profile to write")
	cmd.Flags().Int64Var(&sample, "bytes", 0, "sample in bytes")
	cmd.Flags().BoolVar(&gunzip, "gunzip", false, "only unpack")
	return cmd
}

// work does what a task is for and returns how many bytes of the file were read.
func work(ctx context.Context, path string, sample int64, gunzip bool) (int64, error) {
	if gunzip {
		return readGzip(path)
	}
	m := &stream.Meter{}
	src, err := dump.Open(path, dump.Options{Meter: m})
	if err != nil {
		return 0, err
	}
	o := estimate.Options{SampleBytes: sample, Topology: estimate.Standalone, NoIndexes: true}
	_, err = projectSource(ctx, src, o)
	return m.Snapshot().Input, err
}

func readGzip(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(io.Discard, z); err != nil {
		return 0, err
	}
	return f.Seek(0, io.SeekCurrent)
}
