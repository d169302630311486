// Package namespace holds the rules of dump names: which namespaces a user
// asked for, which are never collections of theirs, and how a collection's name
// becomes a file's.
package namespace

import (
	"fmt"
	"strings"

	"github.com/wtsize/wtsize/sampler"
)

// Select says which namespaces are wanted. Empty fields ask for nothing, so the
// zero value wants every namespace but the system ones.
type Select struct {
	// DB and Coll are names in full. Where an input does not say what database
	// or collection it holds, they name it instead.
	DB, Coll string
	// Include and Exclude are patterns over "db.collection" as in mongorestore:
	// * stands for any text, \ takes the next character as it is.
	Include, Exclude []string
}

// Wants reports whether ns is asked for. Fields of ns that are not known (empty)
// fit everything that is asked of them by DB and Coll.
func (s Select) Wants(ns sampler.Namespace) bool {
	coll := strings.TrimPrefix(s.Coll, BucketPrefix)
	if s.DB != "" && ns.DB != "" && ns.DB != s.DB || coll != "" && ns.Coll != "" && ns.Coll != coll {
		return false
	}
	if len(s.Include) > 0 && !anyMatch(s.Include, ns) {
		return false
	}
	return !anyMatch(s.Exclude, ns)
}

// All: nothing was selected, so everything is wanted.
func (s Select) All() bool {
	return s.DB == "" && s.Coll == "" && len(s.Include) == 0 && len(s.Exclude) == 0
}

// Names fills in what ns lacks.
func (s Select) Names(ns sampler.Namespace) sampler.Namespace {
	if ns.DB == "" {
		ns.DB = s.DB
	}
	if ns.Coll == "" {
		ns.Coll = s.Coll
	}
	return ns
}

// asksFor: database db is meant by name, so its being a system one is no
// reason to leave it out.
func (s Select) asksFor(db string) bool {
	if s.DB == db {
		return true
	}
	for _, p := range s.Include {
		if head, _, ok := strings.Cut(p, "."); ok && head == db {
			return true
		}
	}
	return false
}

// Check reports a pattern that can't be meant.
func (s Select) Check() error {
	for _, p := range append(append([]string{}, s.Include...), s.Exclude...) {
		if p == "" {
			return fmt.Errorf("empty namespace pattern")
		}
		if n := len(p) - len(strings.TrimRight(p, `\`)); n%2 == 1 {
			return fmt.Errorf("namespace pattern %q ends in a lone backslash", p)
		}
	}
	return nil
}

// anyMatch tries each pattern. Of a namespace whose database is not known, the
// part after the pattern's first dot is compared.
func anyMatch(patterns []string, ns sampler.Namespace) bool {
	for _, p := range patterns {
		if _, coll, ok := strings.Cut(p, "."); ok && ns.DB == "" {
			p = coll
		}
		if Match(p, ns.String()) {
			return true
		}
	}
	return false
}

// Match reports whether the whole of name fits pattern. It takes time in
// proportion to the product of the lengths at most.
func Match(pattern, name string) bool {
	p, n := 0, 0
	star, retry := -1, 0 // last * met, and where in name it ends for now
	for n < len(name) {
		c, width, wild := literal(pattern, p)
		switch {
		case wild:
			star, retry = p+width, n
			p += width
		case width > 0 && c == name[n]:
			p += width
			n++
		case star >= 0:
			retry++
			p, n = star, retry
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// literal is the pattern's unit at p: a wild card, or one byte to be equal to.
// Its width is 0 at the end.
func literal(pattern string, p int) (c byte, width int, wild bool) {
	switch {
	case p >= len(pattern):
		return 0, 0, false
	case pattern[p] == '*':
		return 0, 1, true
	case pattern[p] == '\\' && p+1 < len(pattern):
		return pattern[p+1], 2, false
	}
	return pattern[p], 1, false
}
