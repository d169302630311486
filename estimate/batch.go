package estimate

import (
	"errors"
	"sync"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
)

// batcher computes what people compute by hand, for reference: the plain ratio
// of fixed batches of whole documents. Some batches, evenly spaced over the
// collection, are enough to know it to a percent.
type batcher struct {
	batches [][]byte
	seen    int
	stride  int
}

const (
	handBatch   = 32 << 10
	perPage     = 8
	mostBatches = 256 // 8 MiB
)

// page takes batches from evenly spaced places of a page.
func (b *batcher) page(p *reconcile.Page) {
	n := p.Records()
	if n == 0 {
		return
	}
	per := min(perPage, max(1, len(p.Cells)/handBatch))
	for i := range per {
		if b.take() {
			b.batches = append(b.batches, batchAt(p, n*i/per))
		}
	}
}

// take says whether the next batch is kept: every stride-th. When the store is
// full, every second one goes and the stride doubles.
func (b *batcher) take() bool {
	b.stride = max(b.stride, 1)
	b.seen++
	if (b.seen-1)%b.stride != 0 {
		return false
	}
	if len(b.batches) == mostBatches {
		for i := range mostBatches / 2 {
			b.batches[i] = b.batches[2*i]
		}
		clear(b.batches[mostBatches/2:])
		b.batches = b.batches[:mostBatches/2]
		b.stride *= 2
		return (b.seen-1)%b.stride == 0
	}
	return true
}

func batchAt(p *reconcile.Page, at int) []byte {
	batch := make([]byte, 0, handBatch+handBatch/8)
	for ; at < p.Records() && len(batch) < handBatch; at++ {
		doc := p.Value(at)
		batch = append(batch, doc[:min(len(doc), handBatch)]...)
	}
	return batch
}

// ratio is compressed over plain size under a setting, computed by so many
// goroutines; 0 where nothing was seen.
func (b *batcher) ratio(s codec.Setting, jobs int) (float64, error) {
	plain, stored, errs := make([]int, jobs), make([]int, jobs), make([]error, jobs)
	var wg sync.WaitGroup
	for j := range jobs {
		wg.Go(func() { plain[j], stored[j], errs[j] = b.part(s, j, jobs) })
	}
	wg.Wait()
	var all, left int
	for j := range jobs {
		all, left = all+plain[j], left+stored[j]
	}
	return float64(left) / float64(max(1, all)), errors.Join(errs...)
}

// part compresses every of-th batch from one on.
func (b *batcher) part(s codec.Setting, from, of int) (plain, stored int, err error) {
	c, err := codec.New(s)
	if err != nil {
		return 0, 0, err
	}
	for i := from; i < len(b.batches); i += of {
		n, err := c.Compress(b.batches[i])
		if err != nil {
			return 0, 0, err
		}
		if n == 0 {
			n = len(b.batches[i])
		}
		plain += len(b.batches[i])
		stored += n
	}
	return plain, stored, nil
}
