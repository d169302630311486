package dump

import (
	"io"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream"
)

// tailWindows are the stretches before the end that are searched for a chain of
// documents which ends there. The last holds two of the largest documents.
var tailWindows = []int64{256 << 10, 2 << 20, 3 * sampler.MaxDocumentBytes}

// tail looks whether the file ends with a whole document, as a file that was
// cut or padded does not. Where it does not, the fault says so and the finder
// takes what is before it for the file.
func (f *finder) tail() *sampler.Fault {
	size, broke := f.end, int64(-1)
	for _, w := range tailWindows {
		from := max(0, size-w)
		f.start(from)
		if from == 0 {
			broke = f.follow(0, size)
		} else {
			broke = f.longest(from, size)
		}
		if broke == size {
			return nil
		}
		if from == 0 {
			break
		}
	}
	if broke < 0 {
		return nil
	}
	f.end = broke
	return f.faultAt(size)
}

// longest follows the chains of documents between two offsets and gives the
// place where the last of those that are long enough breaks; the end, when one
// does not break; -1 when there is none.
func (f *finder) longest(from, to int64) int64 {
	best := int64(-1)
	for p := f.candidate(from, to); p < to; p = f.candidate(p+1, to) {
		if f.dead[p] {
			continue
		}
		q := p
		for q < to && !f.dead[q] {
			doc := f.document(q)
			if doc == nil {
				break
			}
			f.dead[q] = true
			q += int64(len(doc))
		}
		if q == to {
			return to
		}
		if q-p >= f.met.chainBytes() && q > p {
			best = max(best, q)
		}
	}
	return best
}

// faultAt is what reading on from the end of the good part comes to.
func (f *finder) faultAt(size int64) *sampler.Fault {
	rest := io.NewSectionReader(f.r, f.end, size-f.end)
	r := stream.NewReader(rest, f.name, f.end, nil)
	for {
		doc, err := r.Document()
		if err == io.EOF {
			f.end = size
			return nil
		}
		if err != nil {
			return stream.AsFault(err)
		}
		f.end += int64(len(doc))
	}
}
