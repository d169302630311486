package stream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/element"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// Kind is what an input holds, once decompressed.
type Kind string

// The kinds. An empty input is BSON: a collection without documents.
const (
	BSON    Kind = "bson"
	Archive Kind = "archive"
	JSON    Kind = "json"
	Sample  Kind = "sample"
)

// MagicArchive starts a mongodump archive: 0x8199e26d, little-endian.
// mongo-tools: common/archive/archive.go, MagicNumber.
var MagicArchive = []byte{0x6d, 0xe2, 0x99, 0x81}

// sampleKey starts a sample file: the first element of its first document is
// an embedded document of this name.
var sampleKey = []byte("\x03wtsize\x00")

// magicWiredTiger starts a table's file: WT_BLOCK_MAGIC and the major version,
// little-endian. As BSON it would pass for the length of a document.
// WiredTiger: src/include/block.h, WT_BLOCK_MAGIC.
var magicWiredTiger = []byte{0x41, 0xd8, 0x01, 0x00, 0x01, 0x00}

// sniffBytes is how much of the content is looked at.
const sniffBytes = 4096

// Input is an opened stream: what it holds and a Reader at its first byte.
type Input struct {
	Kind Kind
	*Reader
	// Compression lists the formats taken off, outermost first.
	Compression []string
	// LogBytes of text stand before the magic of an archive: a dump whose
	// messages were merged into its output. They have been passed over.
	LogBytes int64

	closers []func()
}

// OnClose has Close call f, last: to close the file below, say.
func (in *Input) OnClose(f func()) { in.closers = append(in.closers, f) }

// Close frees the decoders. The io.Reader below stays with its owner.
func (in *Input) Close() {
	for _, c := range in.closers {
		c()
	}
	in.closers = nil
}

// Sniff finds out what r holds, decompressing as needed. The error is a
// *sampler.Fault: not readable, or not any kind that is known.
func Sniff(r io.Reader, name string, m *Meter) (*Input, error) {
	in, err := Unpack(r, name, m)
	if err != nil {
		return nil, err
	}
	if err := in.recognise(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Unpack decompresses r as often as needed and asks no more of it.
func Unpack(r io.Reader, name string, m *Meter) (*Input, error) {
	in := &Input{}
	src := NewReader(meteredReader{r, m}, name, 0, nil)
	for {
		head, err := src.Peek(4)
		format := compression(head)
		if format == "" && (err == nil || err == io.EOF) {
			break
		}
		if format == "" {
			in.Close()
			return nil, src.Broken(err)
		}
		if len(in.Compression) == maxNested {
			in.Close()
			return nil, src.fault("compressed more than four times over", "unpack it first", nil)
		}
		unpacked, closer, err := unpack(format, src)
		if err != nil {
			in.Close()
			return nil, src.Broken(err)
		}
		in.closers = append([]func(){closer}, in.closers...)
		in.Compression = append(in.Compression, format)
		src = NewReader(unpacked, name, 0, nil)
	}
	if len(in.Compression) > 0 {
		a := newAhead(src.src)
		src.src = a
		in.closers = append([]func(){a.close}, in.closers...)
	}
	src.meter = m
	m.Output(int64(src.w))
	in.Reader = src
	return in, nil
}

// recognise sets the kind from the first bytes of the content.
func (in *Input) recognise() error {
	head, err := in.Peek(sniffBytes)
	if err != nil && err != io.EOF && len(head) == 0 {
		return in.Broken(err)
	}
	switch {
	case len(head) == 0:
		in.Kind = BSON
	case bytes.HasPrefix(head, magicWiredTiger):
		return in.fault("this is a WiredTiger data file, not a dump",
			"dump the collection with mongodump, or read the running server with --uri", nil)
	case bytes.HasPrefix(head, MagicArchive):
		in.Kind = Archive
	case len(head) >= 4+len(sampleKey) && bytes.HasPrefix(head[4:], sampleKey):
		in.Kind = Sample
	case startsDocument(head):
		in.Kind = BSON
	case startsJSON(head):
		in.Kind = JSON
	default:
		return in.foreign(head)
	}
	return nil
}

// startsDocument: a possible length and, after it, a known type or the end.
func startsDocument(head []byte) bool {
	if len(head) < minDocument {
		return false
	}
	n := int32(binary.LittleEndian.Uint32(head))
	if n < minDocument || n > sampler.MaxDocumentBytes {
		return false
	}
	return element.Known(bson.Type(head[4])) || n == minDocument && head[4] == 0
}

var markUTF8 = []byte{0xef, 0xbb, 0xbf}

// startsJSON: after a byte order mark and white space, an array or an object.
func startsJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, markUTF8), " \t\r\n")
	return len(head) > 0 && (head[0] == '[' || head[0] == '{')
}

// foreign names what is not for us, with the way to make it so. What nothing
// is known of may still be a document that is odd inside, or a cut one, so the
// framing has the last word.
func (in *Input) foreign(head []byte) error {
	if in.skipLog(head) {
		in.Kind = Archive
		return nil
	}
	if LogLine(head) {
		return in.fault("starts with log lines of the dump tool",
			"its messages were merged into its output; dump again without 2>&1", nil)
	}
	for _, f := range foreigners {
		if len(head) >= f.at+len(f.magic) && string(head[f.at:f.at+len(f.magic)]) == f.magic {
			return in.fault("this is "+f.what, f.hint, nil)
		}
	}
	if looksLikeText(head) {
		return in.fault("this is text, not documents",
			"if it is CSV or TSV, export again with --type=json: they don't tell types", nil)
	}
	_, err := in.next()
	var f *sampler.Fault
	if errors.As(err, &f) {
		f.Hint = "expected BSON, a mongodump archive, a mongoexport file or a sample, plain or compressed with gzip or zstd"
		return f
	}
	in.Kind = BSON
	return nil
}

// foreigners are files people are likely to have beside a dump.
var foreigners = []struct {
	at                int
	magic, what, hint string
}{
	{0, "\xfd7zXZ\x00", "an xz file", "unpack it: xz -dc FILE | wtsize estimate -"},
	{0, "BZh", "a bzip2 file", "unpack it: bzip2 -dc FILE | wtsize estimate -"},
	{0, "\x04\x22\x4d\x18", "an lz4 file", "unpack it: lz4 -dc FILE | wtsize estimate -"},
	{0, "PK\x03\x04", "a zip file", "unpack it: unzip -p FILE | wtsize estimate -"},
	{0, "\xff\x06\x00\x00sNaPpY", "a framed snappy file", "unpack it first"},
	{257, "ustar", "a tar file", "unpack it and give the folder inside"},
	{0, "\xff\xfe", "UTF-16 text", "convert it to UTF-8: iconv -f UTF-16 -t UTF-8"},
	{0, "\xfe\xff", "UTF-16 text", "convert it to UTF-8: iconv -f UTF-16 -t UTF-8"},
}

// skipLog passes over text before an archive's magic.
func (in *Input) skipLog(head []byte) bool {
	at := bytes.Index(head, MagicArchive)
	if at < 1 || !looksLikeText(head[:at]) {
		return false
	}
	in.Skip(at)
	in.LogBytes = int64(at)
	return true
}
