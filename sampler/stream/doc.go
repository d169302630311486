// Package stream is the ground that every reader of dumps stands on: what an
// input is, found from its bytes; its decompression, in bounded memory; and the
// cutting of a byte stream into BSON documents.
//
//	file or stdin ─► Sniff ─► gunzip / unzstd, as often as needed ─► Reader
//	                                                                   │
//	             one document at a time, in a reused buffer ◄──────────┘
//
// A document is bytes. Its length, its terminating zero and, for the first
// documents of an input, the outline of its elements are checked; what the
// values hold is not, so invalid UTF-8, repeated keys, deprecated types and
// nesting of any depth pass. Memory grows with the bytes that were really read,
// never with a length found in the input.
//
// What goes wrong is a *sampler.Fault with the offset in the uncompressed input.
package stream
