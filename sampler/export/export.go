// Package export reads what mongoexport writes: documents as extended JSON,
// canonical or relaxed, one per line or in an array, and turns them back into
// the BSON they came from.
//
// Types are recovered as far as the spelling tells them. Relaxed JSON writes
// numbers without quotes: whole ones become int32, or int64 where they don't
// fit, as mongoimport takes them; a double without a fraction is written 1.0.
// Canonical JSON loses nothing.
package export

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/extjson"
	"github.com/wtsize/wtsize/sampler/stream"
)

// Source is an export that can be read once.
type Source struct {
	in *stream.Input
	c  sampler.Collection
}

// New reads the export in as collection ns, and closes it after Read.
func New(in *stream.Input, ns sampler.Namespace) *Source {
	return &Source{in, sampler.Collection{NS: ns, Type: sampler.Plain, Warnings: []sampler.Warning{{Code: "metadata-missing",
		Text: "an export has no metadata: options and indexes are not known"}}}}
}

// Kind is "export".
func (s *Source) Kind() string { return "export" }

// Name is the file's.
func (s *Source) Name() string { return s.in.Name }

// Read delivers every document; a stream offers no choice.
func (s *Source) Read(ctx context.Context, _ sampler.Budget, v sampler.Visitor) error {
	defer s.in.Close()
	docs := newReader(s.in.Reader)
	first, err := docs.next()
	if err == nil {
		err = s.look(first)
	}
	if err != nil && err != io.EOF {
		return s.fault(err)
	}
	sink, beginErr := v.Begin(s.c)
	if beginErr != nil || sink == nil {
		return beginErr
	}
	end := sampler.End{Method: "all", CountMeasured: true}
	next := int64(0)
	for doc := first; err == nil; doc, err = docs.next() {
		if end.Documents++; end.Documents >= next {
			next = end.Documents + checkDocuments
			if ctx.Err() != nil {
				end.Documents--
				err = s.in.Stopped(context.Cause(ctx))
				break
			}
		}
		end.Bytes += int64(len(doc))
		if err := sink.Document(doc); err != nil {
			return err
		}
	}
	if err != io.EOF {
		end.Fault = s.fault(err)
	}
	end.Count, end.Size = end.Documents, end.Bytes
	if err := v.End(s.c, end); err != nil {
		return err
	}
	return ctx.Err()
}

// checkDocuments is how many documents go by between two looks at the context.
const checkDocuments = 256

func (s *Source) fault(err error) *sampler.Fault {
	f := stream.AsFault(err)
	f.NS = s.c.NS.String()
	return f
}

// look tells an export's first document from other JSON that lies beside one,
// and notices what the server would add.
func (s *Source) look(doc bson.Raw) error {
	has := func(key string) bool { _, err := doc.LookupErr(key); return err == nil }
	if has("_id") {
		return nil
	}
	wrong := func(what, hint string) error {
		return &sampler.Fault{Source: s.in.Name, Offset: 0, Why: "this is " + what, Hint: hint}
	}
	switch {
	case has("indexes") && (has("uuid") || has("options") || has("collectionName")):
		return wrong("a collection's metadata, not its documents", "give the .bson file beside it")
	case has("ServerVersion") && has("ToolVersion"):
		return wrong("a dump's prelude, not documents", "give the dump's directory")
	case has("schemaVersion") && has("tool"):
		return wrong("a result of wtsize", `render it with "wtsize report"`)
	}
	s.c.Warnings = append(s.c.Warnings, sampler.Warning{Code: "no-id",
		Text: "the first document has no _id; the server adds one of 17 bytes, and an index over it, which is not counted here"})
	return nil
}

// reader yields documents of a stream of JSON.
type reader struct {
	*stream.Reader
	inArray bool
	line    int64  // of the next byte, from 1
	doc     []byte // the last document, reused
}

func newReader(r *stream.Reader) *reader { return &reader{Reader: r, line: 1} }

// maxText is the longest JSON text of one document. Canonical JSON takes some
// five times the room of the BSON for arrays of small numbers.
const maxText = 6 * sampler.MaxDocumentBytes

var mark = []byte("\xef\xbb\xbf") // byte order mark

// next gives the next document, valid until the call after; io.EOF at the
// clean end.
func (r *reader) next() (bson.Raw, error) {
	if r.Offset() == 0 {
		if head, _ := r.Peek(len(mark)); bytes.Equal(head, mark) {
			r.Skip(len(mark))
		}
	}
	if err := r.separators(); err != nil {
		return nil, err
	}
	n, err := r.extent()
	if err != nil {
		return nil, err
	}
	text, _ := r.Peek(n)
	doc, err := extjson.Append(r.doc[:0], text)
	r.doc = doc
	switch {
	case err != nil:
		return nil, r.fault(err.Error(), "", nil)
	case len(doc) > sampler.MaxDocumentBytes:
		return nil, r.fault(fmt.Sprintf("document of %d bytes is larger than a server stores", len(doc)), "", nil)
	}
	r.pass(n)
	r.CountDocument()
	return doc, nil
}

func (r *reader) fault(why, hint string, err error) *sampler.Fault {
	return &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: fmt.Sprintf("line %d: %s", r.line, why), Hint: hint, Err: err}
}

// pass skips n bytes and counts their lines.
func (r *reader) pass(n int) {
	p, _ := r.Peek(n)
	r.line += int64(bytes.Count(p, []byte{'\n'}))
	r.Skip(n)
}

// separators passes over what stands between documents, up to the next one.
func (r *reader) separators() error {
	for {
		c, err := r.Peek(1)
		if len(c) == 0 {
			return r.atEnd(err)
		}
		switch c := c[0]; {
		case c == '{':
			return nil
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' && r.inArray:
		case c == '[' && !r.inArray:
			r.inArray = true
		case c == ']' && r.inArray:
			r.inArray = false
		default:
			return r.fault("text that is not a JSON document", "is this CSV? export with --type=json", nil)
		}
		r.pass(1)
	}
}

func (r *reader) atEnd(err error) error {
	if err != io.EOF {
		return r.Broken(err)
	}
	if r.inArray {
		return r.cut("cut inside the array of documents")
	}
	return io.EOF
}

func (r *reader) cut(why string) error {
	return r.fault(why, "the export or its copy was probably interrupted; what was read before this point is good", io.ErrUnexpectedEOF)
}

// extent is the length of the object that is next.
func (r *reader) extent() (int, error) {
	var s scanner
	for n := 16 << 10; ; n *= 2 {
		text, err := r.Peek(n)
		if end := s.scan(text); end > 0 {
			return end, nil
		}
		switch {
		case err == io.EOF:
			return 0, r.cut("cut inside a document")
		case err != nil:
			return 0, r.Broken(err)
		case n > maxText:
			return 0, r.fault("document too long", "", nil)
		}
	}
}
