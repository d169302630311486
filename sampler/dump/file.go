package dump

import (
	"context"
	"os"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
)

// File is one collection in a file of BSON documents, plain or compressed.
type File struct {
	Path string
	// Size is the file's length in bytes, as stored.
	Size int64

	c sampler.Collection
	o Options
}

// NewFile looks at a file that is taken to hold collection c.
func NewFile(path string, c sampler.Collection, o Options) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, openFault(path, err)
	}
	in, err := stream.Sniff(f, path, nil)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.Kind != stream.BSON {
		return nil, &sampler.Fault{Source: path, Offset: 0, Why: "holds " + string(in.Kind) + ", not BSON"}
	}
	o.Meter.Expect(info.Size())
	return &File{Path: path, Size: info.Size(), c: c, o: o}, nil
}

// Kind is "bson".
func (f *File) Kind() string { return "bson" }

// Name is the path as given.
func (f *File) Name() string { return f.Path }

// Read delivers every document of the file.
func (f *File) Read(ctx context.Context, _ sampler.Budget, v sampler.Visitor) error {
	file, err := os.Open(f.Path)
	if err != nil {
		return openFault(f.Path, err)
	}
	defer file.Close()
	in, err := stream.Sniff(file, f.Path, f.o.Meter)
	if err != nil {
		return err
	}
	defer in.Close()
	return readAll(ctx, in, f.c, v)
}

// streamSource is one collection in a stream that can be read once.
type streamSource struct {
	in *stream.Input
	c  sampler.Collection
}

func (s *streamSource) Kind() string { return "bson" }
func (s *streamSource) Name() string { return s.in.Name }

func (s *streamSource) Read(ctx context.Context, _ sampler.Budget, v sampler.Visitor) error {
	defer s.in.Close()
	return readAll(ctx, s.in, s.c, v)
}

// readAll delivers the whole of in as collection c.
func readAll(ctx context.Context, in *stream.Input, c sampler.Collection, v sampler.Visitor) error {
	sink, err := v.Begin(c)
	if err != nil || sink == nil {
		return err
	}
	end := sampler.End{Method: "all", CountMeasured: true}
	if err := stream.Feed(ctx, in.Reader, sink, &end); err != nil {
		return err
	}
	end.Count, end.Size = end.Documents, end.Bytes
	if end.Fault != nil {
		end.Fault.NS = c.NS.String()
	}
	if err := v.End(c, end); err != nil {
		return err
	}
	if end.Documents == 0 && end.Fault != nil {
		return end.Fault
	}
	return ctx.Err()
}
