// Package advise says which compressor to choose, why, and what to run.
//
// The rules:
//
//  1. A change is recommended only if it saves at least 5 % of data plus
//     indexes, at the worst end of both intervals. Keeping what there is costs
//     nothing, so where the point estimate already saves less, the answer is keep.
//  2. Where the point estimate saves enough but the intervals allow for less,
//     the answer is undecided, with the sample that would settle it.
//  3. Of all settings within 5 % of the smallest file the one that costs least
//     CPU is taken: none, snappy, the lowest zstd level, zlib, in this order. Files
//     are compared at the upper ends of their intervals: one that is the smallest
//     only if its blocks stay below a multiple of 4 KB has not won.
//  4. Only settings that a server can be given count: its zlib has one level.
//
// Advise is a pure function; its sentences hold no document content.
package advise

import "go.mongodb.org/mongo-driver/v2/bson"

// Threshold is the share of data plus indexes that a change has to save, and
// how near to the smallest file counts as equal to it.
const Threshold = 0.05

// The actions.
const (
	Change    = "change"
	Keep      = "keep"
	Undecided = "undecided"
)

// Input is what is known of one collection.
type Input struct {
	// DB is "" where the source does not say it.
	DB, Coll string
	// Size is the BSON of all documents, IndexBytes the files of all indexes.
	Size, IndexBytes int64
	Options          []Option
	// Current is the compressor in use, "" when not known; ZstdLevel the server's
	// level of zstd, 0 for the default.
	Current   string
	ZstdLevel int
	Sample    Sample
	// Disk is the profile that the seconds of Options were computed for.
	Disk string
	// Collection is what creating it again needs.
	Collection Collection
}

// Option is the collection's file under one setting.
type Option struct {
	Compressor string
	Level      int // 0 is the default: zlib 6, zstd 6
	// StorageSize between Low and High at the confidence of the result, the error
	// of a codec that is not the servers' own included.
	StorageSize, Low, High int64
	// SamplingError is the part of the interval that a larger sample shrinks,
	// as a half-width relative to StorageSize.
	SamplingError float64
	// Nanoseconds per byte of page image, which is seconds per GB; 0: not known.
	CompressNs, DecompressNs float64
	// PointReadCacheBytes enter the cache when one document is missed.
	PointReadCacheBytes int64
	// Seconds of a cold full scan and of a cold point read; 0: not known.
	ScanSeconds, PointReadSeconds float64
}

// Sample is what the options rest on.
type Sample struct {
	Bytes    int64
	Complete bool
}

// Collection is how a collection is created.
type Collection struct {
	// Options are the listCollections options, nil when not known.
	Options bson.Raw
	Capped  bool
	// TimeSeries: DB and Coll name the collection that the user sees, not its
	// buckets.
	TimeSeries bool
	Sharded    bool
}

// Advice is the answer.
type Advice struct {
	Action     string
	Compressor string
	Level      int // 0 where there are none
	SavesBytes int64
	Why        []string
	Commands   []string
}

// Advise applies the rules to one collection.
func Advise(in Input) Advice {
	if in.Size == 0 {
		return Advice{Action: Keep, Compressor: in.Current, Level: in.levelInUse(in.Current),
			Why: []string{"The collection holds no documents."}}
	}
	options := usable(in.Options)
	if len(options) == 0 {
		return undecided("No compressor was tried.")
	}
	now, why := in.current(options)
	if now == nil {
		return undecided(why...)
	}
	if thin(in.Sample, in.Size) {
		return undecided(append(why, in.thinSample())...)
	}
	to, smallest := choose(options)
	v := verdict{in: in, now: *now, to: to, smallest: smallest}
	switch {
	case v.saves() < v.needed():
		return v.keep(why)
	case v.savesAtWorst() < v.needed():
		return v.undecided(why)
	}
	return v.change(why)
}

func undecided(why ...string) Advice { return Advice{Action: Undecided, Why: why} }

// verdict weighs one change: from now to another option, which may not be the
// smallest.
type verdict struct {
	in                Input
	now, to, smallest Option
}

// needed is what a change has to save: 5 % of today's data plus indexes.
func (v verdict) needed() float64 {
	return Threshold * float64(v.now.StorageSize+v.in.IndexBytes)
}

func (v verdict) saves() float64 { return float64(v.now.StorageSize - v.to.StorageSize) }

// savesAtWorst takes each file at the end of its interval that speaks against
// the change.
func (v verdict) savesAtWorst() float64 { return float64(v.now.Low - v.to.High) }

func (v verdict) savesAtBest() float64 { return float64(v.now.High - v.to.Low) }
