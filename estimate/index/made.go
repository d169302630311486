package index

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/wtsize/wtsize/estimate/keystring"
)

// A maker holds the entries made for a window, without a pointer in any of
// them: there are very many, and they are sorted.
type maker struct {
	bytes []byte
	list  []madeEntry
	ranks []rank      // scratch
	spare []madeEntry // likewise
}

// A rank is what entries are sorted by, short as it is moved about much.
type rank struct {
	head uint64 // bytes of order after what all have in common
	at   uint32 // in the list
}

// A madeEntry is an entry as it goes into the table: key and value stand behind
// each other at at. order is where it stands: at its key, or with its clump,
// there in the order of being made.
type madeEntry struct {
	at, order        uint32
	key, value, size uint32 // lengths: of order, size
}

// mostBytes are far more than windows of ordinary keys take; offsets hold them.
const mostBytes = 256 << 20

func (m *maker) reset() { m.bytes, m.list = m.bytes[:0], m.list[:0] }

func (m *maker) len() int { return len(m.list) }

func (m *maker) keyOf(e *madeEntry) []byte   { return m.bytes[e.at:][:e.key] }
func (m *maker) valueOf(e *madeEntry) []byte { return m.bytes[e.at+e.key:][:e.value] }
func (m *maker) orderOf(e *madeEntry) []byte { return m.bytes[e.order:][:e.size] }

// recordID is the int64 RecordId of an entry.
func (m *maker) recordID(e *madeEntry, inKey bool) (id int64, ok bool) {
	if inKey {
		return keystring.LastRecordID(m.keyOf(e))
	}
	return keystring.FirstRecordID(m.valueOf(e))
}

// unit notes where the entries of a clump stand that keeps together.
func (m *maker) unit(order []byte) (at, size uint32) {
	at = uint32(len(m.bytes))
	m.bytes = append(m.bytes, order...)
	return at, uint32(len(order))
}

// add takes an entry that stands at its key where size is 0, else with its unit.
func (m *maker) add(e keystring.Entry, recordInKey bool, order, size uint32) {
	if len(m.bytes)+len(e.Key)+len(e.Record)+len(e.Bits) > mostBytes {
		return
	}
	n := madeEntry{at: uint32(len(m.bytes)), order: order, size: size}
	n.key = uint32(len(e.Key))
	if recordInKey {
		n.key += uint32(len(e.Record))
	}
	m.bytes = append(append(append(m.bytes, e.Key...), e.Record...), e.Bits...)
	n.value = uint32(len(m.bytes)) - n.at - n.key
	if size == 0 {
		n.order, n.size = n.at, n.key
	}
	m.list = append(m.list, n)
}

// sort puts the entries into their order.
func (m *maker) sort() {
	if len(m.list) == 0 {
		return
	}
	first := m.orderOf(&m.list[0])
	common := len(first)
	for i := range m.list {
		o := m.orderOf(&m.list[i])
		if len(o) < common || !bytes.Equal(o[:common], first[:common]) {
			common = commonPrefix(o, first[:common])
		}
	}
	m.ranks = m.ranks[:0]
	for i := range m.list {
		m.ranks = append(m.ranks, rank{head(m.orderOf(&m.list[i])[common:]), uint32(i)})
	}
	sortRanks(m.ranks, func(a, b uint32) int {
		x, y := &m.list[a], &m.list[b]
		if x.order == y.order {
			return 0
		}
		return bytes.Compare(m.orderOf(x), m.orderOf(y))
	})
	m.spare = m.spare[:0]
	for _, r := range m.ranks {
		m.spare = append(m.spare, m.list[r.at])
	}
	m.list, m.spare = m.spare, m.list
}

// sortRanks sorts by head, then as compare says, then by place in the list.
func sortRanks(ranks []rank, compare func(a, b uint32) int) {
	slices.SortFunc(ranks, func(a, b rank) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		if c := compare(a.at, b.at); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
}

// find is the first entry that does not stand before order.
func (m *maker) find(order []byte) int {
	i, _ := slices.BinarySearchFunc(m.list, order, func(e madeEntry, order []byte) int {
		return bytes.Compare(m.orderOf(&e), order)
	})
	return i
}
