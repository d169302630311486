package index

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// A spill is one sorted run on disk, enciphered with AES in counter mode under a
// random key of its own that is never stored.
type spill struct {
	file   *os.File
	named  bool // the name could not be taken away while open
	key    []byte
	iv     []byte
	w      *bufio.Writer
	r      *bufio.Reader
	buffer []byte // the entry last read
}

const spillBuffer = 128 << 10

// newSpill makes an empty run. os.CreateTemp opens it with mode 0600.
func newSpill(dir string) (*spill, error) {
	s := &spill{key: make([]byte, 16), iv: make([]byte, aes.BlockSize)}
	for _, b := range [][]byte{s.key, s.iv} {
		if _, err := rand.Read(b); err != nil {
			return nil, fmt.Errorf("sort index entries: %w", err)
		}
	}
	f, err := os.CreateTemp(dir, "wtsize-sort-*")
	if err != nil {
		return nil, fmt.Errorf("sort index entries: %w", err)
	}
	s.file, s.named = f, os.Remove(f.Name()) != nil
	stream, err := s.stream()
	if err != nil {
		return nil, err
	}
	s.w = bufio.NewWriterSize(cipher.StreamWriter{S: stream, W: f}, spillBuffer)
	return s, nil
}

func (s *spill) stream() (cipher.Stream, error) {
	c, err := aes.NewCipher(s.key)
	if err != nil {
		return nil, fmt.Errorf("sort index entries: %w", err)
	}
	return cipher.NewCTR(c, s.iv), nil
}

func (s *spill) write(key, value []byte) error {
	s.buffer = appendEntry(s.buffer[:0], key, value)
	if _, err := s.w.Write(s.buffer); err != nil {
		return fmt.Errorf("sort index entries: %w", err)
	}
	return nil
}

// rewind ends writing and starts reading.
func (s *spill) rewind() error {
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("sort index entries: %w", err)
	}
	s.w = nil
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("sort index entries: %w", err)
	}
	stream, err := s.stream()
	if err != nil {
		return err
	}
	s.r = bufio.NewReaderSize(cipher.StreamReader{S: stream, R: s.file}, spillBuffer)
	return nil
}

// next is a feed of the run's entries.
func (s *spill) next() (key, value []byte, ok bool, err error) {
	k, err := binary.ReadUvarint(s.r)
	if err == io.EOF {
		return nil, nil, false, nil
	}
	var v uint64
	if err == nil {
		v, err = binary.ReadUvarint(s.r)
	}
	if err != nil {
		return nil, nil, false, fmt.Errorf("sort index entries: %w", err)
	}
	if n := int(k + v); cap(s.buffer) < n {
		s.buffer = make([]byte, n)
	}
	s.buffer = s.buffer[:k+v]
	if _, err := io.ReadFull(s.r, s.buffer); err != nil {
		return nil, nil, false, fmt.Errorf("sort index entries: %w", err)
	}
	return s.buffer[:k], s.buffer[k:], true, nil
}

func (s *spill) close() error {
	err := s.file.Close()
	if s.named {
		os.Remove(s.file.Name())
	}
	return err
}
