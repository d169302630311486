package archive

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/archive/archivetest"
	"github.com/wtsize/wtsize/sampler/dump/namespace"
)

const logText = "2026-08-30T12:34:56.789+0000\twriting shop.orders to archive on stdout\n"

// TestLog: messages between writes are passed over and named; one inside a
// document spoils that block, is named, and leaves the others alone.
func TestLog(t *testing.T) {
	var w archivetest.Writer
	w.WriteString(logText)
	prelude := archivetest.New(all()[:2]...)
	w.Write(prelude.Bytes())
	body := archivetest.New(all()[:2]...)
	at := body.Len()
	body.Block(orders, docs(0, 3)...)
	body.Block(users, docs(0, 2)...)
	body.EOF(orders)
	body.EOF(users)
	w.Write(body.Bytes()[at:])
	clean := w.Bytes()[len(logText):]
	r, err := read(w.Bytes(), namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "- skipped: at 0: log lines of the dump tool are mixed into the archive (1 passed over)",
		"shop.orders collection documents=3 bytes=87", "shop.users collection documents=2 bytes=58")

	mixed := func(at int) []byte { return slices.Concat(clean[:at], []byte(logText+logText), clean[at:]) }
	first := strings.Index(string(clean[prelude.Len():]), string(docs(0, 1)[0])) + prelude.Len() // the first document
	for _, at := range []int{prelude.Len(), first, first + 29} {
		r, err := read(mixed(at), namespace.Select{})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, r, fmt.Sprintf("- skipped: at %d: log lines of the dump tool are mixed into the archive (2 passed over)", at),
			"shop.orders collection documents=3 bytes=87", "shop.users collection documents=2 bytes=58")
	}
	if r, err = read(mixed(first+20), namespace.Select{}); err != nil {
		t.Fatal(err)
	}
	f := r.Taken["shop.orders"].End.Fault
	want := fmt.Sprintf("; a log line of the dump tool is mixed into the data at offset %d", first+20)
	if f == nil || !strings.HasSuffix(f.Why, want) || f.Hint != hintLog || r.Taken["shop.users"].End.Fault != nil {
		t.Errorf("%v", r.Lines())
	}
}

// varied are documents of many sizes and types, with zeros inside that a length
// in the wrong place may pass with.
func varied(rng *rand.Rand, n int) [][]byte {
	var all [][]byte
	for i := range n {
		d := bson.D{{Key: "_id", Value: int64(i)}}
		for range 1 + rng.IntN(8) {
			d = append(d, bson.E{Key: "n", Value: int64(rng.IntN(1000))}, bson.E{Key: "s", Value: strings.Repeat("x", rng.IntN(200))},
				bson.E{Key: "f", Value: rng.Float64()}, bson.E{Key: "z", Value: make([]byte, rng.IntN(200))})
		}
		b, err := bson.Marshal(d)
		if err != nil {
			panic(err) // the test's own mistake
		}
		all = append(all, b)
	}
	return all
}

// TestLogAnywhere puts a message at random places behind the prelude, most of
// them inside documents. It is told with its offset wherever figures suffer.
func TestLogAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	w := archivetest.New(all()[:2]...)
	start := w.Len()
	for range 3 {
		w.Block(orders, varied(rng, 40)...)
		w.Block(users, varied(rng, 40)...)
	}
	w.EOF(orders)
	w.EOF(users)
	in := w.Bytes()
	whole, err := read(in, namespace.Select{})
	if err != nil {
		t.Fatal(err)
	}
	for range 150 {
		at := start + rng.IntN(len(in)-start)
		r, err := read(slices.Concat(in[:at], []byte(logText), in[at:]), namespace.Select{})
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for name, want := range whole.Taken {
			got := r.Taken[name]
			if got == nil || got.End.Fault == nil && got.Sum() != want.Sum() {
				t.Fatalf("line at %d: %s is not whole, and not marked", at, name)
			}
			if got.End.Fault != nil {
				told = got.End.Fault.Why
			}
		}
		if told == "" {
			told = r.Skips[sampler.Namespace{}.String()].Error()
		}
		if !strings.Contains(told, "log line") || !strings.Contains(told, fmt.Sprint("at offset ", at)) {
			t.Errorf("line at %d: %s", at, told)
		}
	}
}
