package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
)

// listingTime bounds the search for a name that was meant.
const listingTime = 2 * time.Second

// nothing ends a run that has no figures to show.
func (f *sourceFlags) nothing(ctx context.Context, e *env, o outcome, args []string) error {
	if len(o.errs) == 1 && f.selected.Coll != "" {
		// A server says that there is no such collection, not which there are.
		if near := nearest(f.selected.Coll, f.live.collections(ctx, f.selected.DB)); near != "" && near != f.selected.Coll {
			return hinted{o.errs[0], fmt.Sprintf("did you mean %q?", near)}
		}
	}
	return o.nothing(e, func() error { return f.noMatch(ctx, args) })
}

// noMatch is the error where nothing of what was read was asked for.
func (f *sourceFlags) noMatch(ctx context.Context, args []string) error {
	s := f.selected
	names := f.names(ctx, args)
	if s.DB+s.Coll == "" && len(s.Include)+len(s.Exclude) == 0 || len(names) == 0 {
		return hinted{fmt.Errorf("no collections to estimate"), "wtsize estimate takes .bson files, dump directories, archives and exports"}
	}
	var all, colls, dbs []string
	for _, ns := range names {
		all = append(all, ns.String())
		dbs = append(dbs, ns.DB)
		if s.DB == "" || ns.DB == s.DB {
			colls = append(colls, ns.Coll)
		}
	}
	slices.Sort(dbs)
	dbs = slices.Compact(dbs)
	switch {
	case s.DB != "" && !slices.Contains(dbs, s.DB):
		return hinted{fmt.Errorf("no database %q", s.DB), didYouMean(s.DB, dbs)}
	case s.Coll != "" && s.DB != "" && !slices.Contains(colls, s.Coll):
		return hinted{fmt.Errorf("no collection %q in database %q", s.Coll, s.DB), didYouMean(s.Coll, colls)}
	case s.Coll != "" && !slices.Contains(colls, s.Coll):
		return hinted{fmt.Errorf("no collection %q", s.Coll), didYouMean(s.Coll, colls)}
	}
	return hinted{fmt.Errorf("no namespace fits --nsInclude and --nsExclude"), "there is " + some(all)}
}

func didYouMean(word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "there is " + some(names)
}

// some lists the first few of names.
func some(names []string) string {
	const few = 8
	names = slices.Clone(names)
	slices.Sort(names)
	if len(names) > few {
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}

// names are the namespaces of the files named, as far as they can be had in a
// moment; none of what comes from a pipe.
func (f *sourceFlags) names(ctx context.Context, args []string) []sampler.Namespace {
	ctx, cancel := context.WithTimeout(ctx, listingTime)
	defer cancel()
	paths, _ := f.paths(args)
	var l lister
	for _, path := range paths {
		if path == "-" {
			continue
		}
		if src, err := dump.Open(path, dump.Options{}); err == nil && src.Kind() != "bson" && src.Kind() != "export" {
			// What can't be read was told already.
			_ = src.Read(ctx, sampler.Budget{Bytes: 1}, &l)
		}
	}
	return l.names
}

// lister is a visitor that wants no documents.
type lister struct{ names []sampler.Namespace }

func (l *lister) Begin(c sampler.Collection) (sampler.Sink, error) {
	l.names = append(l.names, c.NS)
	return nil, nil
}

func (l *lister) End(sampler.Collection, sampler.End) error { return nil }

func (l *lister) Skip(sampler.Namespace, *sampler.Fault) {}
