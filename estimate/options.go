package estimate

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
)

// Topologies, for time windows in cells.
const (
	Auto       = "auto"
	Standalone = "standalone"
	Replset    = "replset"
)

// Insert patterns on a replica set.
const (
	Batched = "batched"
	Single  = "single"
)

// Options are what the user chose. The zero value is completed by defaults;
// what a source states about its server stands back behind what is set here.
type Options struct {
	Compressors   []codec.Setting // default: all four
	Release       string          // server release; default: the source's, else the newest
	Topology      string          // auto, standalone, replset
	InsertPattern string          // batched, single
	CacheBytes    int64           // the server's WiredTiger cache; default: the source's, else 1 GiB
	Settings      []string        // table settings, "leaf_page_max=64KB"
	// Overlap is how many reconciliations run at once when loading outruns
	// eviction, on average.
	Overlap    float64
	Confidence float64 // of intervals, 0 to 1
	Seed       int64
	// SampleBytes bounds what is kept of each collection; 0: everything.
	SampleBytes int64
	// SampleShare, where it is above 0, bounds it by a share of the collection.
	SampleShare float64
	Docs        int64 // project to this document count; 0: as it is
	Jobs        int   // goroutines; 0: one a core
	NoIndexes   bool
	Indexes     []keystring.Index // to size beyond those that the source lists
	WhatIf      []string          // table settings to try beside the ones in force
	Fields      bool              // which field paths hold the stored bytes
	Costs       CostOptions
	NoTimings   bool // leave out everything that depends on this machine's speed
}

// Defaults of Options.
const (
	// DefaultCacheBytes is taken for the server's cache where it is not known.
	DefaultCacheBytes = 1 << 30
	// DefaultOverlap of reconciliations: chosen against the engine's loads of
	// collections that outrun eviction, see the accuracy table.
	DefaultOverlap = 3
	// DefaultConfidence of intervals.
	DefaultConfidence = 0.95
)

// overlaps are the courses of events that bound the model: one reconciliation
// after the other first, as the other end, then around the stated overlap. Each
// costs the images that no other course has.
func (o Options) overlaps() []float64 {
	if o.Overlap <= 1 {
		return []float64{1}
	}
	return []float64{1, o.Overlap - 1, o.Overlap + 1, o.Overlap}
}

func (o Options) withDefaults() (Options, error) {
	if len(o.Compressors) == 0 {
		o.Compressors = codec.Defaults()
	}
	if o.Topology == "" {
		o.Topology = Auto
	}
	if o.InsertPattern == "" {
		o.InsertPattern = Batched
	}
	if o.Overlap == 0 {
		o.Overlap = DefaultOverlap
	}
	if o.Confidence == 0 {
		o.Confidence = DefaultConfidence
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	var err error
	if o.Costs, err = o.Costs.withDefaults(); err != nil {
		return o, err
	}
	return o, o.check()
}

func (o Options) check() error {
	switch o.Topology {
	case Auto, Standalone, Replset:
	default:
		return fmt.Errorf("topology %q: want auto, standalone or replset", o.Topology)
	}
	switch o.InsertPattern {
	case Batched, Single:
	default:
		return fmt.Errorf("insert pattern %q: want batched or single", o.InsertPattern)
	}
	if o.Confidence < 0.5 || o.Confidence >= 1 {
		return fmt.Errorf("confidence %g: want at least 50 and less than 100 percent", 100*o.Confidence)
	}
	if o.Release != "" {
		if _, err := wt.ParseRelease(o.Release); err != nil {
			return err
		}
	}
	for _, s := range slices.Concat(o.Settings, o.WhatIf) {
		if _, err := wt.Collection().With(s); err != nil {
			return err
		}
	}
	for _, s := range o.Compressors {
		if _, err := codec.New(s); err != nil {
			return err
		}
	}
	return nil
}
