package dump

import (
	"encoding/binary"
	"io"
	"sort"

	"github.com/wtsize/wtsize/sampler"
)

// maxHops is how many documents a file may have for their lengths to be read
// one by one: a read of a few bytes each, a second at most on a cold SSD.
const maxHops = 10_000

// hop goes from document to document by their lengths, where the first ones
// promise few: then their number is exact, every boundary is known, and no run
// has to look for one among documents of many megabytes. It gives up, false,
// where they turn out to be many.
func (s *Runs) hop() bool {
	f := s.f
	if s.mean == 0 || float64(f.end)/s.mean > maxHops {
		return false
	}
	var at []int64
	p, ok := int64(0), true
	for ok && p < f.end {
		if at = append(at, p); len(at) > 2*maxHops {
			return false
		}
		var n int64
		if n, ok = f.frame(p); ok {
			p += n
		}
	}
	if f.err != nil {
		return false
	}
	s.at, s.Exact = at, true
	if !ok {
		size := f.end
		s.at, f.end = at[:len(at)-1], p
		s.Tail = f.faultAt(size)
	}
	return true
}

// frame is the length of the document at offset at, by its length and its
// terminating zero alone.
func (f *finder) frame(at int64) (n int64, ok bool) {
	length, end := [4]byte{}, [1]byte{}
	if !f.readFull(length[:], at) {
		return 0, false
	}
	n = int64(int32(binary.LittleEndian.Uint32(length[:])))
	if n < minDocument || n > sampler.MaxDocumentBytes || n > f.end-at {
		return 0, false
	}
	return n, f.readFull(end[:], at+n-1) && end[0] == 0
}

// readFull reads aside of the window.
func (f *finder) readFull(p []byte, at int64) bool {
	got, err := f.r.ReadAt(p, at)
	f.read(got)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return got == len(p)
}

// boundary is the first one at or after the offset, of those that hop met.
func (s *Runs) boundary(at int64) int64 {
	i := sort.Search(len(s.at), func(i int) bool { return s.at[i] >= at })
	if i == len(s.at) {
		return s.f.end
	}
	return s.at[i]
}
