package estimate

import (
	"fmt"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
)

// Timings, costs, break-evens, winners and advice are there unless they were
// refused, and hang together.
func TestTimings(t *testing.T) {
	c := made(t, "orders", "orders", 41, 2<<20)
	c.c.ConfigString = "block_compressor=snappy"
	c.c.Indexes = indexSpecs(t, idKey)
	o := testOptions(t, "none,snappy,zstd:1")
	o.NoTimings, o.NoIndexes = false, false
	for _, o.SampleBytes = range []int64{0, 1 << 20} {
		r := estimateOne(t, o, c)
		checkResult(t, r)
		for _, k := range r.Compressors {
			if timed := k.CompressNsPerByte > 0 && k.DecompressNsPerByte > 0; timed != (k.Compressor != "none") {
				t.Errorf("%s: %g and %g ns a byte", k.Name(), k.CompressNsPerByte, k.DecompressNsPerByte)
			}
			if k.Costs == nil || k.Costs.ScanSeconds <= 0 || k.Costs.PointReadSeconds <= 0 || k.Costs.ScanSecondsLow > k.Costs.ScanSeconds {
				t.Errorf("%s: %+v", k.Name(), k.Costs)
			}
		}
		if len(r.Winners) == 0 || r.Advice == nil || len(r.Advice.Why) == 0 {
			t.Errorf("winners %+v, advice %+v", r.Winners, r.Advice)
		}
	}
	o.NoTimings = true
	if r := estimateAll(t, o, fake{c}); r.Assumptions.Disk != nil || r.Collections[0].Winners != nil || r.Collections[0].BreakEven != nil {
		t.Errorf("refused timings: %+v", r.Assumptions)
	}
}

// Of a grid of levels the field report takes one.
func TestFieldsOfLevels(t *testing.T) {
	for list, want := range map[string]string{
		"none,snappy,zlib,zstd": "[none snappy zlib zstd]",
		"zstd:1-22,snappy":      "[zstd snappy]",
		"zlib:9,zlib:1,zstd:3":  "[zlib:9 zstd:3]",
	} {
		settings, err := codec.ParseList(list)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(oneOfEach(settings)); got != want {
			t.Errorf("%s: %s, want %s", list, got, want)
		}
	}
}

// Fields: paths with the bytes that they hold, largest first, none of them more
// than there is.
func TestFields(t *testing.T) {
	c := made(t, "logs", "log", 42, 1<<20)
	o := testOptions(t, "none,zstd:1")
	o.Fields = true
	for _, o.SampleBytes = range []int64{0, 600 << 10} {
		r := estimateOne(t, o, c)
		if len(r.Fields) == 0 || len(r.Fields) > fieldPaths {
			t.Fatalf("%d paths", len(r.Fields))
		}
		var raw int64
		for _, f := range r.Fields {
			if f.Path == "" || f.Type == "" || f.Share <= 0 || f.Share > 1 || f.Raw <= 0 || f.NameBytes >= f.Raw || f.Stored["none"] < f.Stored["zstd:1"] {
				t.Errorf("%+v", f)
			}
			raw += f.Raw
		}
		if raw > r.Size || raw < r.Size*8/10 {
			t.Errorf("paths hold %d of %d bytes", raw, r.Size)
		}
		if len(r.ShortNames) != 2 {
			t.Errorf("short names: %v", r.ShortNames)
		}
	}
}
