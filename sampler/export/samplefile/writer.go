package samplefile

import (
	"errors"
	"hash/crc64"
	"io"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// batchBytes of documents are held back to be announced together.
const batchBytes = 256 << 10

// Writer is a sampler.Visitor that writes what it is told. It may be used by
// several Sources at a time. After the last, Close.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	crc  uint64
	err  error
	next int32
	open map[sampler.Namespace]*sink
}

// NewWriter starts a file for what is read from a source of the given kind and
// name. The caller makes the file readable for its owner alone: it holds
// documents.
func NewWriter(w io.Writer, kind, name string) (*Writer, error) {
	s := &Writer{w: w, open: map[sampler.Namespace]*sink{}}
	s.put(record{Tag: tag{Sample: version}, Kind: kind, Name: name})
	return s, s.err
}

// Begin is part of sampler.Visitor.
func (s *Writer) Begin(c sampler.Collection) (sampler.Sink, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[c.NS] != nil {
		return nil, errors.New("collection begun twice")
	}
	s.next++
	k := &sink{s: s, id: s.next}
	s.open[c.NS] = k
	s.put(begin(k.id, c))
	return k, s.err
}

// End is part of sampler.Visitor.
func (s *Writer) End(c sampler.Collection, e sampler.End) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.open[c.NS]
	if k == nil {
		return errors.New("collection ended before it began")
	}
	delete(s.open, c.NS)
	k.flush()
	k.held = nil
	f := packFault(e.Fault)
	e.Fault = nil
	s.put(record{Tag: tag{End: k.id}, End: &e, Fault: f})
	return s.err
}

// Skip is part of sampler.Visitor.
func (s *Writer) Skip(ns sampler.Namespace, f *sampler.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(record{Tag: tag{Skip: 1}, NS: &ns, Fault: packFault(f)})
}

// Close writes the last record. It does not close the io.Writer.
func (s *Writer) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(record{Tag: tag{EOF: 1}, CRC: int64(s.crc)})
	return s.err
}

func (s *Writer) put(r record) {
	if s.err != nil {
		return
	}
	doc, err := bson.Marshal(r)
	if err != nil {
		s.err = err
		return
	}
	s.write(doc)
}

func (s *Writer) write(p []byte) {
	if s.err != nil {
		return
	}
	s.crc = crc64.Update(s.crc, crcTable, p)
	_, s.err = s.w.Write(p)
}

// sink is one open collection.
type sink struct {
	s    *Writer
	id   int32
	held []byte
	n    int32
}

func (k *sink) Run(r sampler.Run) error {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	k.flush()
	k.s.put(record{Tag: tag{Run: k.id}, Run: &r})
	return k.s.err
}

func (k *sink) Document(doc []byte) error {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	k.held = append(k.held, doc...)
	if k.n++; len(k.held) >= batchBytes {
		k.flush()
	}
	return k.s.err
}

func (k *sink) flush() {
	if k.n == 0 {
		return
	}
	k.s.put(record{Tag: tag{Documents: k.id, N: k.n}})
	k.s.write(k.held)
	k.held, k.n = k.held[:0], 0
}
