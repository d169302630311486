package live

import (
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// growth is how _id was found to follow natural order.
type growth struct {
	documents   int
	correlation float64
	// headOnly: the server shows no other part in natural order.
	headOnly bool
}

const (
	// growthSample is how many documents each part of the test looks at.
	growthSample = 200
	// growthLeast is the fewest that prove anything: eight values in order by
	// chance is one in 8! = 40320.
	growthLeast = 8
	// growthCorrelation is the rank correlation from which ranges of _id stand
	// for neighbours. Parallel writers swap documents within moments, which
	// hardly moves it; random _ids give about 0.
	growthCorrelation = 0.99
)

// testGrowth compares the order of _id with natural order: over documents from
// anywhere by their RecordIds, or over the two ends of a natural scan.
func (r *reading) testGrowth(ctx context.Context) (growth, error) {
	if !r.n.hello.router() {
		g, err := r.growthByRecordID(ctx)
		if err == nil || final(err) && !isRefused(err) {
			return g, err
		}
		if isRefused(err) && errors.Is(err, errNotGrowing) {
			return g, err
		}
	}
	return r.growthByEnds(ctx)
}

var errNotGrowing = refused{"_id does not grow as documents are stored"}

func isRefused(err error) bool { return errors.As(err, new(refused)) }

func (r *reading) growthByRecordID(ctx context.Context) (growth, error) {
	d, err := r.drawKeys(ctx, growthSample)
	if err != nil {
		return growth{}, err
	}
	marks, err := r.locate(ctx, d.keys)
	if err != nil {
		return growth{}, err
	}
	if len(marks) < growthLeast {
		return growth{}, refuse("too few RecordIds to compare _id with")
	}
	order := make([]key, len(marks))
	for i, m := range marks {
		order[i] = m.id
	}
	return judge(growth{documents: len(order), correlation: growing(order)})
}

func (r *reading) growthByEnds(ctx context.Context) (growth, error) {
	head, err := r.naturalKeys(ctx, 1)
	if err != nil && !final(err) {
		head, err = r.naturalKeys(ctx, 0)
	}
	if err != nil {
		return growth{}, err
	}
	if len(head) < growthLeast {
		return growth{}, refuse("too few documents to compare the order of _id with")
	}
	g := growth{documents: len(head), correlation: growing(head), headOnly: true}
	if g.correlation < growthCorrelation {
		return judge(g)
	}
	end, err := r.naturalKeys(ctx, -1)
	if err != nil && final(err) {
		return growth{}, err
	}
	// A server that ignores the hint gives the head again.
	if err == nil && len(end) >= growthLeast && compare(end[0], head[0]) != 0 {
		slices.Reverse(end)
		g.headOnly = false
		g.documents += len(end)
		g.correlation = min(g.correlation, growing(end), growing(append(head, end...)))
	}
	return judge(g)
}

func judge(g growth) (growth, error) {
	if g.correlation < growthCorrelation {
		return g, errNotGrowing
	}
	return g, nil
}

func (r *reading) naturalKeys(ctx context.Context, natural int) ([]key, error) {
	a, err := r.find(ctx, query{natural: natural, limit: growthSample, project: bson.D{{Key: "_id", Value: 1}}})
	if err != nil {
		return nil, err
	}
	return keysOf(a.docs, "_id"), nil
}
