package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// output is where a result goes: stdout, or a file that appears under its name
// when it is complete and not before.
type output struct {
	w    io.Writer
	file *os.File // nil for stdout
	path string   // as given
	real string   // of the file, links followed
	temp string   // of the file while it is written; empty for devices and pipes
	e    *env
	err  error // first failed write
}

// openOutput opens path for writing, before the work starts: what can't be
// written fails at once. An empty path and "-" are stdout.
func openOutput(e *env, path string, perm fs.FileMode) (*output, error) {
	if path == "" || path == "-" {
		return &output{w: e.stdout, path: "standard output", e: e}, nil
	}
	o := &output{path: path, real: path, e: e}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		o.real = target
	}
	info, err := os.Stat(o.real)
	switch {
	case err == nil && info.IsDir():
		return nil, hinted{fmt.Errorf("%s: is a directory", path), "give a file: --out " + filepath.Join(path, "result")}
	case err == nil && !info.Mode().IsRegular():
		o.file, err = os.OpenFile(o.real, os.O_WRONLY, 0)
		o.w = o.file
		return o, openFailed(path, err)
	}
	o.temp = fmt.Sprintf("%s.%08x.tmp", o.real, rand.Uint32())
	if o.file, err = os.OpenFile(o.temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm); err != nil {
		return nil, openFailed(path, err)
	}
	e.unfinished.add(o.temp)
	o.w = o.file
	return o, nil
}

func openFailed(path string, err error) error {
	if err == nil {
		return nil
	}
	return hinted{fmt.Errorf("%s: can't be written: %w", path, cause(err)),
		"give --out a file in a folder that exists and that you may write to"}
}

// Write notes the first error, so that it is told once and with its place.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	if err != nil {
		o.err = o.failed(err)
		return n, o.err
	}
	return n, nil
}

func (o *output) failed(err error) error {
	hint := ""
	switch {
	case errors.Is(err, syscall.EPIPE):
		hint = "the program that reads the output ended early; --out FILE keeps the result"
	case errors.Is(err, syscall.ENOSPC):
		hint = "the disk is full; give another place with --out FILE"
	}
	return hinted{fmt.Errorf("%s: can't be written: %w", o.path, cause(err)), hint}
}

// commit gives a complete file its name.
func (o *output) commit() error {
	if o.err != nil || o.file == nil {
		return o.err
	}
	if o.temp == "" {
		return nil
	}
	if err := o.file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return o.failed(err)
	}
	if err := o.file.Close(); err != nil {
		return o.failed(err)
	}
	if err := os.Rename(o.temp, o.real); err != nil {
		return o.failed(err)
	}
	o.e.unfinished.done(o.temp)
	o.file = nil
	return nil
}

// discard leaves nothing behind of a file that was not committed.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	o.file.Close()
	if o.temp != "" {
		os.Remove(o.temp)
		o.e.unfinished.done(o.temp)
	}
}

// cause is the operating system's error without the path it repeats.
func cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// unfinished are files that must not stay when the program is stopped.
type unfinished struct {
	mu    sync.Mutex
	paths map[string]bool
}

func (u *unfinished) add(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.paths == nil {
		u.paths = map[string]bool{}
	}
	u.paths[path] = true
}

func (u *unfinished) done(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.paths, path)
}

func (u *unfinished) remove() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for path := range u.paths {
		os.Remove(path)
	}
}
