package archive

import (
	"hash/crc64"
	"strings"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/metadata"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// maxUnannounced bounds the namespaces that blocks name and the prelude does
// not: a dump has none.
const maxUnannounced = 10_000

// entry is a namespace of the archive and how far it was read.
type entry struct {
	ns   sampler.Namespace // as the user knows it
	meta string            // the text of its metadata, until it begins
	kind string            // type of the prelude: collection, view, timeseries or empty

	skip  bool // not wanted, or not the user's
	begun bool
	ended bool

	c    sampler.Collection
	sink sampler.Sink // nil once begun: the visitor wants no documents
	crc  uint64
	end  sampler.End
	// logAt is the offset of the last log line inside its documents, 0 for none.
	logAt int64
}

// entry makes one for a name that was not met before, and reports at once what
// is never a collection.
func (r *reader) entry(name sampler.Namespace) *entry {
	e := &entry{ns: name}
	r.byName[name] = e
	r.order = append(r.order, e)
	coll, buckets := strings.CutPrefix(name.Coll, namespace.BucketPrefix)
	if buckets && coll != "" {
		e.ns.Coll, e.kind = coll, "timeseries"
	}
	if !r.want.Wants(e.ns) || namespace.IsOplog(name) && !r.want.All() {
		e.skip = true
	} else if why := r.want.NotUsers(e.ns); why != "" {
		e.skip = true
		r.v.Skip(e.ns, &sampler.Fault{Source: r.Name, NS: e.ns.String(), Offset: -1, Why: why, Expected: true})
	}
	return e
}

// begin announces e to the visitor, before its first document.
func (r *reader) begin(e *entry) error {
	e.begun = true
	e.c = sampler.Collection{NS: e.ns, Type: sampler.Plain, Release: r.release}
	if m, err := metadata.Parse([]byte(e.meta)); err == nil {
		m.Describe(&e.c)
	} else if e.meta != "" {
		e.c.Warnings = append(e.c.Warnings, metadata.Broken(r.Name+": "+e.ns.String(), err))
	} else {
		e.c.Warnings = append(e.c.Warnings, sampler.Warning{Code: "metadata-missing",
			Text: "the archive has no metadata of the collection: options and indexes are not known"})
	}
	e.meta = ""
	switch e.kind {
	case "timeseries":
		e.c.Type = sampler.TimeSeries
	case "view":
		e.c.Type = sampler.View
	}
	e.end = sampler.End{Method: "all", CountMeasured: true}
	var err error
	e.sink, err = r.v.Begin(e.c)
	return err
}

// take delivers one document of e.
func (e *entry) take(doc []byte) error {
	e.crc = crc64.Update(e.crc, crcTable, doc)
	e.end.Documents++
	e.end.Bytes += int64(len(doc))
	return e.sink.Document(doc)
}

// close ends e for the visitor, and lets go of what was kept for it: an archive
// has thousands of collections, one after the other.
func (r *reader) close(e *entry, fault *sampler.Fault) error {
	e.ended = true
	e.end.Count, e.end.Size = e.end.Documents, e.end.Bytes
	if e.end.Fault == nil && fault != nil {
		f := *fault
		f.NS = e.ns.String()
		e.end.Fault = &f
	}
	c, sink := e.c, e.sink
	e.c, e.sink = sampler.Collection{}, nil
	if sink == nil {
		return nil
	}
	return r.v.End(c, e.end)
}
