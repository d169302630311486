//go:build oracle

package oracle

import (
	"fmt"
	"iter"

	"github.com/wtsize/wtsize/sampler"
)

// A Shape is a generated collection of a kind of its own. All stay under 5 % of a
// cache of 1 GiB: the checkpoint writes them, page after page, and the engine's
// file is the same each time.
type Shape struct {
	Name string // of package generate
	Docs int64
	// Clustered: the table is keyed by _id (key_format u), as that of a
	// time-series collection is.
	Clustered bool
}

// Shapes are one page, a few pages and many; documents of 30 bytes to 16 MB;
// what compresses well and not at all; a change half way; a giant among small
// ones; and a clustered table.
func Shapes() []Shape {
	return []Shape{
		{Name: "orders", Docs: 1}, {Name: "orders", Docs: 50}, {Name: "orders", Docs: 500}, {Name: "orders", Docs: 40_000},
		{Name: "orders", Docs: 40_000, Clustered: true},
		{Name: "log", Docs: 100_000}, {Name: "tiny", Docs: 180_000}, {Name: "random", Docs: 18_000},
		{Name: "grouped", Docs: 30_000}, {Name: "drift", Docs: 70_000},
		{Name: "heavy", Docs: 20_000}, {Name: "large", Docs: 12},
	}
}

func (s Shape) String() string {
	if s.Clustered {
		return fmt.Sprintf("%s, %d, clustered", s.Name, s.Docs)
	}
	return fmt.Sprintf("%s, %d", s.Name, s.Docs)
}

// Collection is what the model is told.
func (s Shape) Collection() sampler.Collection {
	c := sampler.Collection{NS: sampler.Namespace{Coll: s.String()}, Type: sampler.Plain}
	if s.Clustered {
		c.Type = sampler.Clustered
	}
	return c
}

// Source gives the documents to the model.
func (s Shape) Source() Source { return Source{s.Collection(), s.Documents()} }

// Documents are the same each time.
func (s Shape) Documents() iter.Seq2[[]byte, error] { return Generated(s.Name, s.Docs) }

// Load gives the documents to the engine.
func (s Shape) Load(dir string, c Config) (Result, error) {
	if s.Clustered {
		return LoadClustered(dir, s.Documents(), c)
	}
	return Load(dir, s.Documents(), c)
}
