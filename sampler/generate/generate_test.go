package generate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// start is New for a name that exists.
func start(t testing.TB, name string, documents int64) *Stream {
	t.Helper()
	s, err := New(name, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s.Expect(documents)
}

const hashed = 40 // documents of each shape

// A change here changes every figure measured on generated data: it belongs in
// the changelog, and the accuracy tables are to be measured again.
func TestSameBytesEverywhere(t *testing.T) {
	want := map[string]string{
		"orders":  "d759c891e1d4ef42",
		"log":     "4c3c68d932461ec1",
		"random":  "5092db5ba8e60d97",
		"drift":   "05d7c83f10373438",
		"heavy":   "8faef22a16b53a3e",
		"grouped": "a5a4b5425e44f576",
		"tiny":    "c9c07c86bb2fb827",
		"large":   "6b45666434d4e1f7",
	}
	for _, name := range Shapes() {
		h := sha256.New()
		s := start(t, name, hashed)
		for range hashed {
			h.Write(s.Next())
		}
		if got := hex.EncodeToString(h.Sum(nil))[:16]; got != want[name] {
			t.Errorf("%s: first %d documents hash to %s, want %s", name, hashed, got, want[name])
		}
	}
}

func TestDocumentsAreValid(t *testing.T) {
	for _, name := range Shapes() {
		s := start(t, name, 20)
		for i := range 20 {
			doc := s.Next()
			if err := bson.Raw(doc).Validate(); err != nil {
				t.Fatalf("%s: document %d: %v", name, i, err)
			}
			if len(doc) > maxDocument {
				t.Fatalf("%s: document %d has %d bytes", name, i, len(doc))
			}
		}
	}
}

func TestSeedsAndRestarts(t *testing.T) {
	for _, name := range Shapes() {
		s := start(t, name, 50)
		first := bytes.Clone(s.Next())
		s.Next()
		if again := s.Expect(50).Next(); !bytes.Equal(first, again) {
			t.Errorf("%s: starting over gives another first document", name)
		}
		other, err := New(name, 2)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(first, other.Expect(50).Next()) {
			t.Errorf("%s: seeds 1 and 2 give the same first document", name)
		}
	}
}

func TestNoSuchShape(t *testing.T) {
	if _, err := New("ordres", 1); err == nil {
		t.Error("a shape that does not exist was made")
	}
	if got := About("ordres"); got != "" {
		t.Errorf("About(ordres) = %q", got)
	}
}

// Sizes that the published measurements were taken at: 461.7 MB for a million
// orders, 19,784,644 bytes for 100,000 log lines, 22,200,000 random bytes.
func TestMeanSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		documents int64
		low, high float64
	}{
		{"orders", 30_000, 461, 462},
		{"log", 30_000, 197.5, 198.3},
		{"random", 1_000, 1110, 1110},
		{"tiny", 1_000, 30, 30},
		{"heavy", 100_000, 300, 600},
		{"large", 20, 2 << 20, 5 << 20},
	} {
		s := start(t, c.name, c.documents)
		var n int64
		for range c.documents {
			n += int64(len(s.Next()))
		}
		if mean := float64(n) / float64(c.documents); mean < c.low || mean > c.high {
			t.Errorf("%s: mean size %.2f, want %g to %g", c.name, mean, c.low, c.high)
		}
	}
}

func TestDriftChangesAtTheHalf(t *testing.T) {
	s := start(t, "drift", 10)
	for i := range 10 {
		_, err := bson.Raw(s.Next()).LookupErr("schema")
		if newer := err == nil; newer != (i >= 5) {
			t.Errorf("document %d of 10: new schema is %v", i, newer)
		}
	}
}

func TestHeavyHasOneGiant(t *testing.T) {
	const documents = 20_000
	s := start(t, "heavy", documents)
	var giants, aboveKB int
	for range documents {
		switch n := len(s.Next()); {
		case n == maxDocument:
			giants++
		case n > maxBody:
			t.Errorf("a document of %d bytes beside the giant", n)
		case n > 1<<10:
			aboveKB++
		}
	}
	if giants != 1 {
		t.Errorf("%d documents of 16 MiB, want 1", giants)
	}
	if aboveKB < documents/100 || aboveKB > documents/10 {
		t.Errorf("%d of %d documents above 1 KiB", aboveKB, documents)
	}
}

func TestGroupsDiffer(t *testing.T) {
	const documents = 20_000
	s := start(t, "grouped", documents)
	var sizes []float64
	var sum, n float64
	group := int32(1)
	for range documents {
		doc := bson.Raw(s.Next())
		if g := doc.Lookup("source").Int32(); g != group {
			sizes, group = append(sizes, sum/n), g
			sum, n = 0, 0
		}
		sum += float64(len(doc))
		n++
	}
	low, high := math.Inf(1), 0.0
	for _, size := range sizes {
		low, high = min(low, size), max(high, size)
	}
	if len(sizes) < groupsExpected/3 || high < 2*low {
		t.Errorf("%d groups with mean sizes %.0f to %.0f", len(sizes), low, high)
	}
}

func TestExp2(t *testing.T) {
	for x := int64(-16 * 65536); x <= 20*65536; x += 1009 {
		want := math.Exp2(float64(x)/65536) * 65536
		if got := float64(exp2(x)); math.Abs(got-want) > want*0.0005+1 {
			t.Fatalf("exp2(%d) = %g, want %g", x, got, want)
		}
	}
}

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		v     int64
		width int
		want  string
	}{
		{0, 1, "0"}, {0, 4, "0000"}, {9, 2, "09"}, {10, 2, "10"}, {42, 4, "0042"},
		{9999, 4, "9999"}, {10000, 4, "10000"}, {183, 8, "00000183"},
	} {
		var d document
		d.digits(c.v, c.width)
		if string(d.b) != c.want {
			t.Errorf("digits(%d, %d) = %q, want %q", c.v, c.width, d.b, c.want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, name := range []string{"orders", "log", "random", "drift", "tiny"} {
		s := start(t, name, 1_000)
		for range 1_000 {
			s.Next() // grow the buffer to its final size
		}
		if n := testing.AllocsPerRun(1_000, func() { s.Next() }); n != 0 {
			t.Errorf("%s: %g allocations a document", name, n)
		}
	}
}

func TestMetadata(t *testing.T) {
	for _, name := range Shapes() {
		meta, err := start(t, name, 1).Metadata(`odd "name"`)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Indexes []struct {
				V    int32
				Name string
				Key  bson.D
			}
			UUID           string
			CollectionName string `bson:"collectionName"`
			Type           string
		}
		if err := bson.UnmarshalExtJSON(meta, true, &got); err != nil {
			t.Fatalf("%s: %v in %s", name, err, meta)
		}
		if got.CollectionName != `odd "name"` || got.Type != "collection" || len(got.UUID) != 32 {
			t.Errorf("%s: metadata %s", name, meta)
		}
		if len(got.Indexes) == 0 || got.Indexes[0].Name != "_id_" {
			t.Errorf("%s: no _id index in %s", name, meta)
		}
	}
	meta, err := start(t, "orders", 1).Metadata("orders")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"v":{"$numberInt":"2"},"key":{"tenantId":{"$numberInt":"1"},"createdAt":{"$numberInt":"-1"}},"name":"tenantId_1_createdAt_-1"}`
	if !bytes.Contains(meta, []byte(want)) {
		t.Errorf("metadata %s lacks %s", meta, want)
	}
}

func BenchmarkStream(b *testing.B) {
	for _, name := range Shapes() {
		b.Run(name, func(b *testing.B) {
			s := start(b, name, DefaultDocuments)
			var n int64
			for b.Loop() {
				n += int64(len(s.Next()))
			}
			b.SetBytes(n / int64(b.N))
		})
	}
}
