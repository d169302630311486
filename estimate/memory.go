package estimate

import "slices"

// memory bounds what all open stores hold together: an archive has several
// collections open at a time.
type memory struct {
	limit, held int64
	stores      []*store // in the order in which they were opened
}

// sampleMemory bounds the documents held for all collections together.
const sampleMemory = 96 << 20

func newMemory(limit int64) *memory { return &memory{limit: limit} }

func (m *memory) join(s *store) { m.stores = append(m.stores, s) }

func (m *memory) leave(s *store) {
	m.held -= s.held
	s.held = 0
	m.stores = slices.DeleteFunc(m.stores, func(o *store) bool { return o == s })
}

// grow accounts for n more bytes and lets the largest store thin out when all
// of them are over the limit.
func (m *memory) grow(n int64) {
	m.held += n
	if n <= 0 || m.held <= m.limit {
		return
	}
	var largest *store
	for _, s := range m.stores {
		if largest == nil || s.held > largest.held {
			largest = s
		}
	}
	if largest != nil && !largest.chosenRuns && len(largest.kept) > 1 {
		largest.halve()
	}
}
