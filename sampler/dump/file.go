package dump

import (
	"context"
	"io"
	"os"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

// File is one collection in a file of BSON documents, plain or compressed.
type File struct {
	// Path of the data file, Size its length in bytes as stored.
	Path string
	Size int64
	// Collection is what the file's name and its metadata say.
	Collection sampler.Collection

	bare bool // no metadata beside it
	o    Options
}

// Kind is "bson".
func (f *File) Kind() string { return "bson" }

// Name is the path as given.
func (f *File) Name() string { return f.Path }

// Read delivers every document of the file, or, of a plain file that is larger
// than the budget, runs of neighbours spread over it.
func (f *File) Read(ctx context.Context, b sampler.Budget, v sampler.Visitor) error {
	file, err := os.Open(f.Path)
	if err != nil {
		return openFault(f.Path, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		f.Size = info.Size() // another file may have taken its name since
	}
	in, err := stream.Sniff(file, f.Path, f.o.Meter)
	if err != nil {
		return err
	}
	defer in.Close()
	if in.Kind != stream.BSON {
		return &sampler.Fault{Source: f.Path, Offset: 0, Why: "holds " + string(in.Kind) + ", not a collection's documents",
			Hint: "give the file by itself"}
	}
	if skipped, err := f.oplog(in, v); skipped || err != nil {
		return err
	}
	if b = b.Of(f.Size); len(in.Compression) == 0 && b.Bytes > 0 && f.Size > b.Bytes {
		return f.readRuns(ctx, file, b, v)
	}
	size := f.Size
	if len(in.Compression) > 0 {
		size = 0
	}
	return readAll(ctx, in, f.Collection, size, v)
}

// oplog passes over an oplog under another name, which has no metadata beside it:
// it is no collection unless the user says so.
func (f *File) oplog(in *stream.Input, v sampler.Visitor) (bool, error) {
	first, err := firstDocument(in, f.Collection.NS)
	if err != nil || !f.bare || f.o.Select.Coll != "" || !namespace.OplogEntry(first) {
		return false, err
	}
	v.Skip(f.Collection.NS, oplogFault(f.Path, f.Collection.NS))
	return true, nil
}

// firstDocument looks at the document that comes, nil at the end. Where it can't
// be had for a fault, that is all there is.
func firstDocument(in *stream.Input, ns sampler.Namespace) ([]byte, error) {
	doc, err := in.PeekDocument()
	if err != nil && err != io.EOF {
		fault := stream.AsFault(err)
		fault.NS = ns.String()
		return nil, fault
	}
	return doc, nil
}

func oplogFault(path string, ns sampler.Namespace) *sampler.Fault {
	return &sampler.Fault{Source: path, NS: ns.String(), Offset: -1, Expected: true,
		Why: "is an oplog: the history of writes, not a collection"}
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
	return readAll(ctx, s.in, s.c, 0, v)
}

// readAll delivers the whole of in, size bytes where that is known, as collection
// c.
func readAll(ctx context.Context, in *stream.Input, c sampler.Collection, size int64, v sampler.Visitor) error {
	if _, err := firstDocument(in, c.NS); err != nil {
		return err
	}
	sink, err := v.Begin(c)
	if err != nil || sink == nil {
		return err
	}
	end := sampler.End{Method: "all", CountMeasured: true}
	if err := stream.Feed(ctx, in.Reader, sink, &end); err != nil {
		return err
	}
	if end.Fault == nil && end.Bytes < size {
		end.Fault = &sampler.Fault{Source: in.Name, Offset: end.Bytes, Why: "the file became shorter while it was read",
			Hint: "read a copy that nothing writes to"}
	}
	end.Count, end.Size = end.Documents, end.Bytes
	if end.Fault != nil {
		end.Fault.NS = c.NS.String()
	}
	if err := v.End(c, end); err != nil {
		return err
	}
	return ctx.Err()
}
