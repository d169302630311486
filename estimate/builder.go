package estimate

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/wtsize/wtsize/estimate/build"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// table is everything about a collection's table that is not a compressor.
type table struct {
	settings wt.Table
	release  wt.Release
	topology string
	pattern  string
	cache    int64
	// key gives a document's table key; nil: RecordIds from 1 on.
	key func(doc []byte) []byte
}

// records turns documents into keyed records with their time windows.
type records struct {
	t    table
	past history
	id   int64
	buf  []byte
}

func newRecords(t table, firstID int64) *records {
	return &records{t: t, past: newHistory(t.topology, t.pattern), id: firstID}
}

// next is the key and window of the next document, valid until the next call.
func (r *records) next(doc []byte) ([]byte, wt.TimeWindow) {
	w := r.past.next(len(doc))
	if r.t.key != nil {
		return r.t.key(doc), w
	}
	r.buf = wt.AppendPackedInt64(r.buf[:0], r.id)
	r.id++
	return r.buf, w
}

// builder builds a whole collection under every setting at once while its
// documents stream past. Tables work at their own pace, a page or two apart.
type builder struct {
	records *records
	pager   *reconcile.Pager
	tables  []*build.Table
	feeds   []chan *reconcile.Page
	wg      sync.WaitGroup
	fail    context.CancelCauseFunc
	ctx     context.Context
	batches *batcher
}

// built is what became of one setting, and images to time its codec on.
type built struct {
	file      build.File
	low, high int64 // sizes that other courses of events come to
	images    [][]byte
}

// newBuilt picks the file to report from one for each overlap: of the courses
// in which reconciliations overlap, the one in the middle. Which chunk comes
// first moves a course by about a percent either way; the middle of several
// stays closer to what the engine's loads come to on average.
func newBuilt(files []build.File, images [][]byte) built {
	around := files[:1]
	if len(files) > 1 {
		around = slices.Clone(files[1:])
	}
	bySize := func(a, b build.File) int { return cmp.Compare(a.Size, b.Size) }
	slices.SortStableFunc(around, bySize)
	return built{
		file: around[(len(around)-1)/2], images: images,
		low: slices.MinFunc(files, bySize).Size, high: slices.MaxFunc(files, bySize).Size,
	}
}

func newBuilder(t table, o Options, pool *build.Pool) *builder {
	b := &builder{records: newRecords(t, 1), batches: &batcher{}}
	b.ctx, b.fail = context.WithCancelCause(context.Background())
	b.pager = reconcile.NewPager(t.settings, t.release, t.cache, b.page)
	for _, s := range o.Compressors {
		tb := build.New(buildConfig(t, s, o), pool)
		feed := make(chan *reconcile.Page, 1)
		b.tables, b.feeds = append(b.tables, tb), append(b.feeds, feed)
		b.wg.Add(1)
		go b.run(tb, feed)
	}
	return b
}

func buildConfig(t table, s codec.Setting, o Options) build.Config {
	return build.Config{
		Table: t.settings, Setting: s, Release: t.release, CacheBytes: t.cache,
		Overlaps: o.overlaps(), Margin: margin(s), Images: timedImages, Seed: uint64(o.Seed),
	}
}

func (b *builder) run(t *build.Table, feed chan *reconcile.Page) {
	defer b.wg.Done()
	for p := range feed {
		if b.ctx.Err() != nil {
			continue
		}
		if err := t.Page(p); err != nil {
			b.fail(err)
		}
	}
}

func (b *builder) page(p *reconcile.Page) error {
	b.batches.page(p)
	for _, feed := range b.feeds {
		feed <- p
	}
	return context.Cause(b.ctx)
}

// add takes the next document.
func (b *builder) add(doc []byte) error {
	key, w := b.records.next(doc)
	return b.pager.Add(key, w, doc)
}

// close ends the goroutines; the builder's figures are lost unless finish ran.
func (b *builder) close() {
	for _, feed := range b.feeds {
		close(feed)
	}
	b.feeds = nil
	b.wg.Wait()
}

// finish builds what is left and returns one result for each setting.
func (b *builder) finish() ([]built, error) {
	err := b.pager.Close()
	b.close()
	if err == nil {
		err = context.Cause(b.ctx)
	}
	if err != nil {
		return nil, err
	}
	out := make([]built, len(b.tables))
	for i, t := range b.tables {
		b.wg.Add(1)
		go func() {
			defer b.wg.Done()
			files, err := t.Finish()
			if err != nil {
				b.fail(err)
				return
			}
			out[i] = newBuilt(files, t.Images())
		}()
	}
	b.wg.Wait()
	return out, context.Cause(b.ctx)
}
