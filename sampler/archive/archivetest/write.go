// Package archivetest writes small mongodump archives, for tests.
package archivetest

import (
	"bytes"
	"encoding/binary"
	"hash/crc64"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
)

var table = crc64.MakeTable(crc64.ECMA)

// Writer builds an archive.
type Writer struct {
	bytes.Buffer
	crc map[sampler.Namespace]uint64
}

// Announced is one collection of the prelude.
type Announced struct {
	NS             sampler.Namespace
	Metadata, Type string
}

// New starts an archive with its prelude.
func New(all ...Announced) *Writer {
	w := &Writer{crc: map[sampler.Namespace]uint64{}}
	w.Write(stream.MagicArchive)
	w.BSON(bson.D{{Key: "concurrent_collections", Value: int32(4)}, {Key: "version", Value: "0.1"},
		{Key: "server_version", Value: "8.0.4"}, {Key: "tool_version", Value: "100.12.0"}})
	for _, a := range all {
		w.BSON(bson.D{{Key: "db", Value: a.NS.DB}, {Key: "collection", Value: a.NS.Coll}, {Key: "metadata", Value: a.Metadata},
			{Key: "size", Value: int32(0)}, {Key: "type", Value: a.Type}})
	}
	w.End()
	return w
}

// BSON writes one document.
func (w *Writer) BSON(v any) {
	doc, err := bson.Marshal(v)
	if err != nil {
		panic(err) // a test's own mistake
	}
	w.Write(doc)
}

// End writes a terminator.
func (w *Writer) End() { w.Write(binary.LittleEndian.AppendUint32(nil, 0xffffffff)) }

// Header starts a block.
func (w *Writer) Header(ns sampler.Namespace, eof bool, crc uint64) {
	w.BSON(bson.D{{Key: "db", Value: ns.DB}, {Key: "collection", Value: ns.Coll}, {Key: "EOF", Value: eof}, {Key: "CRC", Value: int64(crc)}})
}

// Block writes a block of documents.
func (w *Writer) Block(ns sampler.Namespace, docs ...[]byte) {
	w.Header(ns, false, 0)
	for _, d := range docs {
		w.Write(d)
		w.crc[ns] = crc64.Update(w.crc[ns], table, d)
	}
	w.End()
}

// EOF ends a collection with its checksum.
func (w *Writer) EOF(ns sampler.Namespace) {
	w.Header(ns, true, w.crc[ns])
	w.End()
}
