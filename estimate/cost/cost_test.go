package cost

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// anyTable draws a table that may exist: full of documents, empty, or odd.
func anyTable(r *rand.Rand) Table {
	t := Table{Count: r.Int64N(1_000_000), CompressNs: r.Float64() * 50, DecompressNs: r.Float64() * 5}
	t.Size = t.Count * (1 + r.Int64N(5_000))
	for range r.IntN(4) {
		image := 1 + float64(r.IntN(20_000_000))
		c := Class{Pages: r.Int64N(10_000), ImageBytes: image, BlockBytes: 4096 * math.Ceil(image*r.Float64()/4096)}
		t.Leaf = append(t.Leaf, c)
		t.StorageSize += int64(float64(c.Pages) * c.BlockBytes)
	}
	return t
}

func anyModel(r *rand.Rand) Model {
	presets := Presets()
	return Model{
		Disk: presets[r.IntN(len(presets))], CPU: DefaultCPU(), CacheBytes: r.Int64N(1 << 34),
		OSCacheBytes: r.Int64N(1 << 34), IDLeaf: Class{r.Int64N(5_000), 14_745, 16_384}, IDCached: r.IntN(2) == 0,
	}
}

func anyLoad(r *rand.Rand) Load {
	return Load{
		WorkingSet: r.Float64(), HotData: r.Float64(), HotReads: r.Float64(),
		InsertsPerSecond: r.Float64() * 1e4, UpdatesPerSecond: r.Float64() * 1e5,
		IndexBytesPerDocument: r.Float64() * 100,
	}
}

func TestCostsAreFiniteAndOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2_000 {
		table, m, l := anyTable(r), anyModel(r), anyLoad(r)
		c := m.Costs(table, l)
		v := reflect.ValueOf(c)
		for i := range v.NumField() {
			var x float64
			if f := v.Field(i); f.CanInt() {
				x = float64(f.Int())
			} else {
				x = f.Float()
			}
			if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
				t.Fatalf("%s = %g for %+v, %+v, %+v", v.Type().Field(i).Name, x, table, m, l)
			}
		}
		if c.ScanSecondsOverlapped > c.ScanSeconds || c.MissesPerRead > 1 {
			t.Fatalf("%+v for %+v", c, table)
		}
	}
}

// More cache never causes more misses; more skew never either.
func TestMissesFall(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2_000 {
		m, l := anyModel(r), anyLoad(r)
		set := r.Float64() * 1e10
		before := m.Misses(set, l)
		m.CacheBytes += r.Int64N(1 << 32)
		if after := m.Misses(set, l); after > before+1e-12 {
			t.Fatalf("misses rise from %g to %g with more cache: %+v", before, after, l)
		}
	}
	m := Model{CacheBytes: 1 << 30}
	uniform := m.Misses(4<<30, Load{})
	last := uniform
	for _, hot := range []float64{0.2, 0.5, 0.8, 0.9, 0.99} {
		got := m.Misses(4<<30, Load{HotData: 0.1, HotReads: hot})
		if got > last {
			t.Errorf("misses rise to %g with %g of the reads on a tenth", got, hot)
		}
		last = got
	}
}

func TestMissesAtTheEdges(t *testing.T) {
	m := Model{CacheBytes: 1000}
	for _, c := range []struct {
		set  float64
		load Load
		want float64
	}{
		{0, Load{}, 0},
		{800, Load{}, 0},
		{801, Load{}, 1.0 / 801},
		{1600, Load{}, 0.5},
		{1600, Load{HotData: 0.5, HotReads: 1}, 0},
		{1600, Load{HotData: 1, HotReads: 0.9}, 0.5},
		{1600, Load{HotData: 0.25, HotReads: 0.8}, 0.2 * (1 - 400.0/1200)},
	} {
		if got := m.Misses(c.set, c.load); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("set %g, %+v: %g, want %g", c.set, c.load, got, c.want)
		}
	}
}

func TestPagesTouched(t *testing.T) {
	table := Table{Count: 1000, Leaf: []Class{{100, 1000, 4096}}}
	for _, c := range []struct{ n, want float64 }{
		{0, 0}, {1, 1}, {2, 2 - 0.01}, {100, 100 * (1 - math.Pow(0.99, 100))}, {1e9, 100},
	} {
		if pages, images, blocks := table.PagesTouched(c.n); math.Abs(pages-c.want) > 1e-9*c.want ||
			math.Abs(images-1000*pages) > 1e-6 || math.Abs(blocks-4096*pages) > 1e-6 {
			t.Errorf("%g accesses: %g pages, %g, %g bytes; want %g pages", c.n, pages, images, blocks, c.want)
		}
	}
	if pages, _, _ := (Table{}).PagesTouched(10); pages != 0 {
		t.Errorf("an empty table has %g pages touched", pages)
	}
}

func TestShareImages(t *testing.T) {
	got := ShareImages([]Class{{1, 0, 4096}, {3, 0, 8192}}, 280_000)
	if (Table{Leaf: got}).ImageBytes() != 280_000 || got[1].ImageBytes != 2*got[0].ImageBytes {
		t.Errorf("%+v", got)
	}
	if got := ShareImages([]Class{{0, 0, 4096}}, 10); got[0].ImageBytes != 0 {
		t.Errorf("%+v", got)
	}
}

func TestInsertsWriteTheirShareOfTheFile(t *testing.T) {
	w := CheckpointWrites(ordersZstd, Load{InsertsPerSecond: 1000}, 60)
	near(t, "bytes of 60,000 inserts", w.BlockBytes, 0.06*97_619_968, 1e-9)
	near(t, "pages of 60,000 inserts", w.Pages, 0.06*3_969, 1e-9)
}

func TestReadSeconds(t *testing.T) {
	for _, c := range []struct {
		disk  Disk
		bytes float64
		want  float64
	}{
		{Disk{Throughput: 1e6, Latency: 0.001}, 1000, 0.002},
		{Disk{Throughput: 1e6, Latency: 0.001, IOPS: 1000}, 1000, 0.002},
		{Disk{Throughput: 1e6, Latency: 0.001, IOPS: 100}, 1000, 0.01},
	} {
		if got := c.disk.ReadSeconds(c.bytes); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%+v: %g s, want %g", c.disk, got, c.want)
		}
	}
}

// On either side of the throughput at which two scans tie, the other one wins.
func TestBreakEven(t *testing.T) {
	m := published()
	m.OSCacheBytes = 50 << 20
	e := m.BreakEven(ordersNone, ordersZstd)
	for _, c := range []struct {
		what string
		at   float64
		set  func(*Model, float64)
		cost func(Model, Table) float64
	}{
		{"scan", e.ScanThroughput, func(m *Model, x float64) { m.Disk.Throughput = x },
			func(m Model, t Table) float64 { return m.Scan(t).Cold }},
		{"point read", e.PointReadThroughput, func(m *Model, x float64) { m.Disk = Disk{Throughput: x} },
			func(m Model, t Table) float64 { return m.PointRead(t).Seconds }},
	} {
		slow, fast, tied := m, m, m
		c.set(&slow, c.at/2)
		c.set(&fast, c.at*2)
		c.set(&tied, c.at)
		if c.at <= 0 || c.cost(slow, ordersZstd) >= c.cost(slow, ordersNone) || c.cost(fast, ordersZstd) <= c.cost(fast, ordersNone) {
			t.Errorf("%s: the tie at %g bytes a second does not part the two", c.what, c.at)
		}
		near(t, c.what+" at the tie", c.cost(tied, ordersZstd), c.cost(tied, ordersNone), 1e-9)
	}
	if back := m.BreakEven(ordersZstd, ordersNone); back != e {
		t.Errorf("%+v one way, %+v the other", e, back)
	}
}

func TestLatencyTie(t *testing.T) {
	m := published()
	if e := m.BreakEven(ordersNone, ordersZlib); e.PointReadLatency != 0 {
		t.Errorf("without an OS cache a latency of %g ties", e.PointReadLatency)
	}
	m.OSCacheBytes = 50 << 20
	at := m.BreakEven(ordersNone, ordersZlib).PointReadLatency
	mean := func(t Table) float64 {
		share, fixed := m.uncached(t)
		return share*at + fixed
	}
	if at <= 0 {
		t.Fatal("no latency ties")
	}
	near(t, "mean read at the tie", mean(ordersZlib), mean(ordersNone), 1e-9)
	m.OSCacheBytes = 1 << 30 // both files fit
	if e := m.BreakEven(ordersNone, ordersZlib); e.PointReadLatency != 0 {
		t.Errorf("with both files cached a latency of %g ties", e.PointReadLatency)
	}
}

func TestBreakEvenOfTheSameTable(t *testing.T) {
	if e := published().BreakEven(ordersZstd, ordersZstd); e != (BreakEven{}) {
		t.Errorf("%+v", e)
	}
}

// A slow disk wants the smallest file, a fast one the least CPU.
func TestWinners(t *testing.T) {
	tables := []Named{{"none", ordersNone}, {"zlib", ordersZlib}, {"zstd", ordersZstd}}
	fast := Disk{Profile: "memory", Throughput: 1e12}
	got := published().Winners(tables, append(Presets(), fast))
	byProfile := map[string]Winner{}
	for _, w := range got {
		byProfile[w.Profile] = w
	}
	if w := byProfile["hdd"]; w.Scan != "zstd" {
		t.Errorf("on hdd the scan is won by %s", w.Scan)
	}
	if w := byProfile["memory"]; w.Scan != "none" || w.PointRead != "none" {
		t.Errorf("without a disk %+v wins", w)
	}
	if published().Winners(nil, Presets()) != nil {
		t.Error("nobody wins among no tables")
	}
}
