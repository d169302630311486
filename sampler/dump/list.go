package dump

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/metadata"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
)

// oplog is what the oplog of a dump is called, which is in no database.
var oplog = sampler.Namespace{Coll: "oplog"}

// lister turns directories into parts.
type lister struct {
	root    string // links resolved
	release string
	all     bool // nothing was selected
	o       Options
	parts   []sampler.Source
}

// listing is one directory's entries, by their kind; keys are names without
// extension.
type listing struct {
	path           string
	data, meta     map[string]string
	twice          []string // further data files of the same name
	size           map[string]int64
	dirs           []string
	refused        map[string]string // path of what may not be opened: why
	prelude, oplog string
	single         string // an archive, export or sample, to be given by itself
}

func (d *listing) collections() bool { return len(d.data)+len(d.meta) > 0 }

func (l *lister) list(path string) (*listing, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	d := &listing{path: path, data: map[string]string{}, meta: map[string]string{},
		size: map[string]int64{}, refused: map[string]string{}}
	for _, e := range entries {
		full := filepath.Join(path, e.Name())
		info, why := l.readable(full, e)
		switch {
		case why != "":
			d.refused[full] = why
		case info.IsDir():
			d.dirs = append(d.dirs, full)
		default:
			d.add(e.Name(), full, info.Size())
		}
	}
	return d, nil
}

// add files one regular file. A directory's oplog is one only where no
// collections are beside it; a database may well have a collection oplog.
func (d *listing) add(name, full string, size int64) {
	if base, ok := cutExt(name, metaExt); ok {
		d.meta[base] = full
	} else if _, ok := cutExt(name, "prelude.json"); ok {
		d.prelude = full
	} else if base, ok := cutExt(name, dataExt); ok && base == "oplog" {
		d.oplog = full
		d.size[full] = size
	} else if ok && d.data[base] != "" {
		d.twice = append(d.twice, full)
	} else if ok {
		d.data[base] = full
		d.size[full] = size
	} else if alone(name) && d.single == "" {
		d.single = full
	}
}

// alone: the name is of a file that holds a dump by itself.
func alone(name string) bool {
	for _, ext := range []string{".archive", ".ndjson", ".jsonl", ".json", ".sample"} {
		if _, ok := cutExt(name, ext); ok {
			return true
		}
	}
	return false
}

// database adds the collections of one database's directory.
func (l *lister) database(d *listing, db string) {
	release := l.release
	if d.prelude != "" {
		release = readRelease(d.prelude)
	}
	if d.oplog != "" && d.meta["oplog"] != "" {
		d.data["oplog"] = d.oplog
	} else if d.oplog != "" && l.all {
		l.skip(oplog, oplogFault(d.oplog, oplog))
	}
	metas, broken := l.metadata(d)
	used := map[string]bool{}
	for _, base := range slices.Sorted(maps.Keys(d.data)) {
		metaBase := pair(base, metas, broken)
		used[metaBase] = true
		c := collection(base, metas[metaBase])
		c.NS.DB, c.Release = db, release
		if err := broken[metaBase]; err != nil {
			c.Warnings = append(c.Warnings, metadata.Broken(d.meta[metaBase], err))
		} else if metas[metaBase] == nil {
			c.Warnings = append(c.Warnings, missing(base+metaExt))
		}
		l.data(&File{Path: d.data[base], Size: d.size[d.data[base]], Collection: c, bare: metaBase == "", o: l.o})
	}
	for _, base := range slices.Sorted(maps.Keys(d.meta)) {
		if !used[base] {
			l.withoutData(d.meta[base], base, db, release, metas[base], broken[base])
		}
	}
	l.leftOver(d, db)
}

// metadata reads every metadata file of a directory.
func (l *lister) metadata(d *listing) (map[string]*metadata.Metadata, map[string]error) {
	metas, broken := map[string]*metadata.Metadata{}, map[string]error{}
	for base, path := range d.meta {
		m, err := readMetadata(path)
		metas[base], broken[base] = m, err
	}
	return metas, broken
}

// pair finds the metadata that belongs to a data file: of the same name, or,
// for buckets, of the name without the prefix. A shortened name of buckets has
// another hash than that of its metadata, so the full name decides.
func pair(base string, metas map[string]*metadata.Metadata, broken map[string]error) string {
	known := func(b string) bool { return metas[b] != nil || broken[b] != nil }
	if known(base) {
		return base
	}
	buckets, ok := strings.CutPrefix(base, namespace.BucketPrefix)
	if !ok {
		return ""
	}
	if known(buckets) {
		return buckets
	}
	for b, m := range metas {
		if m != nil && m.Name != "" && namespace.FileName(namespace.BucketPrefix+m.Name) == base {
			return b
		}
	}
	return ""
}

// data adds a data file, where it is wanted and a collection of the user's.
func (l *lister) data(f *File) {
	ns := f.Collection.NS
	if !l.o.Select.Wants(ns) {
		return
	}
	if why := l.o.Select.NotUsers(ns); why != "" {
		l.skip(ns, &sampler.Fault{Source: f.Path, NS: ns.String(), Offset: -1, Why: why, Expected: true})
		return
	}
	l.o.Meter.Expect(f.Size)
	l.parts = append(l.parts, member{f})
}

// withoutData adds what has metadata alone: a view, or a collection whose data
// is gone.
func (l *lister) withoutData(path, base, db, release string, m *metadata.Metadata, broken error) {
	c := collection(base, m)
	c.NS.DB, c.Release = db, release
	if !l.o.Select.Wants(c.NS) {
		return
	}
	why := l.o.Select.NotUsers(c.NS)
	switch {
	case why != "":
		l.skip(c.NS, &sampler.Fault{Source: path, NS: c.NS.String(), Offset: -1, Why: why, Expected: true})
	case m != nil && m.Type == sampler.View:
		c.Type = sampler.View
		l.parts = append(l.parts, view{path, c})
	default:
		l.skip(c.NS, &sampler.Fault{Source: path, NS: c.NS.String(), Offset: -1, Err: broken,
			Why: "metadata without a data file", Hint: "was " + base + dataExt + " left behind when the dump was copied?"})
	}
}

// leftOver reports what lies in a database's directory and is not read.
func (l *lister) leftOver(d *listing, db string) {
	for _, path := range d.twice {
		l.skipFile(path, db, "another file holds the same collection", "remove the one that is not meant")
	}
	for _, path := range slices.Sorted(maps.Keys(d.refused)) {
		l.skipFile(path, db, d.refused[path], "give what it stands for by itself, if it is meant")
	}
	for _, dir := range d.dirs {
		if sub, err := l.list(dir); err == nil && sub.collections() {
			l.skipFile(dir, db, "is a directory inside a database's, which is no part of a dump", "give it by itself")
		}
	}
}

func (l *lister) skipFile(path, db, why, hint string) {
	base, _ := cutExt(filepath.Base(path), dataExt)
	coll, _ := namespace.FromFileName(base)
	l.skip(sampler.Namespace{DB: db, Coll: coll}, &sampler.Fault{Source: path, Offset: -1, Why: why, Hint: hint})
}

func (l *lister) skip(ns sampler.Namespace, f *sampler.Fault) {
	l.parts = append(l.parts, skipped{"dump", ns, f})
}

// within: path is root or below it; both have their links resolved.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
