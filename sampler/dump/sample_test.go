package dump

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/racetest"
	"github.com/wtsize/wtsize/sampler/stream"
	"github.com/wtsize/wtsize/sampler/stream/streamtest"
)

// sized is a document of n bytes, with _id first.
func sized(id int64, n int) []byte {
	const frame = 4 + 1 + 4 + 8 + 1 + 2 + 4 + 1 + 1 // length, _id, binary p, end
	n = max(n, frame)
	d := binary.LittleEndian.AppendUint32(make([]byte, 0, n), uint32(n))
	d = append(d, 0x12, '_', 'i', 'd', 0)
	d = binary.LittleEndian.AppendUint64(d, uint64(id))
	d = append(d, 0x05, 'p', 0)
	d = binary.LittleEndian.AppendUint32(d, uint32(n-frame))
	d = append(d, 0)
	from := len(d)
	for len(d) < min(n-1, from+256) {
		d = append(d, byte(id), byte(len(d)))
	}
	for len(d) < n-1 { // the same again
		d = append(d, d[from:min(len(d), from+n-1-len(d))]...)
	}
	return append(d[:n-1], 0)
}

func filled(bytes int, size func(i int) int) []byte {
	var all []byte
	for i := 0; len(all) < bytes; i++ {
		all = append(all, sized(int64(i), size(i))...)
	}
	return all
}

func sampleOf(t testing.TB, data []byte, b sampler.Budget) *streamtest.Taken {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.bson")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var r streamtest.Record
	if err := s.Read(context.Background(), b, &r); err != nil {
		t.Fatal(err)
	}
	return r.Taken["x"]
}

// TestRuns: the documents of a sample are the file's, in its order, none twice,
// and they are spread over all of it.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	data := filled(40<<20, func(int) int { return 100 + rng.IntN(3000) })
	budget := sampler.Budget{Bytes: 2 << 20, RunBytes: 64 << 10, Seed: 1}
	k := sampleOf(t, data, budget)
	if k.End.Method != "runs" || k.End.CountMeasured || k.End.Size != int64(len(data)) || len(k.Runs) != 32 {
		t.Fatalf("%+v, %d runs", k.End, len(k.Runs))
	}
	if k.Bytes < budget.Bytes*9/10 || k.Bytes > budget.Bytes*11/10 {
		t.Errorf("delivered %d bytes for a budget of %d", k.Bytes, budget.Bytes)
	}
	for i, r := range k.Runs {
		if r.Stratum != i || int(r.Position*32) != i {
			t.Errorf("run %d: %+v", i, r)
		}
	}
	if again := sampleOf(t, data, budget); again.Sum() != k.Sum() {
		t.Error("the same seed gave another sample")
	}
	budget.Seed = 2
	if other := sampleOf(t, data, budget); other.Sum() == k.Sum() {
		t.Error("another seed gave the same sample")
	}
	if whole := sampleOf(t, data[:0:0], budget); whole.End.Method != "all" {
		t.Errorf("an empty file: %+v", whole.End)
	}
	budget.Bytes = int64(len(data))
	if whole := sampleOf(t, data, budget); whole.End.Method != "all" || !whole.End.CountMeasured || len(whole.Runs) != 0 {
		t.Errorf("a file of the budget's size: %+v", whole.End)
	}
}

type order struct {
	data []byte
	at   []int
	t    *testing.T
}

func (o *order) Run(sampler.Run) error { return nil }
func (o *order) Document(d []byte) error {
	from := 0
	if n := len(o.at); n > 0 {
		from = o.at[n-1] + 1
	}
	i := bytes.Index(o.data[from:], d)
	if i < 0 {
		o.t.Fatalf("a document that is not in the file, or not in order")
	}
	o.at = append(o.at, from+i)
	return nil
}

// TestRunsInOrder also has giants that reach over several strata.
func TestRunsInOrder(t *testing.T) {
	data := filled(8<<20, func(i int) int {
		if i%500 == 250 {
			return 700_000
		}
		return 400
	})
	s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
	o := &order{data: data, t: t}
	var end sampler.End
	p := planFor(sampler.Budget{Bytes: 2 << 20, RunBytes: 32 << 10}, s.mean)
	if _, err := s.readAll(context.Background(), p, nil, rand.New(rand.NewPCG(1, 1)), o, &end); err != nil {
		t.Fatal(err)
	}
	if end.Fault != nil || len(o.at) < 1000 {
		t.Errorf("%d documents, %v", len(o.at), end.Fault)
	}
	starts := map[int64]bool{}
	for _, b := range boundaries(data) {
		starts[b] = true
	}
	for _, at := range o.at {
		if !starts[int64(at)] {
			t.Errorf("no document starts at %d", at)
		}
	}
}

// TestCount: projected counts are right in the mean over seeds, and their
// standard error is that of the projections. The bound on the mean is four of
// its own standard errors, estimated from as many seeds: a spurious failure has
// a chance of one in a thousand, and seeds are fixed.
func TestCount(t *testing.T) {
	racetest.OneGoroutine(t)
	const seeds = 16
	for _, c := range []struct {
		name string
		size func(i int) int
		most float64 // largest spread of the relative error
	}{
		{"all of a size", func(int) int { return 300 }, 1e-9},
		{"mixed", func(i int) int { return 100 + i*7919%900 }, 0.01},
		{"drifting", func(i int) int { return 100 + i/30 }, 0.05},
		{"grouped", func(i int) int { return []int{100, 2000, 500}[i/400%3] }, 0.3},
		{"giants", func(i int) int {
			if i%10_000 == 5000 {
				return 2 << 20
			}
			return 200
		}, 0.15},
	} {
		data := filled(24<<20, c.size)
		truth := float64(len(boundaries(data)) - 1)
		s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
		p := planFor(sampler.Budget{Bytes: 2 << 20, RunBytes: 64 << 10}, s.mean)
		var sum, squares, stated float64
		for seed := range uint64(seeds) {
			var end sampler.End
			windows, err := s.readAll(context.Background(), p, nil, rand.New(rand.NewPCG(seed, 9)), drop{}, &end)
			if err != nil || end.Fault != nil {
				t.Fatal(err, end.Fault)
			}
			count, stdErr := projectCount(windows, float64(p.width), float64(len(data)))
			e := count/truth - 1
			sum, squares, stated = sum+e, squares+e*e, stated+stdErr/truth
		}
		mean := sum / seeds
		spread := math.Sqrt(squares/seeds - mean*mean)
		t.Logf("%-14s mean error %+.4f, spread %.4f, stated %.4f", c.name, mean, spread, stated/seeds)
		if spread > c.most || stated/seeds > 3*spread+1e-9 || stated/seeds < spread/2-1e-9 {
			t.Errorf("%s: a spread of %.4f, stated as %.4f", c.name, spread, stated/seeds)
		}
		if math.Abs(mean) > 4*spread/math.Sqrt(seeds)+0.001 {
			t.Errorf("%s: biased by %.4f", c.name, mean)
		}
	}
}

type drop struct{}

func (drop) Run(sampler.Run) error { return nil }
func (drop) Document([]byte) error { return nil }

// TestTail: how a file ends is found without reading it all, by the lengths of
// few documents or by the last chain of many, and what is before the fault is
// sampled as if it were the file.
func TestTail(t *testing.T) {
	for _, kind := range []struct {
		what  string
		least int
	}{{"few", 1000}, {"many", 60}} {
		data := filled(6<<20, func(i int) int { return kind.least + i%300 })
		all := boundaries(data)
		last := all[len(all)-2]
		with := func(tail []byte) []byte { return append(bytes.Clone(data), tail...) }
		for _, c := range []struct {
			name string
			data []byte
			good int64
			why  string
		}{
			{"whole", data, int64(len(data)), ""},
			{"cut in a document", data[:len(data)-1], last, "cut inside a document"},
			{"cut in a length", data[:last+2], last, "cut inside a document's length"},
			{"zeros", with(make([]byte, 3<<20)), int64(len(data)), "zero bytes"},
			{"garbage", with(bytes.Repeat([]byte{0xfe}, 1000)), int64(len(data)), "impossible document length"},
		} {
			k := sampleOf(t, c.data, sampler.Budget{Bytes: 512 << 10, RunBytes: 32 << 10})
			f := k.End.Fault
			switch {
			case c.why == "" && f != nil:
				t.Errorf("%s, %s: %v", kind.what, c.name, f)
			case c.why != "" && (f == nil || f.Offset != c.good || !strings.Contains(f.Why, c.why)):
				t.Errorf("%s, %s: %v, want %q at %d", kind.what, c.name, f, c.why, c.good)
			case k.End.Size != c.good:
				t.Errorf("%s, %s: size %d, want %d", kind.what, c.name, k.End.Size, c.good)
			case k.End.CountMeasured != (kind.what == "few" && c.why == ""):
				t.Errorf("%s, %s: %+v", kind.what, c.name, k.End)
			}
		}
	}
}

// TestHop: of few documents every one is met, and a length that lies, or an end
// that is none, stops it there.
func TestHop(t *testing.T) {
	data := filled(3<<20, func(i int) int { return 20_000 + i*7919%60_000 })
	all := boundaries(data)
	s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
	if !s.Exact || s.Count() != int64(len(all)-1) || s.Tail != nil {
		t.Errorf("%d documents of %d, %v", s.Count(), len(all)-1, s.Tail)
	}
	for _, at := range []int64{0, 1, all[5], all[5] + 1, all[len(all)-2] + 1} {
		i := 0
		for all[i] < at {
			i++
		}
		if got := s.boundary(at); got != all[i] {
			t.Errorf("boundary after %d: %d, want %d", at, got, all[i])
		}
	}
	for name, damage := range map[string]func(p []byte){
		"length too long": func(p []byte) { p[all[7]+2]++ },
		"length of four":  func(p []byte) { copy(p[all[7]:], []byte{4, 0, 0, 0}) },
		"no zero":         func(p []byte) { p[all[8]-1] = 1 },
	} {
		bad := bytes.Clone(data)
		damage(bad)
		s := NewRuns(bytes.NewReader(bad), int64(len(bad)), "x", nil)
		if s.Tail == nil || s.Size() < all[7] || s.Size() > all[9] || s.Count() > 8 {
			t.Errorf("%s: %d documents in %d bytes, %v", name, s.Count(), s.Size(), s.Tail)
		}
	}
}

// TestBetween: windows that fall between giants still leave a sample.
func TestBetween(t *testing.T) {
	data := filled(3<<20, func(int) int { return 1 << 20 })
	for seed := range int64(20) {
		if k := sampleOf(t, data, sampler.Budget{Bytes: 1000, RunBytes: 100, Seed: seed}); k.Documents == 0 || len(k.Runs) == 0 || k.End.Fault != nil {
			t.Errorf("seed %d: %+v", seed, k.End)
		}
	}
}

// TestDamagedMiddle: a stretch of garbage costs the runs in it, no others.
func TestDamagedMiddle(t *testing.T) {
	data := filled(8<<20, func(i int) int { return 100 + i%3000 })
	for i := 3 << 20; i < 4<<20; i++ {
		data[i] = 0xee
	}
	k := sampleOf(t, data, sampler.Budget{Bytes: 1 << 20, RunBytes: 32 << 10})
	if k.End.Documents == 0 || len(k.Runs) < 24 || len(k.Runs) > 32 {
		t.Errorf("%d runs, %+v", len(k.Runs), k.End)
	}
}

// repeated is a huge file that holds a block again and again.
type repeated struct {
	block []byte
	size  int64
}

func (r repeated) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at+int64(n) < r.size {
		n += copy(p[n:min(int64(len(p)), r.size-at)], r.block[(at+int64(n))%int64(len(r.block)):])
	}
	return n, nil
}

// TestLittleRead: of ten gigabytes, little more than the budget is read.
func TestLittleRead(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		most int64 // MiB read for 64 MiB
	}{{"small documents", 500, 80}, {"documents of 100 KiB", 100 << 10, 140}} {
		block := filled(4<<20, func(i int) int { return c.size/2 + i*7919%c.size })
		file := repeated{block, 10 << 30 / int64(len(block)) * int64(len(block))}
		var m stream.Meter
		s := NewRuns(file, file.size, "x", &m)
		b := sampler.Budget{Bytes: 64 << 20, RunBytes: 512 << 10}
		p := planFor(b, s.mean)
		rng := rand.New(rand.NewPCG(1, 1))
		if giants, _ := s.drawGiants(b, p.width, rng); len(giants) > 0 {
			t.Errorf("%s: %d giants", c.name, len(giants))
		}
		var end sampler.End
		if _, err := s.readAll(context.Background(), p, nil, rng, drop{}, &end); err != nil {
			t.Fatal(err)
		}
		read := m.Snapshot().Input >> 20
		t.Logf("%s: %d MiB read, %d MiB delivered in %d runs", c.name, read, end.Bytes>>20, p.strata)
		if read > c.most || s.Tail != nil || end.Fault != nil {
			t.Errorf("%s: %d MiB read, %v, %v", c.name, read, s.Tail, end.Fault)
		}
	}
}

// FuzzFind: whatever the file is, finding ends, within the file, without panic.
func FuzzFind(f *testing.F) {
	f.Add(filled(3000, func(i int) int { return 60 + i }), int64(1000))
	d, _ := bson.Marshal(bson.D{{Key: "_id", Value: 1}, {Key: "b", Value: bson.Binary{Data: filled(500, func(int) int { return 50 })}}})
	f.Add(d, int64(100))
	f.Fuzz(func(t *testing.T, data []byte, at int64) {
		if len(data) == 0 {
			return
		}
		s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
		if s.Size() < 0 || s.Size() > int64(len(data)) {
			t.Fatalf("size %d of %d", s.Size(), len(data))
		}
		if s.Size() == 0 {
			return
		}
		at = (at%s.Size() + s.Size()) % s.Size()
		if p, ok := s.f.find(at, 100); ok && (p < 0 || p > s.Size()) {
			t.Errorf("found %d in %d bytes", p, s.Size())
		}
		_, _ = s.ReadRun(at, 100, func(int64) error { return nil }, drop{})
	})
}

// TestOddInside: a document that the server would not have stored, in the
// middle of a run, is bytes like any other.
func TestOddInside(t *testing.T) {
	data := filled(100_000, func(int) int { return 1000 })
	data[50_000+4] = 0x55 // the type of the first element of document 50
	s := NewRuns(bytes.NewReader(data), int64(len(data)), "x", nil)
	s.f.end = int64(len(data))
	run, err := s.ReadRun(0, int64(len(data)), func(int64) error { return nil }, drop{})
	if err != nil || run.Documents != 100 {
		t.Errorf("%+v, %v", run, err)
	}
}

// TestLargest: runs of documents as large as they come stay within memory.
func TestLargest(t *testing.T) {
	block := append(sized(1, sampler.MaxDocumentBytes), sized(2, sampler.MaxDocumentBytes-100)...)
	file := repeated{block, 40 * int64(len(block))}
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	s := NewRuns(file, file.size, "x", nil)
	p := planFor(sampler.Budget{Bytes: 64 << 20, RunBytes: 512 << 10}, s.mean)
	var end sampler.End
	if _, err := s.readAll(context.Background(), p, nil, rand.New(rand.NewPCG(1, 1)), drop{}, &end); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&now)
	t.Logf("%+v, %d strata, heap from the system grew by %d MiB", end, p.strata, int64(now.HeapSys-before.HeapSys)>>20)
	if end.Fault != nil || end.Documents == 0 {
		t.Errorf("%+v", end)
	}
	if grew := int64(now.HeapSys) - int64(before.HeapSys); grew > 200<<20 {
		t.Errorf("heap grew by %d bytes", grew)
	}
}
