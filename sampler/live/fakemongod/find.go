package fakemongod

import (
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// maxReply bounds the documents of one reply. src/mongo/bson/util/builder.h,
// BSONObjMaxUserSize.
const maxReply = 16 << 20

// cursor is what is left of an answer.
type cursor struct {
	db, coll string
	docs     []bson.Raw
}

// known are the fields of find this server parses, besides those of the wire.
var known = []string{"find", "filter", "sort", "projection", "hint", "limit", "batchSize", "singleBatch",
	"showRecordId", "readConcern", "comment", "maxTimeMS", "rawData", "$db", "$readPreference", "lsid", "$clusterTime"}

// request is a parsed find.
type request struct {
	filter, sort, project bson.Raw
	natural               int64 // direction; 0: not asked for
	limit, batch          int64
	single, ids, token    bool
	startAt, resumeAfter  *bson.RawValue
}

func (s *Server) parseFind(cmd bson.Raw) (request, bson.D) {
	var q request
	elements, _ := cmd.Elements()
	for _, e := range elements {
		k, v := e.Key(), e.Value()
		switch k {
		case "filter":
			q.filter = v.Document()
		case "sort":
			q.sort = v.Document()
		case "projection":
			q.project = v.Document()
		case "hint":
			q.natural, _ = v.Document().Lookup("$natural").AsInt64OK()
		case "limit":
			q.limit = v.AsInt64()
		case "batchSize":
			q.batch = v.AsInt64()
		case "singleBatch":
			q.single = v.Boolean()
		case "showRecordId":
			q.ids = v.Boolean()
		case "$_requestResumeToken":
			q.token = v.Boolean()
		case "$_startAt", "$_resumeAfter":
			id, err := v.Document().LookupErr("$recordId")
			if err != nil {
				return q, failure(2, "", "Malformed resume token: the 'resumeAfter' object must contain '$recordId', of type NumberLong, BinData or jstNULL")
			}
			if k == "$_startAt" {
				q.startAt = &id
			} else {
				q.resumeAfter = &id
			}
		}
		if strings.HasPrefix(k, "$_") {
			if bad := s.refuseToken(k); bad != nil {
				return q, bad
			}
		} else if !slices.Contains(known, k) {
			return q, failure(9, "", fmt.Sprintf("Failed to parse: unknown field %q", k))
		}
	}
	return q, s.check(q)
}

func (s *Server) refuseToken(field string) bson.D {
	switch {
	case s.Profile.Mongos:
		return failure(2, "", "Queries on mongoS may not request or provide a resume token")
	case s.Profile.Tokens == Refused && s.Profile.Proxy:
		return failure(8000, "AtlasError", "find is not allowed or the syntax is incorrect, see the Atlas documentation for more information")
	case s.Profile.Tokens == Refused, field == "$_startAt" && s.Profile.StartAt == Refused:
		return failure(9, "", fmt.Sprintf("Failed to parse: unknown field %q", field))
	}
	return nil
}

// check applies the rules between fields.
func (s *Server) check(q request) bson.D {
	if q.natural != 0 && s.Profile.Natural == Refused {
		return failure(303, "", fmt.Sprintf("{$natural: %d} is not supported", q.natural))
	}
	if q.sort != nil && s.Profile.SortByID == Refused {
		return failure(2, "", "The index path corresponding to the specified order-by item is excluded.")
	}
	if q.token && (q.natural != 1 || q.sort != nil) {
		return failure(2, "", "hint must be {$natural:1} if 'requestResumeToken' is enabled")
	}
	if q.resumeAfter != nil && !q.token {
		return failure(2, "", "'requestResumeToken' must be true if 'resumeAfter' is specified")
	}
	if q.resumeAfter != nil && q.startAt != nil {
		return failure(2, "", "cannot set both resumeAfter and startAt")
	}
	return nil
}

func (s *Server) find(db, coll string, c *Collection, cmd bson.Raw) bson.D {
	q, bad := s.parseFind(cmd)
	if bad != nil {
		return bad
	}
	if c == nil {
		return s.batchOf(db, coll, nil, q, nil)
	}
	if c.Type == "view" && (q.token || q.natural != 0) {
		return failure(166, "", "namespace "+db+"."+coll+" is a view, not a collection")
	}
	if c.Type == "timeseries" && !raw(cmd) {
		return failure(2, "", "documents of a time series are unpacked here, which this server cannot do")
	}
	if q.token && c.Clustered {
		return failure(7738600, "Location7738600", "The '$recordId' of a clustered collection must be BinData")
	}
	records := c.Records
	if q.natural < 0 && s.Profile.Natural == Full {
		records = slices.Clone(records)
		slices.Reverse(records)
	}
	if records, bad = place(records, q); bad != nil {
		return bad
	}
	if q.sort != nil {
		records = c.sortRecords(q.sort, q.filter)
	} else {
		records = filter(records, q.filter)
	}
	if q.limit > 0 && int64(len(records)) > q.limit {
		records = records[:q.limit]
	}
	return s.batchOf(db, coll, records, q, c)
}

// raw: the command asks a time series for its buckets.
func raw(cmd bson.Raw) bool {
	b, _ := cmd.Lookup("rawData").BooleanOK()
	return b
}

// place applies $_startAt and $_resumeAfter: after the record named; a record
// that is gone is an error for the one and the next record for the other.
func place(records []Record, q request) ([]Record, bson.D) {
	v := q.resumeAfter
	if v == nil {
		v = q.startAt
	}
	if v == nil {
		return records, nil
	}
	id, isLong := v.Int64OK()
	if !isLong {
		return nil, failure(211, "", "Failed to resume collection scan: the recordId from which we are attempting to resume no longer exists in the collection")
	}
	i, found := slices.BinarySearchFunc(records, id, func(r Record, id int64) int { return int(r.ID - id) })
	if q.resumeAfter != nil && !found {
		return nil, failure(211, "", fmt.Sprintf("Failed to resume collection scan: the recordId from which we are attempting to resume no longer exists in the collection: RecordId(%d)", id))
	}
	if found {
		i++
	}
	return records[i:], nil
}

// batchOf makes the reply of the first batch and keeps the rest for getMore.
func (s *Server) batchOf(db, coll string, records []Record, q request, c *Collection) bson.D {
	size := q.batch
	if size == 0 {
		size = 101
	}
	var docs, rest []bson.Raw
	bytes := 0
	last := bson.E{Key: "$recordId", Value: nil}
	for _, r := range records {
		d := s.render(r, q)
		if rest != nil || int64(len(docs)) >= size || len(docs) > 0 && bytes+len(d) > maxReply {
			rest = append(rest, d)
			continue
		}
		docs = append(docs, d)
		bytes += len(d)
		last.Value = r.ID
	}
	id := int64(0)
	if len(rest) > 0 && !q.single {
		id = s.open(db, coll, rest)
	}
	cur := bson.D{{Key: "firstBatch", Value: docs}, {Key: "id", Value: id}, {Key: "ns", Value: db + "." + coll}}
	if docs == nil {
		cur[0].Value = bson.A{}
	}
	if q.token {
		if c != nil && (len(c.Records) == 0 || last.Value == c.Records[len(c.Records)-1].ID) && int64(len(docs)) < size {
			last.Value = nil // the end of the collection
		}
		cur = append(cur, bson.E{Key: "postBatchResumeToken", Value: bson.D{last}})
	}
	return append(bson.D{{Key: "cursor", Value: cur}}, ok()...)
}

func (s *Server) open(db, coll string, docs []bson.Raw) int64 {
	s.nextID++
	s.cursors[s.nextID] = &cursor{db, coll, docs}
	return s.nextID
}

// render projects a document and adds its RecordId as showRecordId does.
func (s *Server) render(r Record, q request) bson.Raw {
	d := r.Doc
	if q.project != nil {
		var kept bson.D
		elements, _ := d.Elements()
		for _, e := range elements {
			if v, err := q.project.LookupErr(e.Key()); err == nil && v.AsInt64() == 1 {
				kept = append(kept, bson.E{Key: e.Key(), Value: e.Value()})
			}
		}
		d = marshal(orEmpty(kept))
	}
	if !q.ids {
		return d
	}
	id := r.ID
	switch s.Profile.RecordIDs {
	case Refused:
		return d
	case Ignored:
		id = 0
	}
	return withRecordID(d, id)
}

func withRecordID(d bson.Raw, id int64) bson.Raw {
	tail := marshal(bson.D{{Key: "$recordId", Value: id}})
	out := append(slices.Clone(d[:len(d)-1]), tail[4:]...)
	n := len(out)
	out[0], out[1], out[2], out[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	return out
}

// first opens an answer over metadata.
func (s *Server) first(db, coll string, docs []bson.D) bson.D {
	list := bson.A{}
	for _, d := range docs {
		list = append(list, d)
	}
	return append(bson.D{{Key: "cursor", Value: bson.D{{Key: "firstBatch", Value: list},
		{Key: "id", Value: int64(0)}, {Key: "ns", Value: db + "." + coll}}}}, ok()...)
}

func (s *Server) getMore(cmd bson.Raw) bson.D {
	id := cmd.Lookup("getMore").AsInt64()
	c := s.cursors[id]
	if c == nil {
		return failure(43, "", fmt.Sprintf("cursor id %d not found", id))
	}
	size, _ := cmd.Lookup("batchSize").AsInt64OK()
	if size <= 0 {
		size = int64(len(c.docs))
	}
	bytes, n := 0, 0
	for n < len(c.docs) && int64(n) < size && (n == 0 || bytes+len(c.docs[n]) <= maxReply) {
		bytes += len(c.docs[n])
		n++
	}
	docs := c.docs[:n]
	c.docs = c.docs[n:]
	if len(c.docs) == 0 {
		delete(s.cursors, id)
		id = 0
	}
	return append(bson.D{{Key: "cursor", Value: bson.D{{Key: "nextBatch", Value: docs},
		{Key: "id", Value: id}, {Key: "ns", Value: c.db + "." + c.coll}}}}, ok()...)
}

func (s *Server) killCursors(cmd bson.Raw) bson.D {
	values, _ := cmd.Lookup("cursors").Array().Values()
	for _, v := range values {
		delete(s.cursors, v.AsInt64())
	}
	return ok()
}
