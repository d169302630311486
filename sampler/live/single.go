package live

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// single reads documents from anywhere, without neighbours.
type single struct{}

const (
	// singleMost bounds the documents read singly: each may cost the server a
	// read of its own from disk.
	singleMost = 10_000
	// singleReply is about how many bytes one $sample is asked for.
	singleReply = 4 << 20
)

func (single) method() string { return MethodSingle }

func (single) notes() []sampler.Warning {
	return []sampler.Warning{note(MethodSingle, "documents were read singly: what neighbours have in common is not seen, and storageSize is overestimated")}
}

func probeSingle(ctx context.Context, r *reading) (way, error) {
	if _, err := r.sample(ctx, r.sampleSize(1), nil); err != nil {
		return nil, err
	}
	return single{}, nil
}

func (single) read(ctx context.Context, r *reading) error {
	most := min(singleMost, r.limit(r.goal))
	for r.end.Documents < most && r.end.Bytes < r.goal {
		size := r.sampleSize(min(most-r.end.Documents, r.limit(singleReply)))
		docs, err := r.sample(ctx, size, nil)
		if err != nil {
			return err
		}
		for _, d := range docs {
			i := r.end.Documents
			if err := r.run(float64(i)/float64(most), int(i), 0); err != nil {
				return err
			}
			if _, err := r.deliver([]bson.Raw{d}); err != nil {
				return err
			}
		}
		if err := r.breathe(ctx); err != nil {
			return err
		}
	}
	return nil
}
