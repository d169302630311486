package oracle

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/wtsize/wtsize/sampler/generate"
)

// maxDocument is the largest document a server stores: 16 MiB, and 16 KiB for
// what it adds itself.
const maxDocument = 16<<20 + 16<<10

// Generated yields n documents of a shape of package generate, seed 1.
func Generated(shape string, n int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		s, err := generate.New(shape, 1)
		if err != nil {
			yield(nil, err)
			return
		}
		s.Expect(n)
		for range n {
			if !yield(s.Next(), nil) {
				return
			}
		}
	}
}

// ReadBSON yields the documents of a .bson or .bson.gz file one by one, each
// valid until the next; after an error nothing follows.
func ReadBSON(path string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				yield(nil, fmt.Errorf("%s: %w", path, err))
				return
			}
		}
		documents(path, bufio.NewReaderSize(r, 1<<20), yield)
	}
}

func documents(name string, r io.Reader, yield func([]byte, error) bool) {
	var buf []byte
	var head [4]byte
	for offset := int64(0); ; {
		if _, err := io.ReadFull(r, head[:]); err == io.EOF {
			return
		} else if err != nil {
			yield(nil, fmt.Errorf("%s at offset %d: %w", name, offset, err))
			return
		}
		n := int(binary.LittleEndian.Uint32(head[:]))
		if n < 5 || n > maxDocument {
			yield(nil, fmt.Errorf("%s at offset %d: document of %d bytes", name, offset, n))
			return
		}
		if cap(buf) < n {
			buf = make([]byte, n)
		}
		buf = buf[:n]
		copy(buf, head[:])
		if _, err := io.ReadFull(r, buf[4:]); err != nil {
			yield(nil, fmt.Errorf("%s at offset %d: %w", name, offset, err))
			return
		}
		if !yield(buf, nil) {
			return
		}
		offset += int64(n)
	}
}
