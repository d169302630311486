package fields

import (
	"errors"
	"iter"
	"testing"

	"github.com/wtsize/wtsize/sampler/generate"
)

// someOrders gives the same orders each time.
func someOrders(t testing.TB, n int) iter.Seq[[]byte] {
	t.Helper()
	s, err := generate.New("orders", 1)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func([]byte) bool) {
		s.Expect(int64(n))
		for range n {
			if !yield(s.Next()) {
				return
			}
		}
	}
}

// sum is a compressor that does nothing.
func sum(docs iter.Seq[[]byte]) (map[string]int64, error) {
	var n int64
	for d := range docs {
		n += int64(len(d))
	}
	return map[string]int64{"none": n}, nil
}

func TestMeasure(t *testing.T) {
	r, err := Measure(someOrders(t, 100), 5, sum)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Paths) != 5 || r.Paths[0].Name != "items" {
		t.Fatalf("%+v", r.Paths)
	}
	for _, p := range r.Paths {
		if p.Bytes["none"] != p.Raw {
			t.Errorf("%s: %d bytes of file for %d of BSON", p.Name, p.Bytes["none"], p.Raw)
		}
	}
	// 19 names; the 15 of more than two letters, _id and array indexes aside,
	// become one letter each: tenantId saves 7 bytes a document, and so on.
	const names = len("tenantId") + len("userId") + len("status") + len("createdAt") + len("total") + len("tags") +
		len("items") + len("shipping") + len("city") + len("street") + len("note") + len("traceId") + len("ref") - 13
	const item = len("sku") + len("qty") + len("price") - 3
	items := r.ShortNames["none"]/100 - int64(names)
	if items < int64(item) || items > 3*int64(item) {
		t.Errorf("short names save %d bytes in 100 orders", r.ShortNames["none"])
	}
}

func TestMeasureOfNothing(t *testing.T) {
	r, err := Measure(someOrders(t, 0), 5, sum)
	if err != nil || len(r.Paths) != 0 || r.ShortNames["none"] != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestMeasurePassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	for fail := range 4 {
		calls := 0
		_, err := Measure(someOrders(t, 3), 2, func(docs iter.Seq[[]byte]) (map[string]int64, error) {
			if calls++; calls > fail {
				return nil, broken
			}
			return sum(docs)
		})
		if !errors.Is(err, broken) {
			t.Errorf("call %d fails: %v", fail, err)
		}
	}
}
