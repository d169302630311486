// Package keystring makes index keys from documents and index specifications:
// the very bytes that a server puts into an index table.
//
//  1. Parse reads a listIndexes document into an Index; ParseKey reads a key
//     pattern as people type it.
//  2. New compiles an Index into a Generator.
//  3. Generator.Entries makes the entries of one document. An entry is a
//     WiredTiger key and value.
//
// # The key
//
//	component*  0x04  RecordId
//
// A component is one byte for the type, chosen so that types sort as BSON does,
// and the value in a form that sorts by memcmp; a descending component has every
// bit inverted. Field names appear only inside objects. The format is KeyString
// version 1 (index v:2); version 0 (v:1) differs for numbers with a fraction.
// MongoDB: src/mongo/db/storage/key_string/key_string.cpp, BuilderBase.
//
// # The value
//
// What sorting must not see (int32 or double, string or symbol) goes into type
// bits, which are stored only when one of them is set:
//
//	_id index                key, no RecordId   value RecordId, type bits
//	other indexes            key, RecordId      value type bits
//	unique, made before 4.2  key, no RecordId   value RecordId, type bits
//
// Lengths of text and collated keys are modelled, not exact: Approximate says so.
//
// The package reads raw BSON and imports nothing of this module. Bytes it
// returns are document content: they belong in pages, never in a report.
package keystring
