package archive

import (
	"context"
	"fmt"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
)

// checkDocuments is how many documents go by between two looks at the context.
const checkDocuments = 1024

// blocks reads to the end of the archive. stop is why that came early; the
// error is the visitor's.
func (r *reader) blocks(ctx context.Context) (stop *sampler.Fault, err error) {
	for {
		if ctx.Err() != nil {
			return r.Stopped(context.Cause(ctx)), nil
		}
		r.skipLog()
		header, fault := r.blockHeader()
		if fault == io.EOF {
			return nil, nil
		}
		if fault == nil {
			fault, err = r.block(ctx, header)
		} else {
			fault = r.nameLog(nil, stream.AsFault(fault))
		}
		if err != nil {
			return nil, err
		}
		if fault == nil {
			continue
		}
		f := stream.AsFault(fault)
		if r.damage == nil {
			r.damage = f
		}
		if ctx.Err() != nil || !r.resync() {
			return f, nil
		}
	}
}

// header is what a block says of itself.
type header struct {
	ns  sampler.Namespace
	eof bool
	crc uint64
}

// blockHeader reads what a block starts with; io.EOF at the archive's end.
func (r *reader) blockHeader() (header, error) {
	at := r.Offset()
	if end, err := r.atTerminator(); err == nil && end {
		return header{}, &sampler.Fault{Source: r.Name, Offset: at, Why: "terminator where a block should start",
			Hint: "the archive is damaged here"}
	}
	doc, err := r.Document()
	if err != nil {
		return header{}, err
	}
	h := header{ns: sampler.Namespace{DB: stringAt(doc, "db"), Coll: stringAt(doc, "collection")}}
	if v, err := bson.Raw(doc).LookupErr("EOF"); err == nil {
		h.eof, _ = v.BooleanOK()
	}
	if v, err := bson.Raw(doc).LookupErr("CRC"); err == nil {
		crc, _ := v.Int64OK()
		h.crc = uint64(crc)
	}
	if h.ns.Coll == "" {
		return header{}, &sampler.Fault{Source: r.Name, Offset: at, Why: "block without a collection's name",
			Hint: "the archive is damaged here"}
	}
	return h, nil
}

// block reads one block's documents and its terminator.
func (r *reader) block(ctx context.Context, h header) (fault, err error) {
	e := r.byName[h.ns]
	if e == nil {
		if r.extra++; r.extra > maxUnannounced {
			return nil, &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: "more collections than the archive announced"}
		}
		e = r.entry(h.ns)
	}
	if !e.skip && !e.begun {
		if err := r.begin(e); err != nil {
			return nil, err
		}
	}
	deliver := !e.skip && !e.ended && e.sink != nil
	fault, err = r.documents(ctx, e, deliver)
	if err != nil || fault != nil {
		return r.spoil(e, fault), err
	}
	if h.eof && !e.skip && !e.ended {
		if deliver && h.crc != e.crc {
			return nil, r.close(e, r.nameLog(e, r.mismatch(e)))
		}
		return nil, r.close(e, nil)
	}
	return nil, nil
}

// mismatch is the fault of a collection whose documents are not those that were
// dumped. Where a block was lost before, that is why.
func (r *reader) mismatch(e *entry) *sampler.Fault {
	why := fmt.Sprintf("checksum of %d documents does not match the archive's", e.end.Documents)
	if r.damage != nil {
		f := *r.damage
		f.Why = why + ": " + f.Why
		return &f
	}
	return &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: why, Hint: "documents are damaged or missing"}
}

// documents reads up to the terminator, handing on what is to be delivered.
func (r *reader) documents(ctx context.Context, e *entry, deliver bool) (fault, err error) {
	for n := 0; ; n++ {
		if n%checkDocuments == 0 && ctx.Err() != nil {
			return r.Stopped(context.Cause(ctx)), nil
		}
		if end, err := r.atTerminator(); err == nil && end {
			return nil, nil
		}
		doc, err := r.Document()
		if err == io.EOF {
			return &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: "archive ends inside a block",
				Hint: "the dump or its copy was probably interrupted; what was read before this point is good", Err: io.ErrUnexpectedEOF}, nil
		}
		if err != nil {
			if r.skipLog() {
				continue
			}
			return err, nil
		}
		// What the user keeps may look like one, so it is told with damage only.
		if i := stream.FindLogLine(doc); i >= 0 {
			e.logAt = r.Offset() - int64(len(doc)) + int64(i)
		}
		if deliver {
			if err := e.take(doc); err != nil {
				return nil, err
			}
		}
	}
}

// spoil remembers for e's end that documents of it are lost.
func (r *reader) spoil(e *entry, fault error) error {
	if fault == nil {
		return nil
	}
	named := r.nameLog(e, stream.AsFault(fault))
	if e.begun && !e.ended && e.end.Fault == nil {
		f := *named
		f.NS = e.ns.String()
		e.end.Fault = &f
	}
	return named
}

// finish ends what is open and reports what never came.
func (r *reader) finish(stop *sampler.Fault) error {
	for _, e := range r.order {
		if e.skip || e.ended {
			continue
		}
		f := r.absent(e, stop)
		if !e.begun {
			f.NS = e.ns.String()
			r.v.Skip(e.ns, f)
		} else if err := r.close(e, f); err != nil {
			return err
		}
	}
	if r.logLines > 0 {
		r.v.Skip(sampler.Namespace{}, r.logFault())
	}
	return nil
}

// absent is why e is not complete.
func (r *reader) absent(e *entry, stop *sampler.Fault) *sampler.Fault {
	if stop != nil {
		f := *stop
		return &f
	}
	if r.damage != nil {
		f := *r.damage
		return &f
	}
	return &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: "archive ends without the collection's end",
		Hint: "the dump or its copy was probably interrupted; what was read before this point is good", Err: io.ErrUnexpectedEOF}
}
