package fakemongod

import (
	"math/rand/v2"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// aggregate runs [{$collStats}] and [{$sample}, {$project}].
func (s *Server) aggregate(db, coll string, c *Collection, cmd bson.Raw) bson.D {
	stages, err := cmd.Lookup("pipeline").Array().Values()
	if err != nil || len(stages) == 0 {
		return failure(9, "", "a pipeline is needed")
	}
	switch stage := commandName(stages[0].Document()); stage {
	case "$collStats":
		return s.collStats(db, coll, c)
	case "$sample":
		if s.Profile.Sample == Refused {
			return failure(40324, "Location40324", "Unrecognized pipeline stage name: '$sample'")
		}
		return s.sample(db, coll, c, stages, cmd)
	default:
		return failure(40324, "Location40324", "Unrecognized pipeline stage name: '"+stage+"'")
	}
}

// sample draws different documents, each with the same probability.
func (s *Server) sample(db, coll string, c *Collection, stages []bson.RawValue, cmd bson.Raw) bson.D {
	q := request{batch: cmd.Lookup("cursor", "batchSize").AsInt64()}
	if len(stages) > 1 {
		q.project, _ = stages[1].Document().Lookup("$project").DocumentOK()
		if q.project.Lookup("_id").Type == 0 {
			q.project = marshal(bson.D{{Key: "_id", Value: 1}})
		}
	}
	if c == nil {
		return s.batchOf(db, coll, nil, q, nil)
	}
	s.seed++
	rng := rand.New(rand.NewPCG(s.seed, 7))
	n := min(int(stages[0].Document().Lookup("$sample", "size").AsInt64()), len(c.Records))
	seen := map[int]bool{}
	var records []Record
	for len(records) < n {
		if i := rng.IntN(len(c.Records)); !seen[i] {
			seen[i] = true
			records = append(records, c.Records[i])
		}
	}
	return s.batchOf(db, coll, records, q, c)
}

func (s *Server) collStats(db, coll string, c *Collection) bson.D {
	switch {
	case s.Profile.Stats == StatsNone:
		return failure(40324, "Location40324", "Unrecognized pipeline stage name: '$collStats'")
	case c == nil:
		return failure(26, "", "Collection ["+db+"."+coll+"] not found.")
	case c.Type == "view":
		return failure(166, "", "Namespace "+db+"."+coll+" is a view, not a collection")
	}
	shards := max(c.Shards, 1)
	var docs []bson.D
	for i := range shards {
		stats := s.storageStats(c, int64(shards), i == 0)
		switch s.Profile.Stats {
		case StatsFlat:
			docs = append(docs, append(bson.D{{Key: "ns", Value: db + "." + coll}}, stats...))
		default:
			docs = append(docs, bson.D{{Key: "ns", Value: db + "." + coll}, {Key: "host", Value: s.Host}, {Key: "storageStats", Value: stats}})
		}
	}
	return s.first(db, coll, docs)
}

// storageStats are the figures of one shard out of several. Sizes of files are
// made up from those of documents.
func (s *Server) storageStats(c *Collection, shards int64, first bool) bson.D {
	size, count := c.size()/shards, c.count()/shards
	if first {
		size += c.size() % shards
		count += c.count() % shards
	}
	d := bson.D{{Key: "size", Value: size}, {Key: "count", Value: count}}
	if c.Type == "timeseries" || len(c.Name) > 15 && c.Name[:15] == "system.buckets." {
		avg := int64(0)
		if count > 0 {
			avg = size / count
		}
		d = bson.D{{Key: "size", Value: size}, {Key: "timeseries", Value: bson.D{
			{Key: "bucketCount", Value: count}, {Key: "avgBucketSize", Value: avg}}}}
	}
	free := size / 10
	d = append(d, bson.E{Key: "storageSize", Value: size / 2}, bson.E{Key: "numOrphanDocs", Value: c.Orphans / shards})
	if s.Profile.Version >= "4.4" || s.Profile.Stats != StatsMongoDB {
		d = append(d, bson.E{Key: "freeStorageSize", Value: free})
	}
	sizes, details := bson.D{}, bson.D{}
	total := int64(0)
	for _, x := range c.listIndexes() {
		name, _ := x[len(x)-1].Value.(string)
		for _, e := range x {
			if e.Key == "name" {
				name = e.Value.(string)
			}
		}
		sizes = append(sizes, bson.E{Key: name, Value: int32(4096 * 10)})
		details = append(details, bson.E{Key: name, Value: bson.D{{Key: "block-manager", Value: bson.D{{Key: "file bytes available for reuse", Value: int32(4096)}}}}})
		total += 4096 * 10
	}
	d = append(d, bson.E{Key: "nindexes", Value: int32(len(sizes))}, bson.E{Key: "totalIndexSize", Value: total}, bson.E{Key: "indexSizes", Value: sizes})
	if s.Profile.Stats == StatsMongoDB {
		d = append(d, bson.E{Key: "indexDetails", Value: details}, bson.E{Key: "wiredTiger", Value: wiredTiger(c, free)})
	}
	return d
}

func wiredTiger(c *Collection, free int64) bson.D {
	compressor := c.Compressor
	if compressor == "" {
		compressor = "snappy"
	}
	return bson.D{
		{Key: "creationString", Value: "access_pattern_hint=none,allocation_size=4KB,block_compressor=" + compressor + ",leaf_page_max=32KB,internal_page_max=4KB,memory_page_max=10m"},
		{Key: "block-manager", Value: bson.D{{Key: "file bytes available for reuse", Value: free}}},
		{Key: "cache", Value: bson.D{{Key: "pages written from cache", Value: int32(1000)}}},
		{Key: "reconciliation", Value: bson.D{{Key: "pages written including at least one start timestamp", Value: int32(250)}}},
	}
}
