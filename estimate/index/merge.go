package index

import (
	"bytes"
	"container/heap"
)

// A feed gives sorted entries one by one. What it gives is valid until the next
// call.
type feed func() (key, value []byte, ok bool, err error)

// merge joins sorted feeds into one.
type merge struct{ heads []mergeHead }

type mergeHead struct {
	head       uint64
	key, value []byte
	next       feed
}

func (m *merge) Len() int { return len(m.heads) }
func (m *merge) Less(i, j int) bool {
	a, b := &m.heads[i], &m.heads[j]
	if a.head != b.head {
		return a.head < b.head
	}
	return bytes.Compare(a.key, b.key) < 0
}
func (m *merge) Swap(i, j int) { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }
func (m *merge) Push(x any)    { m.heads = append(m.heads, x.(mergeHead)) }
func (m *merge) Pop() any {
	last := m.heads[len(m.heads)-1]
	m.heads = m.heads[:len(m.heads)-1]
	return last
}

// push adds a feed, unless it is empty.
func (m *merge) push(next feed) error {
	key, value, ok, err := next()
	if err != nil || !ok {
		return err
	}
	heap.Push(m, mergeHead{head(key), key, value, next})
	return nil
}

func (m *merge) each(visit func(key, value []byte) error) error {
	for len(m.heads) > 0 {
		h := &m.heads[0]
		if err := visit(h.key, h.value); err != nil {
			return err
		}
		key, value, ok, err := h.next()
		if err != nil {
			return err
		}
		if !ok {
			heap.Pop(m)
			continue
		}
		h.head, h.key, h.value = head(key), key, value
		heap.Fix(m, 0)
	}
	return nil
}
