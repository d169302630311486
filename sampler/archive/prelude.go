package archive

import (
	"bytes"
	"encoding/binary"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/metadata"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

// maxPrelude bounds the metadata kept in memory: a thousand collections of 64
// indexes each take some 10 MiB.
const maxPrelude = 128 << 20

// reader is the state of one pass.
type reader struct {
	*stream.Reader
	want    namespace.Select
	v       sampler.Visitor
	release string

	byName map[sampler.Namespace]*entry // by the names that blocks use
	order  []*entry                     // as announced
	held   int64                        // bytes kept of the prelude
	extra  int                          // entries that were not announced

	logLines int
	logAt    int64          // offset of the first
	damage   *sampler.Fault // the first, where reading went on after it
	named    int            // faults examined for log lines
}

// atTerminator passes over a terminator, where one is next. It is the error of
// the input only when not even that can be told.
func (r *reader) atTerminator() (bool, error) {
	head, err := r.Peek(4)
	if err != nil {
		return false, err
	}
	if binary.LittleEndian.Uint32(head) != terminator {
		return false, nil
	}
	r.Skip(4)
	return true, nil
}

// terminator ends the prelude and every block: a length no document has.
const terminator = 0xffffffff

// prelude reads the header and the announcements of collections.
func (r *reader) prelude() error {
	magic, err := r.Peek(4)
	if err != nil || !bytes.Equal(magic, stream.MagicArchive) {
		return &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: "not an archive"}
	}
	r.Skip(4)
	r.skipLog()
	header, err := r.Document()
	if err != nil {
		return r.inPrelude(err)
	}
	r.release = metadata.CleanRelease(stringAt(header, "server_version"))
	for {
		r.skipLog()
		if end, _ := r.atTerminator(); end {
			return nil
		}
		doc, err := r.Document()
		if err != nil {
			return r.inPrelude(err)
		}
		if err := r.announce(doc); err != nil {
			return err
		}
	}
}

// inPrelude is the fault of an archive that ends or breaks before its first
// block: nothing of it can be read.
func (r *reader) inPrelude(err error) error {
	if err == io.EOF {
		err = &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: "archive ends inside its list of collections",
			Hint: "the dump was probably interrupted before any document was written", Err: io.ErrUnexpectedEOF}
	}
	return r.nameLog(nil, stream.AsFault(err))
}

// announce takes one collection of the prelude.
func (r *reader) announce(doc []byte) error {
	ns := sampler.Namespace{DB: stringAt(doc, "db"), Coll: stringAt(doc, "collection")}
	if ns.Coll == "" {
		return &sampler.Fault{Source: r.Name, Offset: r.Offset() - int64(len(doc)), Why: "collection without a name in the archive's list"}
	}
	if r.byName[ns] != nil {
		return nil
	}
	e := r.entry(ns)
	if e.skip {
		return nil
	}
	text := stringAt(doc, "metadata")
	if r.held += int64(len(text)); r.held > maxPrelude {
		return &sampler.Fault{Source: r.Name, Offset: r.Offset(), Why: "more metadata than any dump has"}
	}
	e.meta = text
	e.kind = stringAt(doc, "type")
	if e.kind == "timeseries" {
		buckets := sampler.Namespace{DB: ns.DB, Coll: namespace.BucketPrefix + ns.Coll}
		if r.byName[buckets] == nil {
			r.byName[buckets] = e
		}
	}
	return nil
}

// stringAt reads a string of a document that may be odd inside.
func stringAt(doc []byte, key string) string {
	v, err := bson.Raw(doc).LookupErr(key)
	if err != nil {
		return ""
	}
	s, _ := v.StringValueOK()
	return s
}
