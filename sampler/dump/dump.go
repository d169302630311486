package dump

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/archive"
	"github.com/wtsize/wtsize/sampler/export"
	"github.com/wtsize/wtsize/sampler/export/samplefile"
	"github.com/wtsize/wtsize/sampler/stream"
)

// stdin is what standard input is called.
const stdin = "standard input"

// Open recognises what path holds by its bytes and gives the Source that reads
// it. "-" is standard input. The error is a *sampler.Fault.
func Open(path string, o Options) (sampler.Source, error) {
	if err := o.Select.Check(); err != nil {
		return nil, &sampler.Fault{Source: path, Offset: -1, Why: err.Error()}
	}
	if path == "-" {
		return open(o.Stdin, stdin, func() {}, o)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	if info.IsDir() {
		d, err := OpenDir(path, o)
		if err != nil {
			return nil, err
		}
		return d, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	if !info.Mode().IsRegular() { // a pipe: its bytes come once
		return open(f, path, func() { f.Close() }, o)
	}
	kind, err := kindOf(f, path)
	f.Close()
	if err != nil {
		return nil, err
	}
	if kind == stream.BSON {
		return openFile(path, info.Size(), o)
	}
	o.Meter.Expect(info.Size())
	if f, err = os.Open(path); err != nil {
		return nil, openFault(path, err)
	}
	return open(f, path, func() { f.Close() }, o)
}

// streamName names the collection in a stream that does not say: as -d and -c
// do, or after the file.
func streamName(name string, o Options) sampler.Namespace {
	ns := o.Select.Names(sampler.Namespace{})
	if ns.Coll == "" {
		ns.Coll = filepath.Base(name)
		for _, ext := range []string{".json", ".ndjson", ".jsonl", dataExt} {
			if base, ok := cutExt(ns.Coll, ext); ok {
				ns.Coll = base
			}
		}
	}
	if name == stdin && o.Select.Coll == "" {
		ns.Coll = "stdin"
	}
	return ns
}

func kindOf(f *os.File, path string) (stream.Kind, error) {
	in, err := stream.Sniff(f, path, nil)
	if err != nil {
		return "", err
	}
	defer in.Close()
	return in.Kind, nil
}

// openFile is a single data file, which -d and -c give names to.
func openFile(path string, size int64, o Options) (sampler.Source, error) {
	c, bare := describe(path, o)
	if why := o.Select.NotUsers(c.NS); why != "" {
		return skipped{"bson", c.NS, &sampler.Fault{Source: path, NS: c.NS.String(), Offset: -1, Why: why, Expected: true}}, nil
	}
	o.Meter.Expect(size)
	return &File{Path: path, Size: size, Collection: c, bare: bare, o: o}, nil
}

// open is a stream of any kind, read once; done is called after Read.
func open(r io.Reader, name string, done func(), o Options) (sampler.Source, error) {
	in, err := stream.Sniff(r, name, o.Meter)
	if err != nil {
		done()
		return nil, err
	}
	in.OnClose(done)
	ns := streamName(name, o)
	switch in.Kind {
	case stream.Archive:
		return archive.New(in, o.Select), nil
	case stream.JSON:
		return export.New(in, ns), nil
	case stream.Sample:
		return samplefile.New(in, o.Select), nil
	}
	return &streamSource{in: in, c: sampler.Collection{NS: ns, Type: sampler.Plain, Warnings: []sampler.Warning{missing("metadata.json")}}}, nil
}

// openFault leaves out the path that the operating system's error repeats.
func openFault(path string, err error) *sampler.Fault {
	f := &sampler.Fault{Source: path, Offset: -1, Why: "can't be opened", Err: err}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		f.Err = pe.Err
	}
	return f
}
