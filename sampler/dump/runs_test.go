package dump

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"sort"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler/racetest"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// realSets gives the first documents of the real sets of at least a size, to so
// many bytes.
func realSets(t testing.TB, least int, most int64) map[string][]byte {
	sets := map[string][]byte{}
	paths, _ := filepath.Glob(filepath.Join(streamtest.Data(t, data+"/sets"), "*/*.bson.gz"))
	for _, p := range paths {
		data := streamtest.Head(t, p, most)
		whole := 0
		for n := 4; whole+4 <= len(data); whole += n {
			if n = int(binary.LittleEndian.Uint32(data[whole:])); whole+n > len(data) {
				break
			}
		}
		if whole >= least {
			sets[filepath.Base(p)] = data[:whole]
		}
	}
	return sets
}

func boundaries(data []byte) []int64 {
	var all []int64
	for p := 0; p < len(data); p += int(binary.LittleEndian.Uint32(data[p:])) {
		all = append(all, int64(p))
	}
	return append(all, int64(len(data)))
}

// syncs tries find at random places and counts those where it was wrong.
func syncs(t testing.TB, data []byte, tries int, run int64, rng *rand.Rand) (wrong int, read int64) {
	s := NewRuns(bytes.NewReader(data), int64(len(data)), "test", nil)
	if s.Tail != nil {
		t.Fatal(s.Tail)
	}
	s.f.read = func(n int) { read += int64(n) }
	all := boundaries(data)
	for range tries {
		at := rng.Int64N(int64(len(data)))
		want := all[sort.Search(len(all), func(i int) bool { return all[i] >= at })]
		got, ok := s.f.find(at, run)
		if !ok || got != want {
			wrong++
		}
		for n := 0; n < 4 && got < int64(len(data)); n++ { // as a run would
			doc := s.f.document(got)
			if doc == nil {
				break
			}
			s.f.met.add(len(doc))
			got += int64(len(doc))
		}
	}
	return wrong, read / int64(tries)
}

// TestFindReal measures the rate of false boundaries on real collections: a
// chain of one byte is two documents, the least that is ever believed.
func TestFindReal(t *testing.T) {
	racetest.OneGoroutine(t)
	const tries = 40
	for name, data := range realSets(t, 1<<20, 4<<20) {
		for _, run := range []int64{1, 256 << 10} {
			wrong, read := syncs(t, data, tries, run, rand.New(rand.NewPCG(1, 2)))
			t.Logf("%-30s %3d MiB, chain of %6d: %d of %d wrong, %d KiB read each", name, len(data)>>20, run, wrong, tries, read>>10)
			if wrong > 0 {
				t.Errorf("%s: %d of %d boundaries wrong", name, wrong, tries)
			}
		}
	}
}

func marshal(t testing.TB, v any) []byte {
	doc, err := bson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// nested builds documents that carry a stretch of other BSON documents.
func nested(t testing.TB, n int, inner func(i int) any) []byte {
	var out []byte
	for i := range n {
		out = append(out, marshal(t, bson.D{{Key: "_id", Value: int64(i)}, {Key: "n", Value: int32(i % 7)}, {Key: "data", Value: inner(i)}})...)
	}
	return out
}

// TestFindEmbedded: documents that carry stretches of other BSON documents, cut
// anywhere, do not mislead.
func TestFindEmbedded(t *testing.T) {
	racetest.OneGoroutine(t)
	var small []byte
	for i := range 20000 {
		small = append(small, marshal(t, bson.D{{Key: "_id", Value: int64(i)}, {Key: "v", Value: "some text of it"}, {Key: "w", Value: bson.D{{Key: "_id", Value: int32(i)}}}})...)
	}
	chunk := func(size int) func(int) any {
		return func(i int) any {
			from := (i * 7919) % (len(small) - size)
			return bson.Binary{Data: small[from : from+size]}
		}
	}
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"binary of 2 KiB", nested(t, 4000, chunk(2<<10))},
		{"GridFS chunks of a dump", nested(t, 100, chunk(255<<10))},
		{"binary of 1 MiB", nested(t, 30, chunk(1<<20))},
		{"text", nested(t, 4000, func(i int) any { return string(small[i*40 : i*40+1500]) })},
		{"array of documents", nested(t, 2000, func(i int) any {
			var a bson.A
			for j := range 20 {
				a = append(a, bson.D{{Key: "_id", Value: int32(j)}, {Key: "x", Value: "y"}})
			}
			return a
		})},
		{"one document inside", nested(t, 5000, func(i int) any { return bson.D{{Key: "_id", Value: int64(i)}, {Key: "n", Value: int32(256)}} })},
		{"no common first field", func() []byte {
			var out []byte
			for i := range 20000 {
				out = append(out, marshal(t, bson.D{{Key: string(rune('a' + i%26)), Value: int64(i)}, {Key: "b", Value: bson.D{{Key: "c", Value: "x"}}}})...)
			}
			return out
		}()},
	} {
		rng := rand.New(rand.NewPCG(3, 4))
		wrong, read := syncs(t, c.data, 100, 512<<10, rng)
		t.Logf("%-25s %3d MiB: %d of 100 wrong, %d KiB read each", c.name, len(c.data)>>20, wrong, read>>10)
		if wrong > 0 {
			t.Errorf("%s: %d of 100 boundaries wrong", c.name, wrong)
		}
	}
}
