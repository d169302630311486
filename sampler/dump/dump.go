// Package dump reads what mongodump writes: a .bson file, plain or compressed,
// and a directory of them.
package dump

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
)

// Open recognises what path holds by its bytes and gives the Source that reads
// it. "-" is standard input. The error is a *sampler.Fault.
func Open(path string, o Options) (sampler.Source, error) {
	if path == "-" {
		return openStream("standard input", o)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	if info.IsDir() {
		return nil, &sampler.Fault{Source: path, Offset: -1, Why: "is a directory"}
	}
	f, err := NewFile(path, collectionOf(path), o)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func openStream(name string, o Options) (sampler.Source, error) {
	in, err := stream.Sniff(o.Stdin, name, o.Meter)
	if err != nil {
		return nil, err
	}
	if in.Kind != stream.BSON {
		in.Close()
		return nil, &sampler.Fault{Source: name, Offset: 0, Why: "holds " + string(in.Kind) + ", not BSON"}
	}
	return &streamSource{in: in, c: sampler.Collection{NS: sampler.Namespace{Coll: "stdin"}, Type: sampler.Plain}}, nil
}

func openFault(path string, err error) *sampler.Fault {
	f := &sampler.Fault{Source: path, Offset: -1, Why: "can't be opened", Err: err}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		f.Err = pe.Err
	}
	return f
}

// collectionOf names the collection of a single file: its database is not known.
func collectionOf(path string) sampler.Collection {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".zst", ".bson"} {
		name = strings.TrimSuffix(name, ext)
	}
	return sampler.Collection{NS: sampler.Namespace{Coll: name}, Type: sampler.Plain}
}
