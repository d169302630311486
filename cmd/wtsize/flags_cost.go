package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/cost"
	"github.com/wtsize/wtsize/estimate/keystring"
)

// indexFlags say which indexes are sized and what else is worked out.
type indexFlags struct {
	indexes   []string
	noIndexes bool
	fields    bool
	whatIf    []string
}

func (f *indexFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.indexes, "index", nil, "size an index that isn't there yet, such as '{userId:1,at:-1}' (repeatable)")
	fs.BoolVar(&f.noIndexes, "no-indexes", false, "leave indexes out")
	fs.StringArrayVar(&f.whatIf, "what-if", nil, "size the collection with another table setting too (repeatable)")
	fs.BoolVar(&f.fields, "fields", false, "say which field paths hold the stored bytes; names and types only")
	values(fs, "index", "KEYS", "what-if", "NAME=VALUE")
}

func (f *indexFlags) set(o *estimate.Options) error {
	if f.noIndexes && len(f.indexes) > 0 {
		return usage("leave out --no-indexes", "both --index and --no-indexes given")
	}
	o.NoIndexes, o.Fields, o.WhatIf = f.noIndexes, f.fields, f.whatIf
	for _, s := range f.indexes {
		ix, err := keystring.ParseKey(s)
		if err != nil {
			return usage("--index '{userId:1,createdAt:-1}'", "--index %s: %w", s, err)
		}
		o.Indexes = append(o.Indexes, ix)
	}
	return nil
}

// costFlags say on what and how the collection is used.
type costFlags struct {
	disk, workingSet, hot, osCache string
	inserts, updates               float64
}

func (f *costFlags) add(fs *pflag.FlagSet) {
	var names []string
	for _, d := range cost.Presets() {
		names = append(names, d.Profile)
	}
	fs.StringVar(&f.disk, "disk", "gp3", strings.Join(names, ", ")+" (default gp3); with figures of your own: gp3,throughput=250MB/s,iops=6000,latency=0.8ms")
	fs.StringVar(&f.osCache, "os-cache", "", "memory that the operating system has for files, such as 16GiB")
	fs.StringVar(&f.workingSet, "working-set", "", "share of the documents that is in use, such as 20%")
	fs.StringVar(&f.hot, "hot", "", "90/5: 90 % of the reads go to 5 % of those")
	fs.Float64Var(&f.inserts, "inserts", 0, "documents inserted per second")
	fs.Float64Var(&f.updates, "updates", 0, "documents updated per second")
	values(fs, "disk", "PROFILE", "os-cache", "SIZE", "working-set", "PERCENT", "hot", "READS/DATA", "inserts", "NUMBER", "updates", "NUMBER")
}

func (f *costFlags) set(o *estimate.Options) error {
	var err error
	if o.Costs.Disk, err = cost.ParseDisk(f.disk); err != nil {
		return usage("--disk gp3, or --disk throughput=500MB/s,iops=10000,latency=0.5ms", "--disk: %w", err)
	}
	if f.osCache != "" {
		if o.Costs.OSCacheBytes, err = parseBytes(f.osCache); err != nil {
			return usage("--os-cache 16GiB", "--os-cache %q: %w", f.osCache, err)
		}
	}
	load := &o.Costs.Load
	if f.workingSet != "" {
		if load.WorkingSet, err = parseShare(strings.TrimSuffix(f.workingSet, "%")); err != nil {
			return usage("--working-set 20%", "--working-set %q: %w", f.workingSet, err)
		}
	}
	if f.hot != "" {
		reads, data, ok := strings.Cut(f.hot, "/")
		var errReads, errData error
		load.HotReads, errReads = parseShare(reads)
		load.HotData, errData = parseShare(data)
		if !ok || errReads != nil || errData != nil {
			return usage("--hot 90/5", "--hot %q: not two percentages", f.hot)
		}
	}
	if !(f.inserts >= 0 && f.updates >= 0 && f.inserts+f.updates < 1e12) {
		return usage("--inserts 500 --updates 2000", "--inserts and --updates: not a rate")
	}
	load.InsertsPerSecond, load.UpdatesPerSecond = f.inserts, f.updates
	return nil
}

// parseShare reads a percentage over 0 as a share.
func parseShare(s string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(x > 0 && x <= 100) {
		return 0, errors.New("not a percentage")
	}
	return x / 100, nil
}

// parseCount reads a number of documents: 50000, 50,000, 50k, 1.5M, 2G.
func parseCount(s string) (int64, error) {
	t := strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	unit := 1.0
	for suffix, u := range map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9} {
		if cut, ok := strings.CutSuffix(t, suffix); ok {
			t, unit = cut, u
			break
		}
	}
	x, err := strconv.ParseFloat(t, 64)
	if err != nil || !(x*unit >= 1 && x*unit <= 1e15) {
		return 0, errors.New("not a number of documents")
	}
	return int64(x * unit), nil
}
