package fields

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler/generate"
)

func doc(t testing.TB, extJSON string) []byte {
	t.Helper()
	var raw bson.Raw
	if err := bson.UnmarshalExtJSON([]byte(extJSON), false, &raw); err != nil {
		t.Fatalf("%v in %s", err, extJSON)
	}
	return raw
}

func count(docs ...[]byte) *Counter {
	var c Counter
	for _, d := range docs {
		c.Add(d)
	}
	return &c
}

func find(t testing.TB, c *Counter, name string) Path {
	t.Helper()
	for _, p := range c.Paths() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no path %s in %s", name, names(c))
	return Path{}
}

func names(c *Counter) string {
	var n []string
	for _, p := range c.Paths() {
		n = append(n, p.Name)
	}
	slices.Sort(n)
	return strings.Join(n, " ")
}

func TestPathsOfOneDocument(t *testing.T) {
	c := count(doc(t, `{"_id": 7, "a": {"b": "xyz", "c": [1, 2.5, null, {"d": true}]}}`))
	for _, want := range []Path{
		{Name: "_id", Type: "int", Documents: 1, Raw: 1 + 4 + 4, NameBytes: 4},
		{Name: "a", Type: "object", Documents: 1, Raw: 3 + (5 + 11 + 3 + 46 - 1), NameBytes: 2},
		{Name: "a.b", Type: "string", Documents: 1, Raw: 3 + 8, NameBytes: 2},
		{Name: "a.c", Type: "array", Documents: 1, Raw: 3 + 5 + 7 + 11 + 3 + 12, NameBytes: 2},
		{Name: "a.c[]", Type: "int|double|object|…", Documents: 1, Raw: 7 + 11 + 3 + 12, NameBytes: 8},
		{Name: "a.c[].d", Type: "bool", Documents: 1, Raw: 4, NameBytes: 2},
	} {
		got := find(t, c, want.Name)
		got.steps = nil
		if want.Name == "a" { // its size is what the parts say
			want.Raw = 3 + 5 + find(t, c, "a.b").Raw + find(t, c, "a.c").Raw
		}
		if want.Name == "a.c[]" { // equally frequent types come in the order of their codes
			want.Type = "double|object|null|…"
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestDocumentsAreCountedOnce(t *testing.T) {
	c := count(doc(t, `{"a": [{"b": 1}, {"b": 2}]}`), doc(t, `{"a": []}`), doc(t, `{}`))
	for name, want := range map[string]int64{"a": 2, "a[]": 1, "a[].b": 1} {
		if got := find(t, c, name).Documents; got != want {
			t.Errorf("%s is in %d documents, want %d", name, got, want)
		}
	}
}

// Top-level paths, with 5 bytes of frame for each document, are all there is.
func TestBytesAddUp(t *testing.T) {
	for _, shape := range generate.Shapes() {
		if shape == "large" {
			continue
		}
		s, err := generate.New(shape, 1)
		if err != nil {
			t.Fatal(err)
		}
		var c Counter
		var total int64
		for range 500 {
			d := s.Expect(500).Next()
			total += int64(len(d)) - 5
			c.Add(d)
		}
		var sum int64
		for _, p := range c.Paths() {
			if len(p.steps) == 1 {
				sum += p.Raw
			}
		}
		if sum != total {
			t.Errorf("%s: paths hold %d bytes, documents %d", shape, sum, total)
		}
	}
}

func TestOrderPaths(t *testing.T) {
	c := orders(t, 300)
	want := "_id createdAt items items[] items[].price items[].qty items[].sku note ref shipping shipping.city shipping.street " +
		"status tags tags[] tenantId total traceId userId"
	if got := names(c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p := find(t, c, "traceId"); p.Raw != 300*(1+8+4+33) || p.NameBytes != 300*8 || p.Type != "string" {
		t.Errorf("%+v", p)
	}
}

func orders(t testing.TB, n int) *Counter {
	t.Helper()
	s, err := generate.New("orders", 1)
	if err != nil {
		t.Fatal(err)
	}
	var c Counter
	for range n {
		c.Add(s.Next())
	}
	return &c
}

// Without a path, a document is shorter by just its bytes, valid, and as it was
// elsewhere.
func TestRemove(t *testing.T) {
	for _, c := range []struct{ in, path, want string }{
		{`{"_id": 1, "a": 2, "b": 3}`, "a", `{"_id": 1, "b": 3}`},
		{`{"a": {"b": 1, "c": 2}}`, "a.b", `{"a": {"c": 2}}`},
		{`{"a": {"b": 1, "c": 2}}`, "a", `{}`},
		{`{"a": [{"b": 1, "c": 2}, {"c": 3}, 4]}`, "a[].c", `{"a": [{"b": 1}, {}, 4]}`},
		{`{"a": [1, 2], "b": 3}`, "a[]", `{"a": [], "b": 3}`},
		{`{"a": [[{"b": 1, "c": 1}]]}`, "a[][].b", `{"a": [[{"c": 1}]]}`},
		{`{"a": {"12": 1, "34": 2, "x": 3}}`, "a.*", `{"a": {"x": 3}}`},
		{`{"a": 1, "A": 2}`, "A", `{"a": 1}`},
		{`{"": 1, "a": 2}`, `""`, `{"a": 2}`},
	} {
		in, want := doc(t, c.in), doc(t, c.want)
		got := find(t, count(in), c.path).Remove([]byte("kept"), in)
		if !bytes.Equal(got, append([]byte("kept"), want...)) {
			t.Errorf("%s without %s: % x, want % x", c.in, c.path, got, want)
		}
	}
}

func TestRemoveFromOrders(t *testing.T) {
	c := orders(t, 200)
	for _, p := range c.Paths() {
		s, err := generate.New("orders", 1)
		if err != nil {
			t.Fatal(err)
		}
		var saved int64
		for range 200 {
			d := s.Next()
			got := p.Remove(nil, d)
			if err := bson.Raw(got).Validate(); err != nil {
				t.Fatalf("without %s: %v", p.Name, err)
			}
			saved += int64(len(d) - len(got))
		}
		if saved != p.Raw {
			t.Errorf("without %s: %d bytes less, want %d", p.Name, saved, p.Raw)
		}
	}
}

func TestShortenNames(t *testing.T) {
	in := doc(t, `{"_id": 1, "name": "x", "address": {"street": 1, "city": 2, "a": 3}, "list": [{"name": 1}], "507f1f77bcf86cd799439011": 1}`)
	want := doc(t, `{"_id": 1, "b": "x", "a": {"b": 1, "c": 2, "a": 3}, "c": [{"a": 1}], "507f1f77bcf86cd799439011": 1}`)
	got := count(in).Shortener().ShortenNames(nil, in)
	if !bytes.Equal(got, want) {
		t.Errorf("got %s, want %s", bson.Raw(got), bson.Raw(want))
	}
	// A name that was not counted stays.
	other := doc(t, `{"name": 1, "unknown": {"name": 2}}`)
	if got := count(in).Shortener().ShortenNames(nil, other); !bytes.Equal(got, doc(t, `{"b": 1, "unknown": {"name": 2}}`)) {
		t.Errorf("got %s", bson.Raw(got))
	}
}

func TestShortNamesAreUniqueAndShort(t *testing.T) {
	var d bson.D
	for i := range 900 {
		d = append(d, bson.E{Key: fmt.Sprintf("field_%d", i), Value: int32(i)})
	}
	d = append(d, bson.E{Key: "b", Value: int32(0)}, bson.E{Key: "zz", Value: int32(0)})
	raw, err := bson.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	got := bson.Raw(count(raw).Shortener().ShortenNames(nil, raw))
	elements, err := got.Elements()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range elements {
		if len(e.Key()) > 3 || seen[e.Key()] {
			t.Fatalf("name %q", e.Key())
		}
		seen[e.Key()] = true
	}
	if len(elements) != len(d) || !seen["b"] {
		t.Errorf("%d elements of %d", len(elements), len(d))
	}
}

func TestLetters(t *testing.T) {
	for n, want := range map[int]string{0: "a", 25: "z", 26: "aa", 27: "ab", 51: "az", 52: "ba", 701: "zz", 702: "aaa"} {
		if got := letters(n); got != want {
			t.Errorf("letters(%d) = %s, want %s", n, got, want)
		}
	}
}

// Keys that are values are not told apart, and never shown.
func TestMapsCollapse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var c Counter
	var last []byte
	for range 500 {
		m := bson.D{}
		for range 5 {
			m = append(m, bson.E{Key: fmt.Sprintf("user-%c%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26)),
				Value: bson.D{{Key: "visits", Value: int32(1)}}})
		}
		var err error
		if last, err = bson.Marshal(bson.D{{Key: "_id", Value: 1}, {Key: "byUser", Value: m}}); err != nil {
			t.Fatal(err)
		}
		c.Add(last)
	}
	if got := names(&c); got != "_id byUser byUser.* byUser.*.visits" {
		t.Errorf("paths %s", got)
	}
	p := find(t, &c, "byUser.*.visits")
	if p.Raw != 2500*(1+7+4) || p.Documents != 500 {
		t.Errorf("%+v", p)
	}
	got := p.Remove(nil, last)
	if len(last)-len(got) != 5*12 {
		t.Errorf("%d bytes less, want 60", len(last)-len(got))
	}
}

// A document of many fields is no map while most of them are there.
func TestWideDocumentsStay(t *testing.T) {
	var c Counter
	for range 50 {
		var d bson.D
		for i := range 300 {
			d = append(d, bson.E{Key: fmt.Sprintf("column_%03d", i), Value: int32(i)})
		}
		raw, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		c.Add(raw)
	}
	if got := len(c.Paths()); got != 300 {
		t.Errorf("%d paths, want 300", got)
	}
}

func TestPathsAreBounded(t *testing.T) {
	var c Counter
	for i := range 300 {
		var d bson.D
		for j := range 100 {
			d = append(d, bson.E{Key: fmt.Sprintf("f%d", j), Value: bson.D{{Key: fmt.Sprintf("g%d_%d", i, j), Value: 1}}})
		}
		raw, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		c.Add(raw)
	}
	if got := len(c.Paths()); got > maxPaths || got < 100 || got != c.nodes {
		t.Errorf("%d paths, %d counted", got, c.nodes)
	}
}

func TestLooksLikeData(t *testing.T) {
	for _, s := range []string{"0", "2024", "2024-01-31", "12:30", "507f1f77bcf86cd799439011", "F5C43D20-F085-4461-949D-7E12EE065641",
		"me@example.org", "/index.html", strings.Repeat("x", 65)} {
		if !looksLikeData([]byte(s)) {
			t.Errorf("%q is taken for a field name", s)
		}
	}
	for _, s := range []string{"", "a", "_id", "face", "deadbeef", "field1", "utf8", "x-1", "line2", "snake_case", strings.Repeat("x", 64)} {
		if looksLikeData([]byte(s)) {
			t.Errorf("%q is taken for data", s)
		}
	}
}

func TestNamesAreReadable(t *testing.T) {
	c := count(doc(t, `{"a\u001b[31m": 1, "địa chỉ": 2, "x\u202ey": 3}`))
	if got := names(c); got != `a\u{1b}[31m x\u{202e}y địa chỉ` {
		t.Errorf("%q", got)
	}
}

func FuzzDocuments(f *testing.F) {
	f.Add(doc(f, `{"_id": 1, "a": {"b": [1, "x", null, {"c": {"$numberDecimal": "1.5"}}]}, "r": {"$regularExpression": {"pattern": "a", "options": "i"}}}`), uint8(0))
	f.Add([]byte{12, 0, 0, 0, 2, 'a', 0, 255, 255, 255, 255, 0}, uint8(1))
	f.Add([]byte{8, 0, 0, 0, 0x0b, 'a', 0, 0}, uint8(0))
	f.Fuzz(func(t *testing.T, d []byte, pick uint8) {
		if len(d) < 4 || int64(binary.LittleEndian.Uint32(d)) != int64(len(d)) {
			t.Skip("sources hand over whole documents")
		}
		c := count(d)
		short := c.Shortener().ShortenNames(nil, d)
		if len(short) > len(d) {
			t.Errorf("%d bytes become %d with short names", len(d), len(short))
		}
		paths := c.Paths()
		if len(paths) == 0 {
			return
		}
		p := paths[int(pick)%len(paths)]
		got := p.Remove(nil, d)
		if int64(len(d)-len(got)) < p.Raw {
			t.Errorf("without %s: %d bytes of %d, but it holds %d", p.Name, len(got), len(d), p.Raw)
		}
		if bson.Raw(d).Validate() == nil {
			if int64(len(d)-len(got)) != p.Raw {
				t.Errorf("without %s: %d bytes less, want %d", p.Name, len(d)-len(got), p.Raw)
			}
			if err := bson.Raw(got).Validate(); err != nil {
				t.Errorf("without %s: %v", p.Name, err)
			}
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	s, err := generate.New("orders", 1)
	if err != nil {
		b.Fatal(err)
	}
	var c Counter
	d := bytes.Clone(s.Next())
	b.SetBytes(int64(len(d)))
	for b.Loop() {
		c.Add(d)
	}
}
