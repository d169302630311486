package live

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// figures is what is known of one collection on one node.
type figures struct {
	sampler.Stats
	creation string // WiredTiger's creationString
	indexes  []sampler.Index
	warnings []sampler.Warning
	// counted: Count and Size are the server's counters. A server that counts
	// in another measure leaves Size for projection.
	counted bool
	shards  int
	flat    bool // the shape is Amazon DocumentDB's
}

func (f *figures) warn(code, text string) {
	f.warnings = append(f.warnings, sampler.Warning{Code: code, Text: text})
}

func (f *figures) avg() int64 {
	if f.Count <= 0 || f.Size <= 0 {
		return 0
	}
	return max(f.Size/f.Count, 1)
}

// measure asks one node for a collection's figures. It fails only where nothing
// further can work.
func measure(ctx context.Context, n *node, s *server, t *target) (*figures, error) {
	f := &figures{}
	if err := f.storage(ctx, n, t); err != nil {
		return nil, err
	}
	if f.flat && s.Product == productMongoDB {
		// Behind a tunnel the host's name tells nothing; the shape does.
		s.Product, s.CacheBytes, s.mayWatch, s.warnings = productDocDB, 0, false, nil
		s.foreign()
	}
	f.Server = s.Server
	if f.shards > 0 && f.creation == "" && s.Product == productMongoDB && !t.encrypted() {
		f.warn("no-wiredtiger", "the server says nothing of WiredTiger: with what the collection is compressed today is not known")
	}
	if s.Product == productFerret && f.counted {
		// Its sizes are those of the back end's tables, not of BSON.
		f.Size, f.counted = 0, false
		f.warn("foreign-size", "the server counts the size of its own tables: the size of the documents is projected")
	}
	return f, f.indexSpecs(ctx, n, t)
}

// storage runs $collStats. It gives one document per shard through a router.
func (f *figures) storage(ctx context.Context, n *node, t *target) error {
	cmd := bson.D{{Key: "aggregate", Value: t.coll},
		{Key: "pipeline", Value: bson.A{bson.D{{Key: "$collStats", Value: bson.D{{Key: "storageStats", Value: bson.D{}}}}}}},
		{Key: "cursor", Value: bson.D{}}}
	docs, err := n.drain(ctx, t.ns.DB, t.coll, t.withRaw(cmd))
	if err != nil {
		if final(err) {
			return err
		}
		f.noStats(err)
		return f.count(ctx, n, t)
	}
	sizes := map[string][2]int64{}
	for _, d := range docs {
		f.addShard(d, sizes)
	}
	f.shards = len(docs)
	f.counted = f.Count > 0 && f.Size > 0
	for name, s := range sizes {
		f.indexes = append(f.indexes, sampler.Index{Spec: nameOnly(name), Size: s[0], Free: s[1]})
	}
	slices.SortFunc(f.indexes, func(a, b sampler.Index) int {
		return strings.Compare(str(a.Spec, "name"), str(b.Spec, "name"))
	})
	return nil
}

func (f *figures) noStats(err error) {
	switch codeOf(err) {
	case codeUnauthorized:
		f.warn("no-coll-stats", "count and sizes could not be read ($collStats): the role read on the database gives the right")
	default:
		f.warn("no-coll-stats", "count and sizes could not be read: $collStats is refused ("+reason(err)+")")
	}
}

// count asks for the number of documents alone, from the collection's metadata.
func (f *figures) count(ctx context.Context, n *node, t *target) error {
	reply, err := n.command(ctx, t.ns.DB, t.withRaw(bson.D{{Key: "count", Value: t.coll}}))
	if err != nil {
		if final(err) {
			return err
		}
		return nil
	}
	f.Count = integer(reply, "n")
	return nil
}

// addShard adds one $collStats document: MongoDB puts the figures under
// storageStats, Amazon DocumentDB at the top.
func (f *figures) addShard(d bson.Raw, sizes map[string][2]int64) {
	s := doc(d, "storageStats")
	if s == nil {
		s, f.flat = d, true
	}
	count, size := integer(s, "count"), integer(s, "size")
	if b := doc(s, "timeseries"); b != nil {
		if n := integer(b, "bucketCount"); n > 0 {
			count = n
		}
		if size == 0 {
			size = count * integer(b, "avgBucketSize")
		}
	}
	f.Count += count
	f.Size += size
	f.StorageSize += integer(s, "storageSize")
	wt := doc(s, "wiredTiger")
	f.FreeStorageSize += free(s, wt)
	f.TotalIndexSize += integer(s, "totalIndexSize")
	f.NumOrphanDocs += integer(s, "numOrphanDocs")
	f.WindowedPages += integer(wt, "reconciliation", "pages written including at least one start timestamp")
	f.PagesWritten += integer(wt, "cache", "pages written from cache")
	if c := str(wt, "creationString"); c != "" && f.creation == "" {
		f.creation, f.Compressor = c, compressor(c)
	}
	addIndexSizes(doc(s, "indexSizes"), doc(s, "indexDetails"), sizes)
}

// free is what the block manager can reuse; 4.2 gives it there only.
func free(s, wt bson.Raw) int64 {
	if has(s, "freeStorageSize") {
		return integer(s, "freeStorageSize")
	}
	return integer(wt, "block-manager", "file bytes available for reuse")
}

func addIndexSizes(indexSizes, details bson.Raw, sizes map[string][2]int64) {
	elements, err := indexSizes.Elements()
	if err != nil {
		return
	}
	for _, e := range elements {
		size, _ := number(e.Value())
		have := sizes[e.Key()]
		have[0] += max(size, 0)
		// By hand: an index name may hold dots, a path may not.
		d, _ := details.Lookup(e.Key()).DocumentOK()
		have[1] += integer(d, "block-manager", "file bytes available for reuse")
		sizes[e.Key()] = have
	}
}

var blockCompressor = regexp.MustCompile(`(?:^|[,(])block_compressor="?([a-z]*)"?`)

// compressor reads the last block_compressor of a creationString: WiredTiger
// lets later settings win. An empty one is none.
func compressor(creation string) string {
	all := blockCompressor.FindAllStringSubmatch(creation, -1)
	if len(all) == 0 {
		return ""
	}
	if c := all[len(all)-1][1]; c != "" {
		return c
	}
	return "none"
}

func nameOnly(name string) bson.Raw {
	b, err := bson.Marshal(bson.D{{Key: "name", Value: name}})
	if err != nil {
		return nil
	}
	return b
}

// indexSpecs puts listIndexes documents in the place of bare names.
func (f *figures) indexSpecs(ctx context.Context, n *node, t *target) error {
	specs, err := n.drain(ctx, t.ns.DB, "$cmd.listIndexes."+t.coll,
		t.withRaw(bson.D{{Key: "listIndexes", Value: t.coll}, {Key: "cursor", Value: bson.D{}}}))
	if err != nil {
		if final(err) {
			return err
		}
		f.indexes = nil
		if codeOf(err) != codeNamespaceNotFound {
			f.warn("no-indexes", "indexes could not be listed ("+reason(err)+"): the role read on the database gives the right")
		}
		return nil
	}
	sized := map[string]sampler.Index{}
	for _, x := range f.indexes {
		sized[str(x.Spec, "name")] = x
	}
	f.indexes = nil
	for _, spec := range specs {
		if boolean(spec, "clustered") {
			continue // the collection itself; it has no file
		}
		x := sized[str(spec, "name")]
		x.Spec = slices.Clone(spec)
		f.indexes = append(f.indexes, x)
	}
	return nil
}

func (t *target) withRaw(cmd bson.D) bson.D {
	if t.raw {
		return append(cmd, bson.E{Key: "rawData", Value: true})
	}
	return cmd
}
