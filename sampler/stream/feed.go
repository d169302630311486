package stream

import (
	"context"
	"errors"
	"io"

	"github.com/wtsize/wtsize/sampler"
)

// checkBytes is how much is read between two looks at the context.
const checkBytes = 1 << 20

// Feed hands every document of b to sink and adds to end what it delivered.
// A fault of the input and a cancelled context go into end.Fault; the error is
// the sink's own.
func Feed(ctx context.Context, b *Reader, sink sampler.Sink, end *sampler.End) error {
	next := int64(0)
	for {
		if end.Bytes >= next {
			if ctx.Err() != nil {
				end.Fault = b.Stopped(context.Cause(ctx))
				return nil
			}
			next = end.Bytes + checkBytes
		}
		doc, err := b.Document()
		if err != nil {
			if err != io.EOF {
				end.Fault = AsFault(err)
			}
			return nil
		}
		end.Documents++
		end.Bytes += int64(len(doc))
		if err := sink.Document(doc); err != nil {
			return err
		}
	}
}

// Stopped is the fault of a read that its context ended.
func (b *Reader) Stopped(err error) *sampler.Fault {
	return b.fault("reading was stopped", "", err)
}

// AsFault gives the fault in err's chain, or makes one without a place.
func AsFault(err error) *sampler.Fault {
	var f *sampler.Fault
	if errors.As(err, &f) {
		return f
	}
	return &sampler.Fault{Offset: -1, Why: "read failed", Err: err}
}
