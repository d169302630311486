package metadata

import (
	"strings"
	"testing"

	"github.com/wtsize/wtsize/sampler"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text    string
		kind    sampler.Type
		indexes int
		config  string
	}{
		{`{"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"}],"type":"collection"}`, sampler.Plain, 1, ""},
		{`{"options":{},"indexes":[{"v":2,"key":{"_id":1}},{"v":2,"key":{"a":1.0}}],"uuid":"x"}`, sampler.Plain, 2, ""},
		{`{ "options" : { "capped" : true, "size" : { "$numberLong" : "10" } }, "indexes" : [ ] }`, sampler.Capped, 0, ""},
		{`{"options":{"capped":1,"size":NumberLong(10)},"indexes":[{key:{_id:1}}]}`, sampler.Capped, 1, ""},
		{`{"options":{"capped":false},"indexes":[]}`, sampler.Plain, 0, ""},
		{`{"options":{"viewOn":"a","pipeline":[]},"indexes":[]}`, sampler.View, 0, ""},
		{`{"indexes":[],"type":"view"}`, sampler.View, 0, ""},
		{`{"options":{"timeseries":{"timeField":"t"}},"indexes":[]}`, sampler.TimeSeries, 0, ""},
		{`{"indexes":[],"type":"timeseries"}`, sampler.TimeSeries, 0, ""},
		{`{"options":{"clusteredIndex":{"key":{"_id":1},"unique":true}},"indexes":[]}`, sampler.Clustered, 0, ""},
		{`{"indexes":[{"key":{"_id":1},"clustered":true}]}`, sampler.Clustered, 1, ""},
		{`{"options":{"storageEngine":{"wiredTiger":{"configString":"block_compressor=zlib"}}},"indexes":[]}`, sampler.Plain, 0, "block_compressor=zlib"},
		{`{"options":1,"indexes":{"a":1},"collectionName":5}`, sampler.Plain, 0, ""},
		{`{}`, sampler.Plain, 0, ""},
	} {
		m, err := Parse([]byte(c.text))
		if err != nil || m.Type != c.kind || len(m.Indexes) != c.indexes || m.ConfigString != c.config {
			t.Errorf("%s: %+v, %v", c.text, m, err)
		}
		var d sampler.Collection
		m.Describe(&d)
		if (len(d.Warnings) == 1) != (c.config != "") {
			t.Errorf("%s: warnings %v", c.text, d.Warnings)
		}
	}
	for _, bad := range []string{"", "[]", "{", `{"options":secret}`} {
		if _, err := Parse([]byte(bad)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestRelease(t *testing.T) {
	for text, want := range map[string]string{
		`{"ServerVersion":"8.0.4","ToolVersion":"100.12.0"}`: "8.0.4",
		`{"ServerVersion":"unknown"}`:                        "",
		`{"ServerVersion":7}`:                                "",
		`nonsense`:                                           "",
	} {
		if got := Release([]byte(text)); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
