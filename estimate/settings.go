package estimate

import (
	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
	"github.com/wtsize/wtsize/sampler"
)

// table settles with which settings and for which server a collection's pages
// are built: what the user set wins over what the source says, which wins over
// the defaults.
func (e *Estimator) table(c sampler.Collection) (table, []sampler.Warning, error) {
	t := table{settings: wt.Collection(), topology: e.opts.Topology, pattern: e.opts.InsertPattern, cache: e.opts.CacheBytes}
	var warnings []sampler.Warning
	if c.ConfigString != "" {
		with, err := t.settings.With(c.ConfigString)
		if err == nil {
			t.settings = with
		} else {
			warnings = append(warnings, sampler.Warning{Code: "config-string",
				Text: "the collection's WiredTiger configuration could not be used: " + err.Error()})
		}
	}
	for _, s := range e.opts.Settings {
		with, err := t.settings.With(s)
		if err != nil {
			return t, nil, err
		}
		t.settings = with
	}
	var server sampler.Server
	if c.Stats != nil {
		server = c.Stats.Server
	}
	t.release = e.release(c, server)
	if t.topology == Auto {
		t.topology = Standalone
		if server.Topology == "replset" || server.Topology == "sharded" {
			t.topology = Replset
		}
	}
	if t.cache == 0 {
		t.cache = server.CacheBytes
	}
	if t.cache == 0 {
		t.cache = DefaultCacheBytes
	}
	if c.Type == sampler.Clustered || c.Type == sampler.TimeSeries {
		t.settings.KeyFormat = "u"
		t.key = clusterKey()
	}
	return t, warnings, nil
}

// release is the user's, else the source's, else the newest.
func (e *Estimator) release(c sampler.Collection, server sampler.Server) wt.Release {
	for _, s := range []string{e.opts.Release, server.Release, c.Release} {
		if r, err := wt.ParseRelease(s); err == nil {
			return r
		}
	}
	return wt.Newest()
}

// clusterKey gives the table key of a clustered collection's documents.
func clusterKey() func(doc []byte) []byte {
	var buf []byte
	return func(doc []byte) []byte {
		key, err := keystring.ClusterKey(buf[:0], doc)
		if err != nil { // no _id that could be a key: it takes the least one
			key = append(buf[:0], 0)
		}
		buf = key
		return key
	}
}

func tableInfo(t wt.Table) TableInfo {
	return TableInfo{
		LeafPageMax: t.LeafPageMax, InternalPageMax: t.InternalPageMax, MemoryPageMax: t.MemoryPageMax,
		MemoryPageImageMax: t.ImageMax(), AllocationSize: t.AllocationSize,
	}
}

// assumptions are the inputs of the model: what the user set, else what the
// source of the first collection says, else the defaults.
func (e *Estimator) assumptions() Assumptions {
	t := e.first
	if t == nil {
		def, _, err := e.table(sampler.Collection{})
		if err != nil { // the options were checked
			return Assumptions{}
		}
		t = &def
	}
	a := Assumptions{
		Release: t.release.String(), Topology: t.topology, CacheBytes: t.cache,
		Overlap: e.opts.Overlap, Confidence: e.opts.Confidence,
	}
	if a.Topology == Replset {
		a.InsertMode = t.pattern
	}
	return a
}
