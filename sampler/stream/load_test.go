package stream

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	kgzip "github.com/klauspost/compress/gzip"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// endless repeats a block for n bytes.
type endless struct {
	block []byte
	n     int64
	at    int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), e.n)], e.block[e.at:])
	e.at = (e.at + n) % len(e.block)
	e.n -= int64(n)
	return n, nil
}

// TestMemory: two gigabytes go through a buffer, and a length that promises
// much while little comes allocates little.
func TestMemory(t *testing.T) {
	var block []byte
	rng := rand.New(rand.NewPCG(1, 2))
	for len(block) < 4<<20 {
		block = append(block, doc(100+rng.IntN(3000))...)
	}
	total := int64(2<<30) / int64(len(block)) * int64(len(block))
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := Sniff(&endless{block: block, n: total}, "in", nil)
	if err != nil {
		t.Fatal(err)
	}
	var read int64
	for {
		d, err := s.Document()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		read += int64(len(d))
	}
	runtime.ReadMemStats(&now)
	if read != total {
		t.Errorf("read %d of %d bytes", read, total)
	}
	if grew := now.TotalAlloc - before.TotalAlloc; grew > 4<<20 {
		t.Errorf("allocated %d bytes in all", grew)
	}
	promise := doc(sampler.MaxDocumentBytes)[:200]
	runtime.ReadMemStats(&before)
	_, _, err = frames(bytes.NewReader(promise))
	runtime.ReadMemStats(&now)
	if grew := now.TotalAlloc - before.TotalAlloc; err == nil || grew > 2<<20 {
		t.Errorf("%v; a length of 16 MiB made %d bytes be allocated", err, grew)
	}
}

// TestClose: an input closed half way leaves no goroutine behind.
func TestClose(t *testing.T) {
	in := streamtest.Gzipped(bytes.Repeat(doc(10_000), 300))
	before := runtime.NumGoroutine()
	for range 20 {
		s, err := Sniff(bytes.NewReader(in), "in", nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if _, err := s.Document(); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
	}
	for tries := 0; runtime.NumGoroutine() > before; tries++ {
		if tries == 1000 { // one that has closed its channel may still be on its way out
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
}

func BenchmarkGzip(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var data []byte
	for i := range 300_000 {
		d, _ := bson.Marshal(bson.D{{Key: "_id", Value: i}, {Key: "name", Value: fmt.Sprint("name", rng.IntN(1000))}, {Key: "v", Value: rng.Float64()}})
		data = append(data, d...)
	}
	in := streamtest.Gzipped(data)
	b.Run("plain", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			z, _ := kgzip.NewReader(bytes.NewReader(in))
			io.Copy(io.Discard, z)
		}
	})
	b.Run("documents", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, _, err := frames(bytes.NewReader(in)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
func BenchmarkDocument(b *testing.B) {
	for _, size := range []int{200, 1000, 20_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			block := bytes.Repeat(doc(size), 1+(8<<20)/size)
			b.SetBytes(int64(len(block)))
			for b.Loop() {
				r := NewReader(bytes.NewReader(block), "in", 0, nil)
				for {
					if _, err := r.Document(); err != nil {
						break
					}
				}
			}
		})
	}
}
