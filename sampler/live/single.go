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

// read hands over documents in packs as long as runs, so that pages are filled
// as they would be; only what lies side by side is chance.
func (single) read(ctx context.Context, r *reading) error {
	most := min(singleMost, r.limit(r.goal))
	var pack int64 // bytes of the pack so far
	for r.end.Documents < most && r.end.Bytes < r.goal {
		size := r.sampleSize(min(most-r.end.Documents, r.limit(singleReply)))
		docs, err := r.sample(ctx, size, nil)
		if err != nil {
			return err
		}
		for _, d := range docs {
			if pack == 0 {
				if err := r.run(float64(r.end.Documents)/float64(most), r.runs, 0); err != nil {
					return err
				}
			}
			n, err := r.deliver([]bson.Raw{d})
			if err != nil {
				return err
			}
			if pack += n; pack >= r.runBytes {
				pack = 0
			}
		}
		if err := r.breathe(ctx); err != nil {
			return err
		}
	}
	return nil
}
