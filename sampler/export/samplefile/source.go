package samplefile

import (
	"context"
	"errors"
	"fmt"
	"hash/crc64"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

// Source is a sample file that can be read once.
type Source struct {
	in   *stream.Input
	want namespace.Select

	v    sampler.Visitor
	crc  uint64
	open map[int32]*collection
	seen map[sampler.Namespace]bool
}

// collection is one that has begun and not ended.
type collection struct {
	c    sampler.Collection
	sink sampler.Sink // nil: not wanted
	docs int64
	size int64
}

// New reads the sample in, and closes it after Read.
func New(in *stream.Input, want namespace.Select) *Source {
	return &Source{in: in, want: want, open: map[int32]*collection{}, seen: map[sampler.Namespace]bool{}}
}

// Kind is "sample".
func (s *Source) Kind() string { return "sample" }

// Name is the file's.
func (s *Source) Name() string { return s.in.Name }

// Read makes the calls that were recorded.
func (s *Source) Read(ctx context.Context, _ sampler.Budget, v sampler.Visitor) error {
	defer s.in.Close()
	s.v = v
	first, err := s.record()
	if err != nil {
		return s.asFault(err)
	}
	if first.Tag.Sample != version {
		return s.fault(fmt.Sprintf("sample of version %d", first.Tag.Sample), "a newer wtsize wrote it; use that one")
	}
	for err == nil {
		if ctx.Err() != nil {
			err = s.in.Stopped(context.Cause(ctx))
			break
		}
		err = s.step()
	}
	var visitor *visitorError
	if errors.As(err, &visitor) {
		return visitor.err
	}
	if err != io.EOF {
		if err := s.abandon(s.asFault(err)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// visitorError is what the visitor or a sink refused with, as opposed to a
// fault of the file.
type visitorError struct{ err error }

func (e *visitorError) Error() string { return e.err.Error() }

func refused(err error) error {
	if err != nil {
		return &visitorError{err}
	}
	return nil
}

func (s *Source) fault(why, hint string) *sampler.Fault {
	return &sampler.Fault{Source: s.in.Name, Offset: s.in.Offset(), Why: why, Hint: hint}
}

func (s *Source) asFault(err error) *sampler.Fault {
	if err == io.EOF {
		f := s.fault("sample ends without its last record", "the file was cut short; what was read before this point is good")
		f.Err = io.ErrUnexpectedEOF
		return f
	}
	return stream.AsFault(err)
}

// document is the next document of the file, counted into the checksum.
func (s *Source) document() ([]byte, error) {
	doc, err := s.in.Document()
	s.crc = crc64.Update(s.crc, crcTable, doc)
	return doc, err
}

func (s *Source) record() (record, error) {
	doc, err := s.document()
	if err != nil {
		return record{}, err
	}
	var r record
	if err := bson.Unmarshal(doc, &r); err != nil {
		return record{}, s.fault("record not understood", "the file is damaged here")
	}
	return r, nil
}

// step reads a record and makes its call. io.EOF is the end of the file as
// announced; a cut is a fault.
func (s *Source) step() error {
	before := s.crc
	r, err := s.record()
	if err != nil {
		return s.asFault(err)
	}
	switch t := r.Tag; {
	case t.Begin != 0 && r.Collection != nil:
		if r.NoOptions {
			r.Collection.Options = nil
		}
		return s.begin(t.Begin, *r.Collection)
	case t.Run != 0 && r.Run != nil:
		return s.with(t.Run, func(k *collection) error { return k.sink.Run(*r.Run) })
	case t.Documents != 0:
		return s.documents(t.Documents, t.N)
	case t.End != 0 && r.End != nil:
		return s.end(t.End, *r.End, r.Fault.unpack())
	case t.Skip != 0 && r.NS != nil && r.Fault != nil:
		if s.want.Wants(*r.NS) {
			s.v.Skip(*r.NS, r.Fault.unpack())
		}
		return nil
	case t.EOF != 0:
		return s.last(uint64(r.CRC), before)
	}
	return s.fault("record not understood", "the file is damaged here, or a newer wtsize wrote it")
}

func (s *Source) begin(id int32, c sampler.Collection) error {
	if s.open[id] != nil || s.seen[c.NS] {
		return s.fault("collection begun twice", "the file is damaged here")
	}
	s.seen[c.NS] = true
	k := &collection{c: c}
	s.open[id] = k
	if !s.want.Wants(c.NS) {
		return nil
	}
	var err error
	k.sink, err = s.v.Begin(c)
	return refused(err)
}

// with calls f for an open collection that is wanted.
func (s *Source) with(id int32, f func(*collection) error) error {
	k := s.open[id]
	if k == nil {
		return s.fault("collection not begun", "the file is damaged here")
	}
	if k.sink == nil {
		return nil
	}
	return refused(f(k))
}

func (s *Source) documents(id, n int32) error {
	for range n {
		doc, err := s.document()
		if err != nil {
			return s.asFault(err)
		}
		err = s.with(id, func(k *collection) error {
			k.docs++
			k.size += int64(len(doc))
			return k.sink.Document(doc)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) end(id int32, e sampler.End, f *sampler.Fault) error {
	return s.with(id, func(k *collection) error {
		delete(s.open, id)
		e.Documents, e.Bytes, e.Fault = k.docs, k.size, f
		return s.v.End(k.c, e)
	})
}

// last checks the whole file; before is the checksum of all but the last record.
func (s *Source) last(want, before uint64) error {
	if want != before {
		return s.fault("checksum does not match the file", "the file was damaged on its way; take the sample again")
	}
	return io.EOF
}

// abandon ends what is open when the file fails. The whole collection's figures
// would have come with its end.
func (s *Source) abandon(f *sampler.Fault) error {
	for _, k := range s.open {
		if k.sink == nil {
			continue
		}
		own := *f
		own.NS = k.c.NS.String()
		e := sampler.End{Documents: k.docs, Bytes: k.size, Count: k.docs, Size: k.size, Method: "runs", Fault: &own}
		if err := s.v.End(k.c, e); err != nil {
			return err
		}
	}
	if len(s.open) == 0 {
		s.v.Skip(sampler.Namespace{}, f)
	}
	return nil
}
