package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wtsize/wtsize/sampler/generate"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

// options are what the command line asks for.
type options struct {
	shape    string
	docs     int64
	bytes    int64 // 0: no limit
	seed     uint64
	out      string
	metadata bool
}

// run is the command: arguments in, exit status out.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "wtsize-gen: error:", err)
		return exitUsage
	}
	if err := write(o, stdout); err != nil {
		fmt.Fprintln(stderr, "wtsize-gen: error:", err)
		return exitFailed
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("wtsize-gen", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() { usage(fs) }
	fs.Int64Var(&o.docs, "docs", 0, "write `N` documents (default 1,000,000 unless --bytes is given)")
	fs.Func("bytes", "stop before the file exceeds `SIZE`, such as 500MB or 10GiB", func(s string) (err error) {
		o.bytes, err = parseSize(s)
		return err
	})
	fs.Uint64Var(&o.seed, "seed", 1, "seed `S`")
	fs.StringVar(&o.out, "out", "", "write to `FILE` instead of stdout")
	fs.BoolVar(&o.metadata, "metadata", false, "also write the metadata.json beside FILE")
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		o.shape, args = args[0], args[1:]
	}
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	switch {
	case o.shape == "" && fs.NArg() == 1:
		o.shape = fs.Arg(0)
	case fs.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	return o.check()
}

func (o options) check() (options, error) {
	switch {
	case o.shape == "":
		return o, fmt.Errorf("no shape; one of %s", strings.Join(generate.Shapes(), ", "))
	case generate.About(o.shape) == "":
		return o, fmt.Errorf("no shape %q; one of %s", o.shape, strings.Join(generate.Shapes(), ", "))
	case o.docs < 0:
		return o, errors.New("--docs must not be negative")
	case o.metadata && o.out == "":
		return o, errors.New("--metadata needs --out")
	case o.docs == 0 && o.bytes == 0:
		o.docs = generate.DefaultDocuments
	}
	return o, nil
}

func usage(fs *flag.FlagSet) {
	w := fs.Output()
	fmt.Fprint(w, "usage: wtsize-gen SHAPE [flags]\n\nshapes\n")
	for _, name := range generate.Shapes() {
		fmt.Fprintf(w, "  %-8s  %s\n", name, generate.About(name))
	}
	fmt.Fprint(w, "\nflags\n")
	fs.PrintDefaults()
}

// write makes the documents and, where asked, the metadata beside them.
func write(o options, stdout io.Writer) (err error) {
	s, err := generate.New(o.shape, o.seed)
	if err != nil {
		return err
	}
	s.Expect(expected(s, o))
	if o.out == "" {
		return copyDocuments(stdout, s, o)
	}
	f, err := os.Create(o.out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := copyDocuments(f, s, o); err != nil {
		return err
	}
	if !o.metadata {
		return nil
	}
	base := strings.TrimSuffix(o.out, ".bson")
	meta, err := s.Metadata(filepath.Base(base))
	if err != nil {
		return err
	}
	return os.WriteFile(base+".metadata.json", meta, 0o644)
}

// probe is how many documents are made to learn their mean size.
const probe = 1000

// expected is the number of documents that will be written: --docs, or what
// fits into --bytes at the size of the first ones.
func expected(s *generate.Stream, o options) int64 {
	if o.docs > 0 {
		return o.docs
	}
	var n int64
	for range probe {
		n += int64(len(s.Next()))
	}
	return max(o.bytes*probe/max(n, 1), 1)
}

// writeBuffer joins documents into writes that a disk takes at full speed.
const writeBuffer = 1 << 20

func copyDocuments(w io.Writer, s *generate.Stream, o options) error {
	b := bufio.NewWriterSize(w, writeBuffer)
	var written int64
	for n := int64(0); o.docs == 0 || n < o.docs; n++ {
		doc := s.Next()
		written += int64(len(doc))
		if o.bytes > 0 && written > o.bytes {
			break
		}
		if _, err := b.Write(doc); err != nil {
			return err
		}
	}
	return b.Flush()
}
