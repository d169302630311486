package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/sampler/generate"
)

// decimalBytes reads a size such as 100MB or 10GB.
func decimalBytes(s string) (int64, error) {
	for suffix, unit := range map[string]int64{"MB": 1e6, "GB": 1e9} {
		if number, ok := strings.CutSuffix(s, suffix); ok {
			if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > 0 && n < math.MaxInt64/unit {
				return n * unit, nil
			}
		}
	}
	return 0, fmt.Errorf("%q: want a size such as 100MB or 10GB", s)
}

// generateFile writes documents of a shape until the file would exceed size.
func generateFile(path, shape string, size int64) (written int64, err error) {
	s, err := generate.New(shape, 1)
	if err != nil {
		return 0, err
	}
	const probe = 1000
	var sum int64
	for range probe {
		sum += int64(len(s.Next()))
	}
	s.Expect(max(1, size*probe/sum))
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for err == nil {
		doc := s.Next()
		if written+int64(len(doc)) > size {
			break
		}
		_, err = w.Write(doc)
		written += int64(len(doc))
	}
	return written, errors.Join(err, w.Flush(), f.Close())
}

func gzipFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(out)
	_, err = io.Copy(z, in)
	return errors.Join(err, z.Close(), out.Close())
}

// passBytes of a file are enough to time codecs on.
const passBytes = 32 << 20

// plainPass is the CPU time in seconds that all four codecs take together to
// compress one byte of a file once, in pieces as large as a full page image.
func plainPass(ctx context.Context, path string) (float64, error) {
	const piece = 118_784
	var spent float64
	var settings []codec.Codec
	for _, s := range codec.Defaults() {
		c, err := codec.New(s)
		if err != nil {
			return 0, err
		}
		settings = append(settings, c)
	}
	var batch []byte
	var total int64
	enough := errors.New("enough")
	err := documents(ctx, path, func(doc []byte) error {
		if batch = append(batch, doc...); len(batch) < piece {
			return nil
		}
		start := processCPU()
		for _, c := range settings {
			if _, err := c.Compress(batch); err != nil {
				return err
			}
		}
		spent += processCPU() - start
		total += int64(len(batch))
		if batch = batch[:0]; total >= passBytes {
			return enough
		}
		return nil
	})
	if err != nil && !errors.Is(err, enough) {
		return 0, err
	}
	if total == 0 {
		return 0, fmt.Errorf("%s: too small to time codecs on", path)
	}
	return spent / float64(total), nil
}
