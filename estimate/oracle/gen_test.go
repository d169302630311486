//go:build oracle

package oracle

import (
	"encoding/binary"
	"iter"
	"math/rand/v2"
	"strconv"
)

// generated yields n documents of about 200 bytes that compress to a third:
// {_: "<words>"}.
func generated(n int) iter.Seq2[[]byte, error] {
	return worded(n, 2, func(_ int, r *rand.Rand) int { return 150 + r.IntN(100) })
}

// worded yields n such documents of other sizes.
func worded(n int, seed uint64, size func(i int, r *rand.Rand) int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		r := rand.New(rand.NewPCG(1, seed))
		for i := range n {
			text, enough := strconv.AppendInt([]byte("record "), int64(i), 10), size(i, r)
			for len(text) < enough {
				text = strconv.AppendInt(append(text, " word "...), r.Int64N(1000), 10)
			}
			if !yield(stringDocument(string(text)), nil) {
				return
			}
		}
	}
}

// stringDocument is the BSON of {_: text}.
func stringDocument(text string) []byte {
	doc := binary.LittleEndian.AppendUint32(nil, uint32(4+1+2+4+len(text)+1+1))
	doc = append(doc, 2, '_', 0)
	doc = binary.LittleEndian.AppendUint32(doc, uint32(len(text)+1))
	doc = append(doc, text...)
	return append(doc, 0, 0)
}
