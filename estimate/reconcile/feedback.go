package reconcile

import "github.com/wtsize/wtsize/estimate/wt"

// Feedback is the pre-compression size of a tree: the page size that the next
// reconciliation packs to. It is a value; Wrote returns the changed one.
//
// WiredTiger: src/reconcile/rec_write.c, __rec_compression_adjust.
type Feedback struct {
	Size     int64
	pageMax  int64
	imageMax int64
	on       bool
}

// NewFeedback is the state of a freshly opened tree: the value is not stored.
func NewFeedback(t wt.Table) Feedback {
	return Feedback{Size: t.LeafStart(), pageMax: t.LeafPageMax, imageMax: t.ImageMax(), on: t.LeafFeedback()}
}

// Wrote gives the state after a leaf block: stored is its compressed size
// before rounding, 0 where compression was dropped, which changes nothing. The
// last chunk of a reconciliation may be tiny and so never raises the size.
func (f Feedback) Wrote(stored int64, last bool) Feedback {
	step := wt.FeedbackStep(f.pageMax)
	switch {
	case !f.on || stored == 0:
	case stored > f.pageMax:
		if f.Size-f.pageMax > step {
			f.Size -= step
		} else {
			f.Size = f.pageMax
		}
	case !last && stored <= f.pageMax-step:
		f.Size = min(f.Size+step, f.imageMax)
	}
	return f
}
