package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// A Sorter puts the entries of an index into key order within a bound of
// memory. What does not fit goes to temporary files, in sorted runs.
//
// Keys are document content, so the files are unreadable: encrypted under a key
// that exists in this process only, mode 0600, and without a name as soon as
// they are open, where the system allows that.
type Sorter struct {
	limit int // bytes of entries held in memory
	dir   string

	arena []byte
	refs  []ref
	runs  []*spill
	count int64
	bytes int64 // of keys and values
}

// A ref is an entry in the arena, with the start of its key for quick comparing.
type ref struct {
	head uint64
	at   uint32
}

const refBytes = 16

// NewSorter returns a sorter that holds up to limit bytes (twice that for moments,
// while it grows) and spills into dir,
// the system's temporary directory where dir is "".
func NewSorter(limit int64, dir string) *Sorter {
	const least, most = 1 << 20, 1 << 30
	return &Sorter{limit: int(min(max(limit, least), most)), dir: dir}
}

// errTooLong: a key or value is longer than any document can make.
var errTooLong = errors.New("index entry over 64 MiB")

// Add takes a copy of an entry.
func (s *Sorter) Add(key, value []byte) error {
	const longest = 64 << 20
	if len(key) > longest || len(value) > longest {
		return errTooLong
	}
	if len(s.refs) > 0 && len(s.arena)+len(key)+len(value)+refBytes*len(s.refs) > s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.refs = append(s.refs, ref{head(key), uint32(len(s.arena))})
	s.arena = appendEntry(s.arena, key, value)
	s.count++
	s.bytes += int64(len(key) + len(value))
	return nil
}

// Bytes is what the entries added have of keys and values.
func (s *Sorter) Bytes() int64 { return s.bytes }

// Len is the number of entries added.
func (s *Sorter) Len() int64 { return s.count }

// head is the first eight bytes as a number that sorts as they do.
func head(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

func appendEntry(dst, key, value []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = binary.AppendUvarint(dst, uint64(len(value)))
	return append(append(dst, key...), value...)
}

// entryAt reads what appendEntry wrote.
func entryAt(b []byte) (key, value []byte) {
	k, n := binary.Uvarint(b)
	v, m := binary.Uvarint(b[n:])
	b = b[n+m:]
	return b[:k:k], b[k : k+v : k+v]
}

func (s *Sorter) sort() {
	slices.SortFunc(s.refs, func(a, b ref) int {
		if a.head != b.head {
			if a.head < b.head {
				return -1
			}
			return 1
		}
		x, _ := entryAt(s.arena[a.at:])
		y, _ := entryAt(s.arena[b.at:])
		return bytes.Compare(x, y)
	})
}

func (s *Sorter) spill() error {
	s.sort()
	f, err := newSpill(s.dir)
	if err != nil {
		return err
	}
	s.runs = append(s.runs, f)
	for _, r := range s.refs {
		key, value := entryAt(s.arena[r.at:])
		if err := f.write(key, value); err != nil {
			return err
		}
	}
	s.refs, s.arena = s.refs[:0], s.arena[:0]
	return f.rewind()
}

// Each visits the entries in key order; key and value are valid during the call
// only. Nothing can be added afterwards.
func (s *Sorter) Each(visit func(key, value []byte) error) error {
	s.sort()
	if len(s.runs) == 0 {
		for _, r := range s.refs {
			key, value := entryAt(s.arena[r.at:])
			if err := visit(key, value); err != nil {
				return err
			}
		}
		return nil
	}
	m := merge{}
	for _, f := range s.runs {
		if err := m.push(f.next); err != nil {
			return err
		}
	}
	i := 0
	memory := func() (key, value []byte, ok bool, err error) {
		if i == len(s.refs) {
			return nil, nil, false, nil
		}
		key, value = entryAt(s.arena[s.refs[i].at:])
		i++
		return key, value, true, nil
	}
	if err := m.push(memory); err != nil {
		return err
	}
	return m.each(visit)
}

// Close gives back memory and files. It may be called more than once.
func (s *Sorter) Close() error {
	var errs []error
	for _, f := range s.runs {
		errs = append(errs, f.close())
	}
	s.runs, s.arena, s.refs = nil, nil, nil
	return errors.Join(errs...)
}
