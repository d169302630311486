package dump

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/wtsize/wtsize/sampler"
)

// Dir is a dump directory: of a whole deployment, or of one database.
type Dir struct {
	path  string
	parts []sampler.Source
}

// Kind is "dump".
func (d *Dir) Kind() string { return "dump" }

// Name is the path as given.
func (d *Dir) Name() string { return d.path }

// Parts are the collections, each a Source by itself, so that several can be
// read at a time. They include those that only report why they have no figures.
func (d *Dir) Parts() []sampler.Source { return d.parts }

// Read visits one collection after the other.
func (d *Dir) Read(ctx context.Context, b sampler.Budget, v sampler.Visitor) error {
	for _, p := range d.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.Read(ctx, b, v); err != nil {
			return err
		}
	}
	return nil
}

// OpenDir lists a dump directory. A directory that holds collections is taken
// for a database's; else its subdirectories are, as far as they hold any.
func OpenDir(path string, o Options) (*Dir, error) {
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	l := lister{root: root, all: o.Select.All(), o: o}
	top, err := l.list(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	if release := findFile(filepath.Join(path, ".."), "prelude.json"); release != "" {
		l.release = readRelease(release)
	}
	if top.collections() {
		l.o.Select.DB = databaseName(path, o) // given by itself, it is asked for
		l.database(top, l.o.Select.DB)
	} else if err := l.databases(top); err != nil {
		return nil, err
	}
	return &Dir{path: path, parts: l.parts}, nil
}

// databaseName: one database's directory has its name, unless -d gives it.
func databaseName(path string, o Options) string {
	if o.Select.DB != "" {
		return o.Select.DB
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return filepath.Base(path)
}

// databases takes each subdirectory of a root for a database.
func (l *lister) databases(top *listing) error {
	if top.prelude != "" {
		l.release = readRelease(top.prelude)
	}
	if top.oplog != "" && l.all {
		l.skip(oplog, oplogFault(top.oplog, oplog))
	}
	for _, path := range slices.Sorted(maps.Keys(top.refused)) {
		l.skipFile(path, "", top.refused[path], "give what it stands for by itself, if it is meant")
	}
	found, deeper := top.oplog != "", ""
	for _, dir := range top.dirs {
		sub, err := l.list(dir)
		if err != nil {
			l.skip(sampler.Namespace{Coll: filepath.Base(dir)}, openFault(dir, err))
			continue
		}
		if sub.collections() {
			found = true
			l.database(sub, filepath.Base(dir))
		}
		for _, d := range sub.dirs {
			if below, err := l.list(d); err == nil && below.collections() && deeper == "" {
				deeper = dir
			}
		}
	}
	if found {
		return nil
	}
	f := &sampler.Fault{Source: l.root, Offset: -1, Why: "no dump in this directory",
		Hint: "expected DATABASE/COLLECTION.bson below it, or COLLECTION.bson in it"}
	if deeper == "" {
		deeper = top.single
	}
	if deeper != "" {
		f.Hint = "did you mean " + deeper + "?"
	}
	return f
}

// skipped is a namespace that has nothing to read.
type skipped struct {
	kind  string
	ns    sampler.Namespace
	fault *sampler.Fault
}

func (s skipped) Kind() string { return s.kind }
func (s skipped) Name() string { return s.fault.Source }

func (s skipped) Read(_ context.Context, _ sampler.Budget, v sampler.Visitor) error {
	v.Skip(s.ns, s.fault)
	return nil
}

// view is a view: it has metadata and no documents.
type view struct {
	path string
	c    sampler.Collection
}

func (s view) Kind() string { return "dump" }
func (s view) Name() string { return s.path }

func (s view) Read(_ context.Context, _ sampler.Budget, v sampler.Visitor) error {
	if sink, err := v.Begin(s.c); err != nil || sink == nil {
		return err
	}
	return v.End(s.c, sampler.End{Method: "all", CountMeasured: true})
}

// member is a data file of a directory: when it can't be read, the others can.
type member struct{ *File }

func (m member) Read(ctx context.Context, b sampler.Budget, v sampler.Visitor) error {
	err := m.File.Read(ctx, b, v)
	var f *sampler.Fault
	if errors.As(err, &f) && ctx.Err() == nil {
		v.Skip(m.Collection.NS, f)
		return nil
	}
	return err
}

// readable reports whether an entry may be opened: a regular file or a folder,
// or a link to one that stays within the dump.
func (l *lister) readable(path string, entry os.DirEntry) (info os.FileInfo, why string) {
	info, err := entry.Info()
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, "is a symbolic link to nothing"
		}
		if !within(l.root, target) {
			return nil, "is a symbolic link out of the dump"
		}
		info, err = os.Stat(target)
		if err != nil {
			return nil, "can't be opened"
		}
		return checked(info)
	}
	if err != nil {
		return nil, "can't be opened"
	}
	return checked(info)
}

func checked(info os.FileInfo) (os.FileInfo, string) {
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, "is not a regular file"
	}
	return info, ""
}
