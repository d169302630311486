// Package samplefile writes what a Source delivered into one small file, and
// reads it back as a Source that makes the very same calls: to take a sample
// where the data is, and to analyse it elsewhere.
//
// The file is a stream of BSON documents, so bsondump reads it too. Records of
// wtsize's own start with the field "wtsize"; documents of the collections
// follow the record that announces how many there are, so that nothing in them
// can be mistaken for a record.
//
//	{wtsize: {sample: 1}, kind, name}               the source it was taken from
//	{wtsize: {begin: ID}, collection: {…}}          Visitor.Begin
//	{wtsize: {run: ID}, run: {…}}                   Sink.Run
//	{wtsize: {documents: ID, n: N}}                 N calls of Sink.Document:
//	document, document, …                           the N documents themselves
//	{wtsize: {end: ID}, end: {…}, fault: {…}}       Visitor.End
//	{wtsize: {skip: 1}, ns: {…}, fault: {…}}        Visitor.Skip
//	{wtsize: {eof: 1}, crc: C}                      the last record
//
// ID numbers the collections of the file, which may be open at the same time. C
// is CRC-64/ECMA over all bytes before the last record. The fields of
// collection, run and end are those of package sampler in lower case; unknown
// ones are passed over, and a sample number above 1 is refused.
package samplefile

import (
	"errors"
	"hash/crc64"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// version is the number after "sample" in the first record.
const version = 1

var crcTable = crc64.MakeTable(crc64.ECMA)

// tag is the first field of every record; one of its fields is set.
type tag struct {
	Sample    int32 `bson:"sample,omitempty"`
	Begin     int32 `bson:"begin,omitempty"`
	Run       int32 `bson:"run,omitempty"`
	Documents int32 `bson:"documents,omitempty"`
	N         int32 `bson:"n,omitempty"`
	End       int32 `bson:"end,omitempty"`
	Skip      int32 `bson:"skip,omitempty"`
	EOF       int32 `bson:"eof,omitempty"`
}

// record is any record of the file.
type record struct {
	Tag        tag                 `bson:"wtsize"`
	Kind       string              `bson:"kind,omitempty"`
	Name       string              `bson:"name,omitempty"`
	Collection *sampler.Collection `bson:"collection,omitempty"`
	Run        *sampler.Run        `bson:"run,omitempty"`
	NoOptions  bool                `bson:"noOptions,omitempty"` // collection.options are not known
	End        *sampler.End        `bson:"end,omitempty"`       // its fault goes beside it, for the error inside
	NS         *sampler.Namespace  `bson:"ns,omitempty"`
	Fault      *fault              `bson:"fault,omitempty"`
	CRC        int64               `bson:"crc,omitempty"`
}

// fault is sampler.Fault with its cause as text.
type fault struct {
	Source, NS, Why, Hint string
	Offset                int64
	Cause                 string
	Expected              bool
}

func packFault(f *sampler.Fault) *fault {
	if f == nil {
		return nil
	}
	p := &fault{Source: f.Source, NS: f.NS, Why: f.Why, Hint: f.Hint, Offset: f.Offset, Expected: f.Expected}
	if f.Err != nil {
		p.Cause = f.Err.Error()
	}
	return p
}

func (p *fault) unpack() *sampler.Fault {
	if p == nil {
		return nil
	}
	f := &sampler.Fault{Source: p.Source, NS: p.NS, Why: p.Why, Hint: p.Hint, Offset: p.Offset, Expected: p.Expected}
	if p.Cause != "" {
		f.Err = errors.New(p.Cause)
	}
	return f
}

// empty stands in for documents that are nil, which BSON can't say.
var empty = bson.Raw{5, 0, 0, 0, 0}

// begin is the record of Visitor.Begin.
func begin(id int32, c sampler.Collection) record {
	r := record{Tag: tag{Begin: id}, Collection: &c}
	if c.Options == nil {
		c.Options, r.NoOptions = empty, true
	}
	c.Indexes = slices.Clone(c.Indexes)
	for i := range c.Indexes {
		if c.Indexes[i].Spec == nil {
			c.Indexes[i].Spec = empty
		}
	}
	return r
}
