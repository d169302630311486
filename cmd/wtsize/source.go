package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
	"github.com/wtsize/wtsize/sampler/live"
	"github.com/wtsize/wtsize/sampler/stream"
)

// sourceFlags say what is read, in the words of MongoDB's tools.
type sourceFlags struct {
	selected dump.Select
	archive  string
	dir      string
	gzip     bool
	live     liveFlags
}

func (f *sourceFlags) add(fs *pflag.FlagSet) {
	fs.StringVarP(&f.selected.DB, "db", "d", "", "database to read; names that of a file, which doesn't say")
	fs.StringVarP(&f.selected.Coll, "collection", "c", "", "collection to read, likewise (also --coll)")
	fs.StringVar(&f.selected.Coll, "coll", "", "the same as --collection")
	fs.StringArrayVar(&f.selected.Include, "nsInclude", nil, "namespaces to read, such as shop.* (repeatable)")
	fs.StringArrayVar(&f.selected.Exclude, "nsExclude", nil, "namespaces to leave out (repeatable)")
	fs.StringVar(&f.archive, "archive", "", "what mongodump --archive made; without a file, standard input")
	fs.StringVar(&f.dir, "dir", "", "dump directory; - is standard input")
	fs.BoolVar(&f.gzip, "gzip", false, "accepted as in mongorestore; compression is found from the bytes")
	fs.Lookup("archive").NoOptDefVal = "-"
	fs.Lookup("coll").Hidden = true
	values(fs, "db", "NAME", "collection", "NAME", "nsInclude", "PATTERN", "nsExclude", "PATTERN", "archive", "FILE", "dir", "DIRECTORY")
}

// input is one source, to be opened when its turn comes.
type input struct {
	name string
	kind string // once it is open
	open func() (sampler.Source, error)
	live *live.Source // nil for files
}

// inputs gives what the command line names. They are opened one after the
// other, but what isn't there fails before any work is done.
func (f *sourceFlags) inputs(ctx context.Context, e *env, args []string, l limits, m *stream.Meter) ([]*input, error) {
	if err := f.selected.Check(); err != nil {
		return nil, usage("--nsInclude 'shop.*'", "%w", err)
	}
	paths, uris := f.paths(args)
	in, err := f.live.input(e, uris, f.selected, l.rate, len(paths) == 0)
	switch {
	case err != nil:
		return nil, err
	case in != nil && len(paths) > 0:
		return nil, usage("leave out "+paths[0]+", or the connection string", "both a live deployment and %s given", paths[0])
	case in != nil:
		return []*input{in}, nil
	case len(paths) == 0:
		return nil, usage("wtsize estimate dump/shop/orders.bson, or a directory, an archive, - or --uri", "no source given")
	}
	return f.files(ctx, e, paths, m)
}

// paths tells files from connection strings. --archive without a file of its
// own means the one that follows, as it would be typed.
func (f *sourceFlags) paths(args []string) (paths, uris []string) {
	for _, a := range args {
		if isURI(a) {
			uris = append(uris, a)
		} else {
			paths = append(paths, a)
		}
	}
	if f.archive != "" && !(f.archive == "-" && len(paths) > 0) {
		paths = append([]string{f.archive}, paths...)
	}
	if f.dir != "" {
		paths = append([]string{f.dir}, paths...)
	}
	return paths, uris
}

func (f *sourceFlags) files(ctx context.Context, e *env, paths []string, m *stream.Meter) ([]*input, error) {
	o := dump.Options{Stdin: stoppable{ctx, e.stdin}, Select: f.selected, Meter: m}
	stdin := 0
	var all []*input
	for _, path := range paths {
		if path == "-" {
			stdin++
		} else if _, err := os.Stat(path); err != nil {
			return nil, missing(path, err)
		}
		all = append(all, &input{name: path, open: func() (sampler.Source, error) { return f.checked(dump.Open(path, o)) }})
	}
	if stdin > 1 {
		return nil, usage("give - once", "standard input can be read once only")
	}
	return all, nil
}

// checked refuses what is not an archive where --archive says that it is one.
func (f *sourceFlags) checked(s sampler.Source, err error) (sampler.Source, error) {
	if err != nil || f.archive == "" || s.Kind() == "archive" {
		return s, err
	}
	return nil, &sampler.Fault{Source: s.Name(), Offset: -1, Why: "is not an archive",
		Hint: "leave out --archive: what a source is, is found from its bytes"}
}

func missing(path string, err error) error {
	hint := ""
	if errors.Is(err, os.ErrNotExist) {
		hint = "check the path; wtsize estimate takes .bson files, dump directories, archives and exports"
	}
	return &sampler.Fault{Source: path, Offset: -1, Why: "can't be opened", Err: cause(err), Hint: hint}
}

// stoppable gives up waiting for input when its context ends. The read that
// waits goes on, but nobody looks at what it brings.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	own := make([]byte, len(p))
	done := make(chan result, 1)
	go func() {
		n, err := s.r.Read(own)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, own[:r.n]), r.err
	case <-s.ctx.Done():
		return 0, context.Cause(s.ctx)
	}
}
