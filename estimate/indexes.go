package estimate

import (
	"fmt"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/index"
	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
	"github.com/wtsize/wtsize/sampler"
)

// indexes sizes a collection's indexes beside its table.
type indexes struct {
	list    []*indexer
	cache   int64 // bytes, of the server
	release wt.Release
}

// indexer sizes one index: of everything through a sorter, or from a sample.
type indexer struct {
	spec    keystring.Index
	gen     *keystring.Generator
	cfg     index.Config
	current int64
	extra   bool // asked for, not there yet

	sorter *index.Sorter
	sample *index.Sample
	bytes  int64 // of the documents that the sample stands for; 0: not known
	err    error
}

// sortMemory bounds the sorters of one collection together; what is more goes
// to unreadable temporary files.
const (
	sortMemory = 48 << 20
	leastSort  = 4 << 20
)

// sampleKeys and sampleEntries bound the samples of one collection's indexes
// together, in bytes of keys and in entries, each of which takes 44 bytes more.
const (
	sampleKeys    = 24 << 20
	leastKeys     = 1 << 20
	sampleEntries = 1_000_000
	mostEntries   = 200_000
	leastEntries  = 20_000
)

// sampleLimits divides what samples may hold among n indexes.
func sampleLimits(n int) index.Limits {
	n = max(1, n)
	return index.Limits{
		Entries: min(mostEntries, max(leastEntries, sampleEntries/n)),
		Bytes:   max(leastKeys, sampleKeys/n),
	}
}

// newIndexes collects the indexes of a collection: those that the source lists
// and those asked for. A specification that cannot be sized is a warning.
func newIndexes(c sampler.Collection, t table, o Options) (*indexes, []sampler.Warning) {
	x := &indexes{cache: t.cache, release: t.release}
	var warnings []sampler.Warning
	if o.NoIndexes {
		return x, nil
	}
	specs := c.Indexes
	if len(specs) == 0 && c.Type != sampler.Clustered && c.Type != sampler.TimeSeries {
		specs = []sampler.Index{{Spec: idIndex}}
	}
	for _, s := range specs {
		spec, err := keystring.Parse(s.Spec)
		if err == nil {
			err = x.add(spec, s, t, false)
		}
		if err != nil {
			warnings = append(warnings, sampler.Warning{Code: "index", Text: "an index could not be sized: " + err.Error()})
		}
	}
	for _, spec := range o.Indexes {
		if err := x.add(spec, sampler.Index{}, t, true); err != nil {
			warnings = append(warnings, sampler.Warning{Code: "index", Text: "index " + spec.Name + " could not be sized: " + err.Error()})
		}
	}
	return x, warnings
}

// idIndex is the index that every collection has unless it is clustered.
var idIndex = func() bson.Raw {
	raw, err := bson.Marshal(bson.D{{Key: "v", Value: 2}, {Key: "key", Value: bson.D{{Key: "_id", Value: 1}}}, {Key: "name", Value: "_id_"}})
	if err != nil {
		panic(err) // constants
	}
	return raw
}()

func (x *indexes) add(spec keystring.Index, s sampler.Index, t table, extra bool) error {
	gen := keystring.New(spec, keystring.Options{Clustered: t.key != nil})
	if !gen.HasFile() {
		return nil
	}
	settings, err := wt.Index().With(spec.ConfigString)
	if err != nil {
		return err
	}
	ix := &indexer{spec: spec, gen: gen, current: s.Size, extra: extra, cfg: index.Config{Table: settings, Release: t.release}}
	if settings.Compressed() {
		setting, err := codec.Parse(settings.Compressor)
		if err != nil {
			return err
		}
		if ix.cfg.Codec, err = codec.New(setting); err != nil {
			return err
		}
	}
	x.list = append(x.list, ix)
	return nil
}

// whole prepares for every document of the collection.
func (x *indexes) whole() {
	for _, ix := range x.list {
		ix.sorter = index.NewSorter(max(leastSort, sortMemory/int64(len(x.list))), "")
	}
}

// document takes the entries of a document.
func (x *indexes) document(doc []byte, id int64) {
	for _, ix := range x.list {
		if ix.err != nil {
			continue
		}
		var failed error
		err := ix.gen.Entries(doc, id, func(key, value []byte) {
			if err := ix.sorter.Add(key, value); err != nil && failed == nil {
				failed = err
			}
		})
		if failed != nil {
			ix.err = failed
		} else if err != nil {
			ix.err = err
		}
	}
}

// stretches takes the documents of a sample.
func (x *indexes) stretches(runs []sampledRun, p population) {
	limits := sampleLimits(len(x.list))
	giants := len(ordinary(p.stretches)) < len(p.stretches)
	for _, ix := range x.list {
		ix.sample = index.NewSample(ix.gen, limits)
		if !giants {
			ix.bytes = p.size
		}
		for i, run := range runs {
			if giants && run.Drawn > 0 {
				continue // one document says nothing of how keys lie
			}
			ix.sample.Run(p.position(p.stretches[i]), p.stretches[i].first)
			for j := range run.Page.Records() {
				if err := ix.sample.Document(run.Page.Value(j)); err != nil {
					ix.err = err
				}
			}
		}
	}
}

func (x *indexes) close() {
	for _, ix := range x.list {
		if ix.sorter != nil {
			ix.sorter.Close()
		}
	}
}

// results builds every index's file.
func (x *indexes) results(r *CollectionResult, o Options) {
	defer x.close()
	turnover := x.turnover(r)
	for _, ix := range x.list {
		out := ix.describe()
		growth := index.Growth{
			Documents: r.Count, Turnover: turnover, MaxFootprint: ix.cfg.Table.MaxFootprint(x.cache), Seed: o.Seed,
		}
		var err error
		switch {
		case ix.err != nil:
			err = ix.err
		case ix.sorter != nil:
			err = ix.build(&out, growth, o)
		case ix.sample != nil:
			err = ix.project(&out, r, growth, o)
		}
		if err != nil {
			r.Warnings = append(r.Warnings, sampler.Warning{Code: "index",
				Text: fmt.Sprintf("index %s could not be sized: %v", ix.spec.Name, err)})
			continue
		}
		out.Warnings = append(out.Warnings, ix.refused()...)
		r.Indexes = append(r.Indexes, out)
		if !ix.extra {
			r.TotalIndexSize += out.Size
		}
	}
}

// turnover is how many documents come in while the updates that may stay in the
// cache are inserted: documents and the entries of all their indexes.
func (x *indexes) turnover(r *CollectionResult) float64 {
	documents := max(1, float64(r.Count))
	sum := index.Footprint(x.release, documents, float64(r.Size))
	for _, ix := range x.list {
		sum += ix.footprint(documents)
	}
	return index.Turnover(x.cache, sum/documents)
}

// footprint is what the entries of so many documents take in the cache.
func (ix *indexer) footprint(documents float64) float64 {
	var entries, bytes float64
	switch {
	case ix.sorter != nil:
		entries, bytes = float64(ix.sorter.Len()), float64(ix.sorter.Bytes())
	case ix.sample != nil:
		perDocument, each := ix.sample.Entries()
		entries = documents * perDocument
		bytes = entries * each
	}
	return index.Footprint(ix.cfg.Release, entries, bytes)
}

func (ix *indexer) describe() IndexResult {
	out := IndexResult{
		Name: ix.spec.Name, Key: keyPattern(ix.spec), Kind: string(ix.spec.Kind), Build: "bulk",
		Current: ix.current, Hypothetical: ix.extra, Approximate: ix.gen.Approximate(),
	}
	for _, part := range ix.spec.Ignored {
		out.Warnings = append(out.Warnings, sampler.Warning{Code: "index-option", Text: "not modelled: " + part})
	}
	return out
}

// build makes the file of a bulk build and, where records carry int64
// RecordIds, those of an index grown by inserts, on a replica set too.
func (ix *indexer) build(out *IndexResult, growth index.Growth, o Options) error {
	past := recentInserts(o)
	growth.Entries = ix.sorter.Len()
	bulk, grown := index.NewBuilder(ix.cfg), index.NewGrower(ix.cfg, growth)
	windowed := index.NewWindowedBuilder(ix.cfg, past.Span, past.Window)
	numbered := true
	err := ix.sorter.Each(func(key, value []byte) error {
		bulk.Add(key, value)
		id, ok := keystring.LastRecordID(key)
		if !ix.gen.RecordInKey() {
			id, ok = keystring.FirstRecordID(value)
		}
		if numbered = numbered && ok; numbered {
			grown.Add(key, value, id)
			if ix.cfg.Release.TimeWindows() {
				windowed.Add(key, value, id)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f, err := bulk.Finish()
	if err != nil {
		return err
	}
	out.Size, out.SizeLow, out.SizeHigh, out.Entries = f.Size, f.Size, f.Size, f.Entries
	if !numbered || f.Entries == 0 {
		return nil
	}
	if ix.cfg.Codec == nil {
		out.inserts(grown.Finish())
	}
	if ix.cfg.Release.TimeWindows() {
		g, err := windowed.Finish()
		if err != nil {
			return err
		}
		out.SizeReplset = g.Size
	}
	return nil
}

// recentInserts is what a replica set keeps of the inserts that it takes.
func recentInserts(o Options) *index.History {
	rate := o.Costs.Load.InsertsPerSecond
	if rate == 0 {
		rate = insertsPerSecond
	}
	return &index.History{Span: int64(rate * historySeconds), Window: newHistory(Replset, o.InsertPattern).at}
}

func (ix *indexer) project(out *IndexResult, r *CollectionResult, growth index.Growth, o Options) error {
	pop := index.Population{Documents: r.Count, Bytes: ix.bytes, Projected: r.CountHigh > 0, Growth: growth}
	if ix.cfg.Release.TimeWindows() {
		pop.History = recentInserts(o)
	}
	p, err := ix.sample.Project(ix.cfg, pop, o.Confidence, o.Seed)
	if err != nil {
		return err
	}
	out.Size, out.SizeLow, out.SizeHigh, out.Entries = p.Size, p.Low, p.High, p.Entries
	out.SizeReplset = p.Replset
	if ix.cfg.Codec == nil && p.Grown > 0 {
		if out.inserts(p.Grown); out.SizeInserts > 0 {
			out.SizeInsertsLow, out.SizeInsertsHigh = p.GrownLow, p.GrownHigh
		}
	}
	return nil
}

// grownApart is how far the two ways to build an index must differ to be told
// apart: what a grown one is off by.
const grownApart = 0.02

// inserts notes the size of an index grown by inserts where it is another.
func (x *IndexResult) inserts(size int64) {
	if off := float64(size)/float64(x.Size) - 1; off > grownApart || off < -grownApart {
		x.SizeInserts = size
	}
}

// refused says how many of the documents seen a server would not index.
func (ix *indexer) refused() (out []sampler.Warning) {
	skipped := ix.gen.Skipped()
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		out = append(out, sampler.Warning{Code: "not-indexable",
			Text: fmt.Sprintf("%d documents have no entry, a server would refuse them: %s", skipped[reason], reason)})
	}
	return out
}

// keyPattern is the key pattern in its order.
func keyPattern(ix keystring.Index) bson.D {
	var k bson.D
	for _, f := range ix.Fields {
		k = append(k, bson.E{Key: f.Path, Value: keyValue(f)})
	}
	return k
}

func keyValue(f keystring.Field) any {
	switch {
	case f.Plugin != "":
		return f.Plugin
	case f.Descending:
		return -1
	}
	return 1
}
