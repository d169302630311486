// Package streamtest records what a Source does, for tests.
package streamtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wtsize/wtsize/sampler"
)

// Data gives path, which may be a pattern; the test is skipped where nothing is
// there: real files stand beside the repository, if at all.
func Data(t testing.TB, path string) string {
	t.Helper()
	if found, _ := filepath.Glob(path); len(found) == 0 {
		t.Skipf("no data at %s", path)
	}
	return path
}

// Taken is one collection as it was delivered.
type Taken struct {
	Collection       sampler.Collection
	Documents, Bytes int64
	Runs             []sampler.Run
	End              sampler.End
	Ended            int // calls of End

	all hash.Hash
}

// Sum is a hash over the documents and runs in order.
func (t *Taken) Sum() string { return hex.EncodeToString(t.all.Sum(nil)) }

// Run is part of sampler.Sink.
func (t *Taken) Run(r sampler.Run) error {
	t.Runs = append(t.Runs, r)
	fmt.Fprintf(t.all, "run %v", r)
	return nil
}

// Document is part of sampler.Sink.
func (t *Taken) Document(doc []byte) error {
	t.Documents++
	t.Bytes += int64(len(doc))
	t.all.Write(doc)
	return nil
}

// Record is a Visitor that takes everything.
type Record struct {
	// Refuse, if set, has Begin return no Sink.
	Refuse func(sampler.Namespace) bool

	mu    sync.Mutex
	Taken map[string]*Taken
	Skips map[string]*sampler.Fault
	// Open and MostOpen count collections between Begin and End.
	Open, MostOpen int
}

// Begin is part of sampler.Visitor.
func (r *Record) Begin(c sampler.Collection) (sampler.Sink, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Taken == nil {
		r.Taken = map[string]*Taken{}
	}
	if r.Taken[c.NS.String()] != nil {
		return nil, fmt.Errorf("%v begun twice", c.NS)
	}
	if r.Refuse != nil && r.Refuse(c.NS) {
		return nil, nil
	}
	t := &Taken{Collection: c, all: sha256.New()}
	r.Taken[c.NS.String()] = t
	r.Open++
	r.MostOpen = max(r.MostOpen, r.Open)
	return t, nil
}

// End is part of sampler.Visitor.
func (r *Record) End(c sampler.Collection, e sampler.End) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.Taken[c.NS.String()]
	if t == nil || t.Ended > 0 {
		return fmt.Errorf("%v ended out of turn", c.NS)
	}
	if t.Documents != e.Documents || t.Bytes != e.Bytes {
		return fmt.Errorf("%v: End says %d documents of %d bytes, delivered were %d of %d", c.NS, e.Documents, e.Bytes, t.Documents, t.Bytes)
	}
	t.End = e
	t.Ended++
	r.Open--
	return nil
}

// Skip is part of sampler.Visitor.
func (r *Record) Skip(ns sampler.Namespace, f *sampler.Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Skips == nil {
		r.Skips = map[string]*sampler.Fault{}
	}
	r.Skips[ns.String()] = f
}

// Lines says in one line per namespace what happened, without the content.
func (r *Record) Lines() []string {
	var lines []string
	for name, t := range r.Taken {
		line := fmt.Sprintf("%s %s documents=%d bytes=%d", name, t.Collection.Type, t.Documents, t.Bytes)
		lines = append(lines, line+tail(t.End.Fault))
	}
	for name, f := range r.Skips {
		if name == "" {
			name = "-"
		}
		if f.Expected {
			lines = append(lines, name+" left out: "+f.Why)
		} else {
			lines = append(lines, name+" skipped"+tail(f))
		}
	}
	slices.Sort(lines)
	return lines
}

func tail(f *sampler.Fault) string {
	switch {
	case f == nil:
		return ""
	case f.Offset < 0:
		return ": " + f.Why
	}
	return fmt.Sprintf(": at %d: %s", f.Offset, strings.TrimSuffix(f.Why, "."))
}
