package advise

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

var update = flag.Bool("update", false, "write the files in testdata anew")

// files makes options from sizes of complete reads: none, snappy, zlib, zstd.
// Speeds are those of one core on order images, page sizes those of pages that
// compress well.
func files(sizes ...int64) []Option {
	all := []Option{
		{Compressor: "none", PointReadCacheBytes: 28_004, ScanSeconds: 4.07, PointReadSeconds: 0.00123},
		{Compressor: "snappy", CompressNs: 0.8, DecompressNs: 0.4, PointReadCacheBytes: 80_900, ScanSeconds: 1.86, PointReadSeconds: 0.0013},
		{Compressor: "zlib", Level: 6, CompressNs: 27, DecompressNs: 2.5, PointReadCacheBytes: 117_242, ScanSeconds: 2.36, PointReadSeconds: 0.00155},
		{Compressor: "zstd", Level: 6, CompressNs: 8.1, DecompressNs: 0.5, PointReadCacheBytes: 117_301, ScanSeconds: 1.31, PointReadSeconds: 0.00128},
	}
	for i, n := range sizes {
		all[i].StorageSize, all[i].Low, all[i].High = n, n, n
	}
	return all[:len(sizes)]
}

// spread widens the intervals: both parts relative, sampling and the rest.
func spread(options []Option, sampling, rest float64) []Option {
	for i := range options {
		n := float64(options[i].StorageSize)
		options[i].Low, options[i].High = int64(n*(1-sampling-rest)), int64(n*(1+sampling+rest))
		options[i].SamplingError = sampling
	}
	return options
}

// levels are zstd levels with the sizes of the orders relative to level 6.
func levels(six int64) []Option {
	var options []Option
	for _, l := range []struct {
		level int
		size  float64
		ns    float64
	}{{-7, 1.828, 1.5}, {1, 1.131, 1.8}, {3, 1.071, 3.2}, {6, 1, 8.1}, {9, 0.954, 12}, {12, 0.927, 48}, {15, 0.902, 130}, {19, 0.892, 400}} {
		n := int64(float64(six) * l.size)
		options = append(options, Option{Compressor: "zstd", Level: l.level, StorageSize: n, Low: n, High: n, CompressNs: l.ns, DecompressNs: 0.5})
	}
	return options
}

const (
	mb = 1_000_000
	gb = 1_000_000_000
)

func orders(current string) Input {
	return Input{DB: "shop", Coll: "orders", Size: 461_700_000, IndexBytes: 93_700_000, Current: current, Disk: "gp3",
		Options: files(474_900_000, 175_100_000, 113_600_000, 97_600_000), Sample: Sample{Bytes: 461_700_000, Complete: true}}
}

// with changes a copy.
func with(in Input, change func(*Input)) Input {
	change(&in)
	return in
}

func document(t *testing.T, extJSON string) bson.Raw {
	t.Helper()
	var raw bson.Raw
	if err := bson.UnmarshalExtJSON([]byte(extJSON), false, &raw); err != nil {
		t.Fatal(err)
	}
	return raw
}

type goldenCase struct {
	name string
	in   Input
}

// cases are what users meet, and the edges of the rules.
func cases(t *testing.T) []goldenCase {
	half := Sample{Bytes: 64 << 20}
	return []goldenCase{
		{"orders under snappy, everything read", orders("snappy")},
		{"orders under none", orders("none")},
		{"orders under zstd already", orders("zstd")},
		{"orders under zlib", orders("zlib")},
		{"orders under zlib, indexes larger than the data", with(orders("zlib"), func(in *Input) { in.IndexBytes = 300 * mb })},
		{"orders, compressor not known", orders("")},
		{"random bytes under snappy", Input{DB: "app", Coll: "blobs", Size: 22_200_000, Current: "snappy", Disk: "nvme",
			Options: files(23_040_000, 22_925_312, 22_646_784, 22_642_688), Sample: Sample{Complete: true}}},
		{"random bytes under zlib", Input{DB: "app", Coll: "blobs", Size: 22_200_000, Current: "zlib", Disk: "nvme",
			Options: files(23_040_000, 22_925_312, 22_646_784, 22_642_688), Sample: Sample{Complete: true}}},
		{"text that compresses a little, under none: snappy is enough", Input{DB: "app", Coll: "tokens", Size: 980 * mb, Current: "none",
			Options: files(1000*mb, 930*mb, 915*mb, 905*mb), Sample: Sample{Complete: true}}},
		{"time series, compressor not known", Input{DB: "iot", Coll: "readings", Size: 900 * mb, Collection: Collection{TimeSeries: true},
			Options: files(930*mb, 410*mb, 300*mb, 280*mb), Sample: Sample{Complete: true}}},
		{"time series made with snappy", Input{DB: "iot", Coll: "readings", Size: 900 * mb, Current: "snappy", Collection: Collection{TimeSeries: true},
			Options: files(930*mb, 410*mb, 300*mb, 280*mb), Sample: Sample{Complete: true}}},
		{"levels of zstd, small indexes", Input{DB: "shop", Coll: "archive", Size: 4_617 * mb, IndexBytes: 180 * mb, Current: "zstd",
			Options: levels(976 * mb), Sample: Sample{Complete: true}}},
		{"levels of zstd, large indexes", Input{DB: "shop", Coll: "archive", Size: 4_617 * mb, IndexBytes: 937 * mb, Current: "zstd",
			Options: levels(976 * mb), Sample: Sample{Complete: true}}},
		{"a sample that is too thin", with(orders("snappy"), func(in *Input) {
			in.Sample = Sample{Bytes: 700 << 10}
			in.Options = spread(in.Options, 0.2, 0.01)
		})},
		{"a sample of 64 MiB is enough for a clear case", with(orders("snappy"), func(in *Input) {
			in.Size, in.Sample = 40*gb, half
			in.Options = spread(files(41*gb, 15*gb, 9_800*mb, 8_450*mb), 0.02, 0.005)
			in.IndexBytes = 6 * gb
		})},
		{"the same for a close one: a larger sample", with(orders("zlib"), func(in *Input) {
			in.Size, in.Sample = 40*gb, half
			in.Options = spread(files(41*gb, 15*gb, 9_800*mb, 8_450*mb), 0.04, 0.005)
			in.IndexBytes = 6 * gb
		})},
		{"close, and the model's own spread is in the way", with(orders("zlib"), func(in *Input) {
			in.Size, in.Sample = 40*gb, half
			in.Options = spread(files(41*gb, 15*gb, 9_800*mb, 8_900*mb), 0.01, 0.03)
			in.IndexBytes = 1 * gb
		})},
		{"without the C library: within the codec's error", with(orders("zlib"), func(in *Input) {
			in.Options[3].Low, in.Options[3].High = in.Options[3].StorageSize*95/100, in.Options[3].StorageSize*105/100
			in.IndexBytes = 150 * mb
		})},
		{"next to a 4 KB cliff: zlib and zstd come out equal", Input{DB: "shop", Coll: "events", Size: 9_700 * mb, IndexBytes: 500 * mb, Current: "snappy",
			Options: files(10*gb, 2_600*mb, 1_810*mb, 1_810*mb), Sample: Sample{Complete: true}}},
		{"the compressor in use was not tried", with(orders("zlib"), func(in *Input) { in.Options = in.Options[:2] })},
		{"zlib level 9 is the smallest, but no server can be set to it", Input{DB: "shop", Coll: "events", Size: 500 * mb, Current: "zlib",
			Options: append(files(510*mb, 200*mb, 150*mb), Option{Compressor: "zlib", Level: 9, StorageSize: 120 * mb, Low: 120 * mb, High: 120 * mb}),
			Sample:  Sample{Complete: true}}},
		{"a capped collection", with(orders("snappy"), func(in *Input) {
			in.Collection = Collection{Capped: true, Options: document(t, `{"capped": true, "size": 1000000000}`)}
		})},
		{"a sharded collection", with(orders("snappy"), func(in *Input) { in.Collection.Sharded = true })},
		{"options and a configuration string of its own", with(orders("snappy"), func(in *Input) {
			in.Collection.Options = document(t, `{
				"uuid": {"$binary": {"base64": "9cQ9IPCFRhlJfXTnLe4GVA==", "subType": "04"}},
				"validator": {"total": {"$gte": {"$numberInt": "0"}}},
				"storageEngine": {"wiredTiger": {"configString": "block_compressor=snappy,leaf_page_max=64KB,access_pattern_hint=(a,b)"}}}`)
		})},
		{"a hostile name", with(orders("snappy"), func(in *Input) {
			in.DB, in.Coll = `it's"`, "a\"); db.dropDatabase(); //\n$(rm -rf ~)\u202e`x`*"
		})},
		{"a name that is no UTF-8", with(orders("snappy"), func(in *Input) { in.Coll = "caf\xe9" })},
		{"a Vietnamese name", with(orders("snappy"), func(in *Input) { in.DB, in.Coll = "cửa_hàng", "đơn hàng" })},
		{"the database is not known", with(orders("snappy"), func(in *Input) { in.DB = "" })},
		{"nothing was tried", with(orders("snappy"), func(in *Input) { in.Options = nil })},
		{"no documents", Input{DB: "shop", Coll: "empty", Current: "snappy", Options: files(4096, 4096, 4096, 4096), Sample: Sample{Complete: true}}},
	}
}

func render(a Advice) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", a.Action)
	if a.Compressor != "" {
		fmt.Fprintf(&b, " %s %d", a.Compressor, a.Level)
	}
	if a.SavesBytes != 0 {
		fmt.Fprintf(&b, ", saves %d", a.SavesBytes)
	}
	b.WriteByte('\n')
	for _, w := range a.Why {
		fmt.Fprintf(&b, "  - %s\n", w)
	}
	for _, c := range a.Commands {
		fmt.Fprintf(&b, "  > %s\n", c)
	}
	return b.String()
}

// The file is reviewed by hand: read the difference before committing it.
func TestAdvice(t *testing.T) {
	var got strings.Builder
	for _, c := range cases(t) {
		fmt.Fprintf(&got, "# %s\n%s\n", c.name, render(Advise(c.in)))
	}
	golden(t, "testdata/advice.txt", got.String())
}

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("advice differs from %s; go test -update writes it anew\n%s", file, firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}
