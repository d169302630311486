// Package archive reads what mongodump --archive writes: all collections of a
// dump in one stream, their documents interleaved, in one pass.
//
//	6d e2 99 81                      magic
//	header                           BSON {concurrent_collections, version, server_version, tool_version}
//	prelude                          BSON {db, collection, metadata, size, type} for each collection
//	ff ff ff ff                      terminator
//	then blocks, to the end of the file:
//	  BSON {db, collection, EOF, CRC}   whose documents follow
//	  document, document, …             at most 16 MiB of them, perhaps none
//	  ff ff ff ff                       terminator
//
// The block with EOF true ends its collection, and its CRC is CRC-64/ECMA over
// all the collection's documents. mongo-tools: common/archive/archive.go,
// common/archive/prelude.go, common/archive/multiplexer.go.
//
// Memory holds one document, the prelude, and what the Visitor keeps of the
// collections that are open at a time: from their first block to their last.
package archive

import (
	"context"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

// Source is an archive that can be read once.
type Source struct {
	in   *stream.Input
	want namespace.Select
}

// New reads the archive in, of which nothing is passed over yet, and closes it
// after Read.
func New(in *stream.Input, want namespace.Select) *Source { return &Source{in, want} }

// Kind is "archive".
func (s *Source) Kind() string { return "archive" }

// Name is the file's.
func (s *Source) Name() string { return s.in.Name }

// Read delivers every wanted collection whole; a stream offers no choice.
func (s *Source) Read(ctx context.Context, _ sampler.Budget, v sampler.Visitor) error {
	defer s.in.Close()
	r := &reader{Reader: s.in.Reader, want: s.want, v: v, byName: map[sampler.Namespace]*entry{}}
	if s.in.LogBytes > 0 {
		r.noteLog(0)
	}
	if err := r.prelude(); err != nil {
		return err
	}
	stop, err := r.blocks(ctx)
	if err != nil {
		return err
	}
	if err := r.finish(stop); err != nil {
		return err
	}
	return ctx.Err()
}
