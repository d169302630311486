package dump

import (
	"math/bits"

	"github.com/wtsize/wtsize/sampler"
)

// sizes counts the bytes met in documents of each power of two in size.
type sizes struct {
	bytes [32]int64
	total int64
}

func (s *sizes) add(n int) {
	s.bytes[bits.Len(uint(n))] += int64(n)
	s.total += int64(n)
}

// chainBytes is how long a chain has to be to leave the documents that three
// quarters of the bytes are in. Rarer giants are not waited for: a run that
// lands inside one is rare too, and waiting would read 32 MiB for every run.
func (s *sizes) chainBytes() int64 {
	var below int64
	for i, n := range s.bytes {
		below += n
		if below*4 >= s.total*3 {
			return min(int64(1)<<i, sampler.MaxDocumentBytes)
		}
	}
	return 0
}
