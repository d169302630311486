package dump

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump/metadata"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

const (
	dataExt = ".bson"
	metaExt = ".metadata.json"
)

// packedExts are what compressors add to a file's name.
var packedExts = []string{"", ".gz", ".zst", ".zstd"}

// cutExt takes ext, with or without a compressor's, off a file name.
func cutExt(name, ext string) (base string, ok bool) {
	for _, packed := range packedExts {
		if base, ok = strings.CutSuffix(name, ext+packed); ok {
			return base, true
		}
	}
	return name, false
}

// describe is what is known of the collection in data file path, from its name
// and from the metadata beside it; bare when there is none.
func describe(path string, o Options) (c sampler.Collection, bare bool) {
	dir, file := filepath.Split(path)
	base, ok := cutExt(file, dataExt)
	if !ok {
		base = strings.TrimSuffix(file, filepath.Ext(file))
	}
	metaBase := strings.TrimPrefix(base, namespace.BucketPrefix)
	var m *metadata.Metadata
	var broken error
	meta := findFile(dir, metaBase+metaExt)
	if meta != "" {
		m, broken = readMetadata(meta)
	}
	c = collection(base, m)
	if broken != nil {
		c.Warnings = append(c.Warnings, metadata.Broken(meta, broken))
	} else if m == nil {
		c.Warnings = append(c.Warnings, missing(base+metaExt))
	}
	if o.Select.Coll != "" {
		c.NS.Coll = o.Select.Coll
	}
	c.NS = o.Select.Names(c.NS)
	for _, up := range []string{dir, filepath.Join(dir, "..")} {
		if prelude := findFile(up, "prelude.json"); prelude != "" && c.Release == "" {
			c.Release = readRelease(prelude)
		}
	}
	return c, meta == ""
}

func missing(name string) sampler.Warning {
	return sampler.Warning{Code: "metadata-missing",
		Text: "no " + name + " beside the data: options and indexes are not known"}
}

// collection makes one of a data file's name, without extension, and of its
// metadata, which may be nil.
func collection(base string, m *metadata.Metadata) sampler.Collection {
	coll, whole := namespace.FromFileName(base)
	coll, buckets := strings.CutPrefix(coll, namespace.BucketPrefix)
	c := sampler.Collection{NS: sampler.Namespace{Coll: coll}, Type: sampler.Plain}
	if m != nil {
		m.Describe(&c)
		if names(m.Name, base) {
			c.NS.Coll, whole = m.Name, true
		}
	}
	if buckets {
		c.Type = sampler.TimeSeries
	}
	if c.Type == sampler.View {
		// mongodump --viewsAsCollections: documents, under a view's name.
		c.Type = sampler.Plain
	}
	if !whole {
		c.Warnings = append(c.Warnings, sampler.Warning{Code: "name-shortened",
			Text: "the file's name is shortened, and no metadata gives the collection's in full"})
	}
	return c
}

// names: collection coll has its data in a file called base.
func names(coll, base string) bool {
	return coll != "" && (namespace.FileName(coll) == base || namespace.FileName(namespace.BucketPrefix+coll) == base)
}

// findFile looks for name, plain or compressed, as a regular file in dir.
func findFile(dir, name string) string {
	for _, packed := range packedExts {
		path := filepath.Join(dir, name+packed)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// readText reads a small file of text, decompressing it.
func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openFault(path, err).Err
	}
	defer f.Close()
	in, err := stream.Unpack(f, path, nil)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, metadata.MaxBytes+1))
}

func readMetadata(path string) (*metadata.Metadata, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	m, err := metadata.Parse(text)
	if err != nil {
		return nil, err
	}
	return &m, nil
}

func readRelease(path string) string {
	text, err := readText(path)
	if err != nil {
		return ""
	}
	return metadata.Release(text)
}
