//go:build oracle

package oracle

import (
	"context"
	"iter"

	"github.com/wtsize/wtsize/sampler"
)

// A Source gives the model all documents of one collection.
type Source struct {
	Collection sampler.Collection
	Docs       iter.Seq2[[]byte, error]
}

func (s Source) Kind() string { return "generated" }
func (s Source) Name() string { return s.Collection.NS.String() }

// Read delivers everything, whatever the budget.
func (s Source) Read(_ context.Context, _ sampler.Budget, v sampler.Visitor) error {
	sink, err := v.Begin(s.Collection)
	if err != nil {
		return err
	}
	end := sampler.End{CountMeasured: true, Method: "all"}
	for doc, err := range s.Docs {
		if err == nil {
			err = sink.Document(doc)
		}
		if err != nil {
			return err
		}
		end.Documents++
		end.Bytes += int64(len(doc))
	}
	end.Count, end.Size = end.Documents, end.Bytes
	return v.End(s.Collection, end)
}
