// Package sampler says what wtsize reads: a Source hands over collections and
// their documents, and a Sample keeps the part of them that an estimate rests on.
//
// Sources push. One pass over an archive meets many collections, interleaved,
// so a Source calls a Visitor, which answers with one Sink for each collection
// it wants. Documents are raw BSON: only their bytes and lengths matter here,
// and a document that is well framed is taken even where a value inside is odd.
//
// The packages below this one read one kind of input each: dump (.bson files
// and dump directories), archive (mongodump --archive), export (mongoexport
// JSON) and live (a running deployment). They are wired together by cmd alone.
package sampler

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// MaxDocumentBytes is the largest document a server stores: 16 MiB for users
// plus 16 KiB of room for internal fields. MongoDB: src/mongo/bson/util/builder.h,
// BSONObjMaxInternalSize.
const MaxDocumentBytes = 16<<20 + 16<<10

// Namespace is the database and collection a document belongs to.
type Namespace struct{ DB, Coll string }

// String gives "db.collection", or the collection alone where the database is
// not known (a single .bson file outside a dump directory).
func (ns Namespace) String() string {
	if ns.DB == "" {
		return ns.Coll
	}
	return ns.DB + "." + ns.Coll
}

// Type is what kind of collection a namespace is, spelled as in the JSON result.
type Type string

// The types. A view holds no documents; time-series documents are its buckets.
const (
	Plain      Type = "collection"
	TimeSeries Type = "timeseries"
	Clustered  Type = "clustered"
	Capped     Type = "capped"
	View       Type = "view"
)

// Collection is what is known of a collection without reading its documents.
type Collection struct {
	NS   Namespace
	Type Type
	// Options are the listCollections options; nil when not known.
	Options bson.Raw
	// ConfigString is what the collection was or is created with:
	// storageEngine.wiredTiger.configString, or a server's creationString.
	ConfigString string
	// Indexes holds one listIndexes document each, as read.
	Indexes []Index
	// Stats is what a server reports; nil for dumps.
	Stats *Stats
	// Release of the server a dump was made from; empty when not known.
	Release string
	// Warnings are what the reader noticed about this collection.
	Warnings []Warning
}

// Index is one index of a collection.
type Index struct {
	Spec bson.Raw // the listIndexes document
	Size int64    // file size in bytes on the server; 0 when not known
	Free int64    // of it, bytes available for reuse
}

// Stats are $collStats figures of a running collection. Byte counts in bytes,
// zero means not known.
type Stats struct {
	Count, Size                   int64
	StorageSize, FreeStorageSize  int64
	TotalIndexSize, NumOrphanDocs int64
	Compressor                    string // from creationString
	WindowedPages, PagesWritten   int64  // reconciliation counters, for time windows
	Server                        Server
}

// Server is what a deployment says about itself. Empty fields are not known.
type Server struct {
	Product           string // "MongoDB", "Amazon DocumentDB", "FerretDB", ...
	Release           string // buildInfo.version
	Topology          string // standalone | replset | sharded
	CacheBytes        int64  // WiredTiger maximum bytes configured
	DefaultCompressor string
	ZstdLevel         int // 0: not known
	Host              string
}

// Warning is something a reader of the result should know. Code is stable and
// machine readable, Text is a sentence without document content.
type Warning struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Fault is why reading stopped or skipped: it names the place and the cure.
// It is an error; what was read before it stays good.
type Fault struct {
	Source string // file name, or host
	NS     string // namespace, if known
	Offset int64  // byte offset in the (uncompressed) input; -1 when it has none
	Why    string // lower case, no full stop
	Hint   string // how to go on; may be empty
	Err    error  // cause, if any
	// Expected: nothing is wrong. The namespace never has figures (a system
	// collection, an oplog), and skipping it is not a failure.
	Expected bool
}

// Reason is the fault without its place: why, and the cause.
func (f *Fault) Reason() string {
	if f.Err == nil {
		return f.Why
	}
	return f.Why + ": " + f.Err.Error()
}

func (f *Fault) Error() string {
	s := f.Source
	if f.Offset >= 0 {
		s += fmt.Sprintf(": at offset %d", f.Offset)
	}
	if f.NS != "" {
		s += ": " + f.NS
	}
	return s + ": " + f.Reason()
}

func (f *Fault) Unwrap() error { return f.Err }

// Run is the place of neighbouring documents in the collection.
type Run struct {
	// Position is the share of the collection's bytes before the run, in [0,1).
	Position float64
	// Stratum is which part of the collection the run stands for.
	Stratum int
	// RecordID of the first document, 0 when not known.
	RecordID int64
	// Stands is how many bytes of the collection the run stands for where it is
	// a giant (see Giants); 0: for what lies around it.
	Stands int64 `bson:",omitempty"`
}

// A Sink takes one collection's documents in natural order.
type Sink interface {
	// Run is called before the first document of each run of neighbours. A
	// source that delivers everything calls it never.
	Run(Run) error
	// Document takes one whole document; doc is valid during the call only.
	Document(doc []byte) error
}

// End says how a collection's documents came to an end.
type End struct {
	// Documents and Bytes delivered.
	Documents, Bytes int64
	// Count and Size of the whole collection, where the source knows or can
	// project them; equal to the above after a complete read.
	Count, Size int64
	// CountStdErr is the standard error of a projected Count.
	CountStdErr float64
	// CountMeasured: Count and Size were counted, not projected.
	CountMeasured bool
	// Method is how documents were chosen: all, runs, head, single, ...
	Method string
	// Fault is why it ended early; nil when all that was asked for was read.
	Fault *Fault
}

// A Visitor chooses collections and receives their documents. Begin and End
// are called once per collection, End after the last document; collections of
// an archive overlap, so several may be open at a time. Calls come from one
// goroutine unless the Source says otherwise.
type Visitor interface {
	// Begin announces a collection. A nil Sink skips it.
	Begin(Collection) (Sink, error)
	End(Collection, End) error
	// Skip reports a namespace that has no figures, and why.
	Skip(ns Namespace, f *Fault)
}

// A Source reads one input.
type Source interface {
	// Kind is bson, dump, archive, export, sample or live; Name is what the
	// user typed, without credentials.
	Kind() string
	Name() string
	// Read visits every collection. The error is non-nil only when nothing
	// more can be read; it is a *Fault where a place can be named.
	Read(ctx context.Context, b Budget, v Visitor) error
}

// Budget bounds how much of each collection is read by sources that can choose
// (plain files, servers). Streams deliver everything and their Sink chooses.
type Budget struct {
	Bytes    int64   // per collection; 0: everything
	Share    float64 // of each collection, where it is above 0, instead of Bytes
	RunBytes int64   // smallest run
	Seed     int64
}

// Of is the budget for a collection of size bytes.
func (b Budget) Of(size int64) Budget {
	if b.Share > 0 {
		b.Bytes = max(1, int64(b.Share*float64(size)))
	}
	return b
}
