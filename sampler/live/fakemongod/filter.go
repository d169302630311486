package fakemongod

import (
	"bytes"
	"cmp"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// filter keeps the records that match {field: {$in|$gte|$gt: value}}.
func filter(records []Record, f bson.Raw) []Record {
	elements, _ := f.Elements()
	for _, e := range elements {
		cond, _ := e.Value().DocumentOK()
		conds, _ := cond.Elements()
		for _, c := range conds {
			records = keep(records, e.Key(), c.Key(), c.Value())
		}
	}
	return records
}

func keep(records []Record, field, op string, want bson.RawValue) []Record {
	var in map[string]bool
	if op == "$in" {
		in = map[string]bool{}
		values, _ := want.Array().Values()
		for _, v := range values {
			in[string(v.Type)+string(v.Value)] = true
		}
	}
	var kept []Record
	for _, r := range records {
		v, err := r.Doc.LookupErr(field)
		if err != nil {
			continue
		}
		good := false
		switch op {
		case "$in":
			good = in[string(v.Type)+string(v.Value)]
		case "$gte":
			good = rankOf(v) == rankOf(want) && order(v, want) >= 0
		case "$gt":
			good = rankOf(v) == rankOf(want) && order(v, want) > 0
		}
		if good {
			kept = append(kept, r)
		}
	}
	return kept
}

// sortRecords gives the records of c by one field, from a condition's bound on:
// the index of _id, made when it is first used.
func (c *Collection) sortRecords(by, f bson.Raw) []Record {
	e, err := by.IndexErr(0)
	if err != nil {
		return filter(c.Records, f)
	}
	if c.index == nil || len(c.index) != len(c.Records) {
		c.index = sorted(c.Records, e.Key())
	}
	records := c.index
	for _, op := range []string{"$gte", "$gt"} {
		if want, err := f.LookupErr(e.Key(), op); err == nil {
			from, _ := slices.BinarySearchFunc(records, want, func(r Record, v bson.RawValue) int { return order(r.Doc.Lookup(e.Key()), v) })
			records = records[from:]
			to, _ := slices.BinarySearchFunc(records, rankOf(want)+1, func(r Record, rank int) int { return rankOf(r.Doc.Lookup(e.Key())) - rank })
			records = records[:to]
			if op == "$gt" && len(records) > 0 && order(records[0].Doc.Lookup(e.Key()), want) == 0 {
				records = records[1:]
			}
		}
	}
	if e.Value().AsInt64() < 0 {
		records = slices.Clone(records)
		slices.Reverse(records)
	}
	return records
}

// sorted orders records by a field, which is looked up once in each.
func sorted(records []Record, field string) []Record {
	keys, by := make([]bson.RawValue, len(records)), make([]int, len(records))
	for i, r := range records {
		keys[i], by[i] = r.Doc.Lookup(field), i
	}
	slices.SortFunc(by, func(a, b int) int { return cmp.Or(order(keys[a], keys[b]), a-b) })
	all := make([]Record, len(records))
	for i, from := range by {
		all[i] = records[from]
	}
	return all
}

// rankOf is a value's place among types.
func rankOf(v bson.RawValue) int {
	switch v.Type {
	case bson.TypeInt32, bson.TypeInt64, bson.TypeDouble:
		return 10
	}
	return 100 + int(v.Type)
}

// order compares numbers, strings, ObjectIds, dates, timestamps and binary data.
func order(a, b bson.RawValue) int {
	if c := cmp.Compare(rankOf(a), rankOf(b)); c != 0 {
		return c
	}
	switch a.Type {
	case bson.TypeInt32, bson.TypeInt64, bson.TypeDouble:
		return cmp.Compare(a.AsFloat64(), b.AsFloat64())
	case bson.TypeDateTime:
		return cmp.Compare(a.DateTime(), b.DateTime())
	case bson.TypeTimestamp:
		at, ai := a.Timestamp()
		bt, bi := b.Timestamp()
		return cmp.Or(cmp.Compare(at, bt), cmp.Compare(ai, bi))
	case bson.TypeString:
		return cmp.Compare(a.StringValue(), b.StringValue())
	case bson.TypeBinary:
		as, ab := a.Binary()
		bs, bb := b.Binary()
		return cmp.Or(cmp.Compare(len(ab), len(bb)), cmp.Compare(as, bs), bytes.Compare(ab, bb))
	}
	return bytes.Compare(a.Value, b.Value)
}
