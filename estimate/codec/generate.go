package codec

import (
	"encoding/binary"
	"math"
)

// rng is xorshift64*: its stream is fixed by this code alone, as checksums of
// generated data need.
type rng uint64

func (r *rng) next() uint64 {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = rng(x)
	return x * 0x2545f4914f6cdd1d
}

func (r *rng) below(n int) int { return int(r.next() >> 33 % uint64(n)) }

var (
	words  = []string{"amber", "basket", "copper", "dynamo", "ember", "falcon", "granite", "harbor", "island", "jasmine", "kernel", "lantern", "meadow", "nectar", "orchid", "pepper"}
	states = []string{"open", "paid", "shipped", "returned"}
)

// generatePage returns n bytes like those of a page of orders: cells with BSON
// documents of ids, words, numbers, dates, hexadecimal tokens and random bytes.
func generatePage(seed uint64, n int) []byte {
	r := rng(seed*0x9e3779b97f4a7c15 + 1)
	page := make([]byte, 0, n+1024)
	for id := uint64(1); len(page) < n; id++ {
		page = append(page, 0x05, 0x81, byte(id), 0x80, 0x02)
		page = appendDocument(page, &r, id)
	}
	return page[:n]
}

// appendDocument writes one BSON document.
func appendDocument(b []byte, r *rng, id uint64) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	b = append(b, "\x07_id\x00"...)
	b = binary.BigEndian.AppendUint32(b, 0x66f00000+uint32(id/7))
	b = binary.BigEndian.AppendUint64(b, 0x5d8f3a11c2000000+id)
	b = appendString(b, "status", states[r.below(len(states))])
	b = appendString(b, "customer", words[r.below(len(words))]+" "+words[r.below(len(words))])
	b = append(b, "\x10quantity\x00"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(r.below(100)))
	b = append(b, "\x01price\x00"...)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(r.below(100000))/100))
	b = append(b, "\x09created\x00"...)
	b = binary.LittleEndian.AppendUint64(b, 1700000000000+id*1009+uint64(r.below(1000)))
	b = appendString(b, "token", hex(r, 24))
	if r.below(4) == 0 {
		b = append(b, "\x05blob\x00\x20\x00\x00\x00\x00"...)
		for range 4 {
			b = binary.LittleEndian.AppendUint64(b, r.next())
		}
	}
	b = append(b, 0)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start))
	return b
}

func appendString(b []byte, name, value string) []byte {
	b = append(append(append(b, 2), name...), 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(value)+1))
	return append(append(b, value...), 0)
}

func hex(r *rng, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = "0123456789abcdef"[r.below(16)]
	}
	return string(out)
}
