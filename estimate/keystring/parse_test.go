package keystring

import (
	"errors"
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func TestParse(t *testing.T) {
	for _, v := range []struct {
		name string
		spec d
		want string // kind version unique sparse hidden ttl config fields
	}{
		{"doubles of old tools", d{kv("v", 1.0), kv("key", d{kv("a", 1.0), kv("b", -1.0)}), kv("ns", "d.c"), kv("name", "x"), kv("background", 1.0)},
			"plain 1 false false false -1  [{a false } {b true }]"},
		{"longs", d{kv("v", int64(2)), kv("key", d{kv("a.b", int64(-1))}), kv("unique", int64(1)), kv("sparse", true)},
			"plain 2 true true false -1  [{a.b true }]"},
		{"_id", d{kv("v", 2), kv("key", d{kv("_id", 1)}), kv("name", "_id_")}, "_id 2 false false false -1  [{_id false }]"},
		{"_id hashed", d{kv("key", d{kv("_id", "hashed")})}, "hashed 2 false false false -1  [{_id false hashed}]"},
		{"ttl hidden", d{kv("key", d{kv("a", 1)}), kv("expireAfterSeconds", 60), kv("hidden", true)}, "plain 2 false false true 60  [{a false }]"},
		{"text", d{kv("key", d{kv("_fts", "text"), kv("_ftsx", 1)}), kv("weights", d{kv("a", 1)})}, "text 2 false false false -1  [{_fts false text} {_ftsx false }]"},
		{"wildcard", d{kv("key", d{kv("a.$**", 1)})}, "wildcard 2 false false false -1  [{a.$** false }]"},
		{"config", d{kv("key", d{kv("a", 1)}), kv("storageEngine", d{kv("wiredTiger", d{kv("configString", "block_compressor=zstd")})})},
			"plain 2 false false false -1 block_compressor=zstd [{a false }]"},
		{"clustered", d{kv("key", d{kv("_id", 1)}), kv("clustered", true), kv("unique", true)}, "clustered 2 true false false -1  [{_id false }]"},
	} {
		ix, err := Parse(marshal(t, v.spec))
		got := fmt.Sprint(ix.Kind, " ", ix.Version, ix.Unique, ix.Sparse, ix.Hidden, " ", ix.ExpireAfterSeconds, " ", ix.ConfigString, " ", ix.Fields)
		if err != nil || got != v.want {
			t.Errorf("%s: got %q, want %q (%v)", v.name, got, v.want, err)
		}
	}
}

func TestParseFaults(t *testing.T) {
	for _, v := range []bson.Raw{
		nil,
		{1, 2, 3},
		marshal(t, d{}),
		marshal(t, d{kv("key", 1)}),
		marshal(t, d{kv("key", d{})}),
		marshal(t, d{kv("key", d{kv("", 1)})}),
		marshal(t, d{kv("key", d{kv("a", "geoHaystack")})}),
		marshal(t, d{kv("key", d{kv("a", "nonsense")})}),
	} {
		if _, err := Parse(v); !errors.Is(err, ErrSpec) {
			t.Errorf("%x: %v", []byte(v), err)
		}
	}
}

func TestParseKey(t *testing.T) {
	for _, v := range []struct{ in, name string }{
		{"{a:1}", "a_1"},
		{" { a : 1 , b : -1 } ", "a_1_b_-1"},
		{`{"a.b": 1, 'c d': "hashed"}`, "a.b_1_c d_hashed"},
		{"{a.b.0: 1}", "a.b.0_1"},
		{"{loc: 2dsphere}", "loc_2dsphere"},
		{"{a: 1.0, b: -1.0,}", "a_1_b_-1"},
		{"{_id: 1}", "_id_"},
		{"{$**: 1}", "$**_1"},
		{`{"quo\"te": 1}`, `quo"te_1`},
		{"{größe: 1}", "größe_1"},
	} {
		ix, err := ParseKey(v.in)
		if err != nil || ix.Name != v.name {
			t.Errorf("%s: %q, want %q (%v)", v.in, ix.Name, v.name, err)
		}
	}
	for _, in := range []string{"", "a", "{}", "{a}", "{a:}", "{a:x1}", "{a:1", "{a:1} x", "{a:1 b:1}", "{:1}", "{a:0}",
		"{a:NaN}", "{'a:1}", "{a:1,a:1}", "{a:'nonsense'}", "{\"\":1}"} {
		if ix, err := ParseKey(in); !errors.Is(err, ErrSpec) {
			t.Errorf("%s: %+v, %v", in, ix.Fields, err)
		}
	}
}

func TestPattern(t *testing.T) {
	ix := parseKey(t, "{a: 1, b: -1, c: 'hashed'}")
	if got := fmt.Sprint(ix.Pattern()); got != `{"a":{"$numberInt":"1"},"b":{"$numberInt":"-1"},"c":"hashed"}` {
		t.Errorf("got %s", got)
	}
}
