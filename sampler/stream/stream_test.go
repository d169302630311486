package stream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"strings"
	"testing"
	"testing/iotest"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// doc is a document of n bytes: one binary element as padding.
func doc(n int) []byte {
	if n == minDocument {
		return []byte{5, 0, 0, 0, 0}
	}
	const frame = 4 + 1 + 2 + 4 + 1 + 1 // length, type, "p", length, subtype, end
	d := make([]byte, n)
	binary.LittleEndian.PutUint32(d, uint32(n))
	d[4], d[5] = byte(bson.TypeBinary), 'p'
	binary.LittleEndian.PutUint32(d[7:], uint32(n-frame))
	for i := 12; i < n-1; i++ {
		d[i] = byte(i)
	}
	return d
}

// zstdHeader starts a frame with a window of n bytes, a power of two, and one
// raw block: RFC 8878, 3.1.1.
func zstdHeader(n int) []byte {
	exponent := byte(bits.Len(uint(n)) - 1 - 10)
	return []byte{0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3, 1 | 5<<3, 0, 0, 5, 0, 0, 0, 0}
}

// frames reads in to its end and gives the lengths of its documents.
func frames(in io.Reader) (lengths []int, kind Kind, err error) {
	s, err := Sniff(in, "in", nil)
	if err != nil {
		return nil, "", err
	}
	defer s.Close()
	for {
		d, err := s.Document()
		if err == io.EOF {
			return lengths, s.Kind, nil
		}
		if err != nil {
			return lengths, s.Kind, err
		}
		lengths = append(lengths, len(d))
	}
}

func TestFrames(t *testing.T) {
	a, b := doc(100), doc(70_000)
	both := append(append([]byte{}, a...), b...)
	with := func(tail ...byte) []byte { return append(append([]byte{}, both...), tail...) }
	broken := func(at int, c byte) []byte {
		p := with()
		p[at] = c
		return p
	}
	cut := streamtest.Gzipped(bytes.Repeat(both, 50))
	for _, c := range []struct {
		name    string
		in      []byte
		lengths int
		at      int64 // offset of the fault, -2: none
		why     string
	}{
		{"empty", nil, 0, -2, ""},
		{"two", both, 2, -2, ""},
		{"five bytes", doc(5), 1, -2, ""},
		{"largest", doc(sampler.MaxDocumentBytes), 1, -2, ""},
		{"too large", doc(sampler.MaxDocumentBytes + 1), 0, 0, "impossible document length"},
		{"length of four", with(4, 0, 0, 0, 0), 2, 70_100, "impossible document length 4"},
		{"negative length", with(0xff, 0xff, 0xff, 0xff, 0), 2, 70_100, "impossible document length -1"},
		{"cut in a length", with(7, 0, 0), 2, 70_100, "cut inside a document's length, after 3 of 4"},
		{"cut in a document", both[:70_000], 1, 100, "cut inside a document, after 69900 of 70000"},
		{"one zero", with(0), 2, 70_100, "zero bytes"},
		{"zeros", with(make([]byte, 5000)...), 2, 70_100, "zero bytes"},
		{"no zero at the end", broken(99, 1), 0, 0, "does not end in a zero byte"},
		{"text", with([]byte("2026-01-01 and so on")...), 2, 70_100, "text where a document should start"},
		{"odd inside, next in order", broken(4, 0x55), 2, -2, ""},
		{"only text", []byte("hello, world"), 0, 0, "this is text"},
		{"log line", with([]byte("2026-08-30T12:34:56.789+0000\tdone dumping\n")...), 2, 70_100, "log line of the dump tool"},
		{"gzip", streamtest.Gzipped(both), 2, -2, ""},
		{"zstd", streamtest.Zstded(both), 2, -2, ""},
		{"gzip in zstd", streamtest.Zstded(streamtest.Gzipped(both)), 2, -2, ""},
		{"two members", append(streamtest.Gzipped(a), streamtest.Gzipped(b)...), 2, -2, ""},
		{"two frames", append(streamtest.Zstded(a), streamtest.Zstded(b)...), 2, -2, ""},
		{"skippable frame", append([]byte{0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4}, streamtest.Zstded(both)...), 2, -2, ""},
		{"window too large", zstdHeader(256 << 20), 0, 0, "window of more than 128 MiB"},
		{"empty gzip", streamtest.Gzipped(nil), 0, -2, ""},
		{"gzip header cut", streamtest.Gzipped(both)[:6], 0, 0, "gzip data is cut short"},
		{"gzip cut", cut[:len(cut)-9], 0, 0, "gzip data is cut short"},
		{"five times over", streamtest.Gzipped(streamtest.Gzipped(streamtest.Gzipped(streamtest.Gzipped(streamtest.Gzipped(both))))), 0, 0, "more than four times"},
		{"WiredTiger file", append([]byte{0x41, 0xd8, 1, 0, 1, 0}, make([]byte, 130_000)...), 0, 0, "WiredTiger data file"},
		{"log before gzip", append([]byte("2026-08-30T12:34:56.789+0000\twriting a.b\n"), streamtest.Gzipped(both)...), 0, 0, "log lines of the dump tool"},
		{"xz", []byte("\xfd7zXZ\x00\x00"), 0, 0, "xz file"},
		{"UTF-16", []byte("\xff\xfe[\x00{\x00\"\x00"), 0, 0, "UTF-16"},
	} {
		lengths, _, err := frames(bytes.NewReader(c.in))
		var f *sampler.Fault
		errors.As(err, &f)
		switch {
		case c.at == -2 && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.at >= 0 && (f == nil || !strings.Contains(f.Why, c.why)):
			t.Errorf("%s: fault %v, want %q", c.name, err, c.why)
		case c.at > 0 && f.Offset != c.at:
			t.Errorf("%s: fault at %d, want %d", c.name, f.Offset, c.at)
		case c.name == "gzip cut" && len(lengths) < 90: // the rest sits in the cut block
			t.Errorf("%s: %d documents before the fault", c.name, len(lengths))
		case c.name != "gzip cut" && len(lengths) != c.lengths:
			t.Errorf("%s: %d documents, want %d", c.name, len(lengths), c.lengths)
		}
	}
}

// TestEveryCut cuts a stream at every byte: the whole documents before the cut
// are delivered, and the fault names where the cut one starts.
func TestEveryCut(t *testing.T) {
	var in []byte
	var ends []int
	for _, n := range []int{5, 13, 40, 300, 17, 5} {
		in = append(in, doc(n)...)
		ends = append(ends, len(in))
	}
	for n := range in {
		want, start := 0, 0
		for _, e := range ends {
			if e <= n {
				want, start = want+1, e
			}
		}
		for _, r := range []io.Reader{bytes.NewReader(in[:n]), iotest.OneByteReader(bytes.NewReader(in[:n]))} {
			lengths, _, err := frames(r)
			var f *sampler.Fault
			errors.As(err, &f)
			if want != len(lengths) || (start == n) != (err == nil) || f != nil && (f.Offset != int64(start) || f.Err != io.ErrUnexpectedEOF) {
				t.Fatalf("cut at %d: %d documents, %v; want %d and a fault at %d", n, len(lengths), err, want, start)
			}
		}
	}
}

func TestBroken(t *testing.T) {
	cause := errors.New("disk on fire")
	in := io.MultiReader(bytes.NewReader(doc(100)), iotest.ErrReader(cause))
	lengths, _, err := frames(in)
	if len(lengths) != 1 || !errors.Is(err, cause) {
		t.Errorf("%d documents, %v", len(lengths), err)
	}
	if _, _, err := frames(nothing{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("an input that delivers nothing gave %v", err)
	}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		in   string
		kind Kind
	}{
		{"", BSON},
		{"\x6d\xe2\x99\x81\x05\x00\x00\x00\x00", Archive},
		{"2026-08-30T12:34:56.789+0000\twriting a.b\n\x6d\xe2\x99\x81\x05\x00\x00\x00\x00", Archive},
		{"[]", JSON}, {"{}", JSON}, {"\xef\xbb\xbf \n[{", JSON}, {"[\n", JSON},
		{string(doc('[')), BSON},
		{string(doc('{')), BSON},
		{"\x1a\x00\x00\x00\x03wtsize\x00\x0d\x00\x00\x00", Sample},
	} {
		in, err := Sniff(strings.NewReader(c.in), "in", nil)
		if err != nil || in.Kind != c.kind {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		in.Close()
	}
}

func TestDeepNesting(t *testing.T) {
	d := doc(5)
	for range 5000 {
		outer := make([]byte, 4, len(d)+8)
		outer = append(append(append(outer, byte(bson.TypeEmbeddedDocument), 'a', 0), d...), 0)
		binary.LittleEndian.PutUint32(outer, uint32(len(outer)))
		d = outer
	}
	if lengths, _, err := frames(bytes.NewReader(d)); len(lengths) != 1 || err != nil {
		t.Errorf("%d documents, %v", len(lengths), err)
	}
}

func TestMeter(t *testing.T) {
	var m Meter
	in := streamtest.Gzipped(bytes.Repeat(doc(1000), 500))
	s, err := Sniff(bytes.NewReader(in), "in", &m)
	if err != nil {
		t.Fatal(err)
	}
	for _, err = s.Document(); err == nil; {
		_, err = s.Document()
	}
	if got, want := m.Snapshot(), (Snapshot{Input: int64(len(in)), Output: 500_000, Documents: 500}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func FuzzSniff(f *testing.F) {
	for _, s := range [][]byte{doc(40), streamtest.Gzipped(doc(40)), streamtest.Zstded(doc(40)), MagicArchive, []byte("[{}]"), []byte("BZh9")} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		lengths, kind, err := frames(bytes.NewReader(in))
		var n int
		for _, l := range lengths {
			n += l
		}
		if err == nil && kind == BSON && compression(in) == "" && n != len(in) {
			t.Errorf("%d of %d bytes read, and no fault", n, len(in))
		}
		var fault *sampler.Fault
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%v is no fault", err)
		}
	})
}
