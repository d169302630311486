package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/sampler"
)

// edgeDocuments of 140 KB have a page each. Random bytes, which no codec shrinks,
// set the length of its block; zeros fill the rest.
const (
	edgeDocuments = 8
	edgeBytes     = 140_000
)

// edge estimates a collection of them under one setting, beside none.
func edge(t *testing.T, setting string, random int) estimate.Result {
	t.Helper()
	settings, err := codec.ParseList("none," + setting)
	if err != nil {
		t.Fatal(err)
	}
	e, err := estimate.New(estimate.Options{Compressors: settings, NoIndexes: true, NoTimings: true, Topology: estimate.Standalone})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := sampler.Collection{NS: sampler.Namespace{DB: "shop", Coll: "edge"}, ConfigString: "block_compressor=none"}
	sink, err := e.Begin(c)
	if err != nil {
		t.Fatal(err)
	}
	var size int64
	state := uint64(7)
	for i := range edgeDocuments {
		content := make([]byte, edgeBytes)
		for j := range random {
			state = state*6364136223846793005 + 1442695040888963407
			content[j] = byte(state >> 56)
		}
		doc, err := bson.Marshal(bson.D{{Key: "_id", Value: int32(i)}, {Key: "b", Value: content}})
		if err == nil {
			err = sink.Document(doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		size += int64(len(doc))
	}
	end := sampler.End{Documents: edgeDocuments, Bytes: size, Count: edgeDocuments, Size: size, CountMeasured: true, Method: "all"}
	if err := e.End(c, end); err != nil {
		t.Fatal(err)
	}
	return e.Result()
}

func second(r estimate.Result) estimate.CompressorResult { return r.Collections[0].Compressors[1] }

// edgeOf finds the least number of random bytes at which pages need a block more
// than they do with 4 KB less.
func edgeOf(t *testing.T, setting string) int {
	t.Helper()
	low, high := 30_000, 30_000+4096
	below := usualBlock(second(edge(t, setting, low)))
	for high-low > 1 {
		middle := (low + high) / 2
		if usualBlock(second(edge(t, setting, middle))) > below {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// Blocks just below a multiple of 4 KiB, just above it, and in the middle
// between two. The report says on which side they are and what the other would
// cost; the interval holds it where the codec's output is not that of servers,
// and the advice does not hang on it.
func TestCliffEndToEnd(t *testing.T) {
	for _, setting := range []string{"zlib", "zstd", "zstd:3"} {
		at := edgeOf(t, setting)
		for _, c := range []struct {
			random int
			side   string
			sign   float64
		}{{at - 40, "just below", 1}, {at + 40, "just above", -1}, {at + 2048, "", 0}} {
			r := edge(t, setting, c.random)
			k := second(r)
			text := rendered(t, r, Options{Format: Table})
			flat := strings.Join(strings.Fields(text), " ")
			name := fmt.Sprintf("%s, %+d bytes from the edge", setting, c.random-at)
			if c.sign == 0 {
				if k.Cliff.Near || strings.Contains(flat, "a multiple of 4 KiB") {
					t.Errorf("%s: %+v\n%s", name, k.Cliff, text)
				}
				continue
			}
			step := c.sign * edgeDocuments * 4096 / float64(k.StorageSize)
			if !k.Cliff.Near || k.Cliff.Share != 1 || math.Abs(k.Cliff.Swing-step) > 0.0002 || k.Cliff.Bytes != usualBlock(k)-int64((1-c.sign)/2*4096) {
				t.Errorf("%s: %+v, want a swing of %+.4f; blocks of %d", name, k.Cliff, step, usualBlock(k))
			}
			want := fmt.Sprintf("%s: 100 %% of the pages end %s a multiple of 4 KiB, most of them at %d KiB", setting, c.side, k.Cliff.Bytes>>10)
			if !strings.Contains(flat, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
			low, high := 0.0, 0.0 // how far the interval reaches
			if !k.Codec.Exact {
				low, high = min(step, 0), max(step, 0)
			}
			size := float64(k.StorageSize)
			if got := [2]float64{float64(k.StorageSizeLow)/size - 1, float64(k.StorageSizeHigh)/size - 1}; math.Abs(got[0]-low) > 0.001 || math.Abs(got[1]-high) > 0.001 {
				t.Errorf("%s: the interval reaches from %+.4f to %+.4f, want %+.4f to %+.4f", name, got[0], got[1], low, high)
			}
			if a := r.Collections[0].Advice; a == nil || a.Action != "change" || !strings.HasPrefix(setting, a.Compressor) {
				t.Errorf("%s: %+v", name, a)
			}
		}
	}
}
