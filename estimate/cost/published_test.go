package cost

import (
	"math"
	"testing"
)

// The figures in this file were published for real servers. Inputs that were
// published with them are given as such; what had to be derived says how.

// near fails unless got is within a relative tolerance of want.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s: %.5g, published %.5g (%+.1f %%, allowed %.0f %%)",
			what, got, want, (got/want-1)*100, tolerance*100)
		return
	}
	t.Logf("%s: %.5g, published %.5g (%+.1f %%)", what, got, want, (got/want-1)*100)
}

// Cold point reads of orders, file in the OS cache, client included: none
// 168 µs, zstd 240 µs, zlib 349 µs. The image of zstd and zlib holds 4.19 times
// the records, whose set-up is the part of the difference that is not
// decompression: (254 − 61) × 125 ns = 24 µs.
const (
	zstdReadNs = (240 - 168 - 24) * 1e3 / 117_301.0 // 0.41 ns a byte
	zlibReadNs = (349 - 168 - 24) * 1e3 / 117_242.0 // 1.34 ns a byte
)

// A million orders of 461 bytes: WiredTiger 12.0.0, standalone, 1 GB cache.
var (
	ordersNone = Table{1_000_000, 461_696_875, 474_857_472, []Class{{16_549, 28_004, 28_249}}, 0, 0}
	ordersZlib = Table{1_000_000, 461_696_875, 113_602_560, []Class{{3_969, 117_242, 28_367}}, 0, zlibReadNs}
	ordersZstd = Table{1_000_000, 461_696_875, 97_619_968, []Class{{3_969, 117_301, 24_390}}, 0, zstdReadNs}
	// Snappy alternates between images of about 118 KB (blocks of 40 KB) and 28 KB
	// (blocks of 12 KB). On the server the mean page in cache had 50 KiB, which
	// fixes the mix: 2,309 of the former and 6,779 of the latter hold 465 MB.
	ordersSnappy = Table{1_000_000, 461_696_875, 175_112_192,
		[]Class{{2_309, 118_000, 40_960}, {6_779, 28_400, 12_288}}, 0, 0}
	// The _id index had 17.86 MiB; ascending inserts fill its pages to 90 %.
	ordersID = Class{1_140, 14_745, 16_384}
)

func published() Model {
	disk := Presets()[0]
	return Model{Disk: disk, CPU: DefaultCPU(), CacheBytes: 512 << 20, IDLeaf: ordersID}
}

func TestScanOfOrders(t *testing.T) {
	m := published()
	none := m.Scan(ordersNone).Cached
	near(t, "none, seconds", none, 0.455, 0.25)
	near(t, "zstd / none", m.Scan(ordersZstd).Cached/none, 1.5, 0.25)
	near(t, "zlib / none", m.Scan(ordersZlib).Cached/none, 2.4, 0.25)
	// No decoding time of snappy was published. Its scan was as long as without
	// compression; were decoding free, it would have to be shorter.
	if free := m.Scan(ordersSnappy).Cached / none; free > 452.0/455 || free < 0.75*452/455 {
		t.Errorf("snappy / none without decoding: %.3g", free)
	}
	// In the WiredTiger cache: 191 to 222 ms, whatever the compressor.
	near(t, "warm, seconds", float64(ordersNone.Count)*m.CPU.PerDocumentNs*nano, 0.2065, 0.075)
}

// 100,000 log lines of 198 bytes, another server (9.0.2): none 45 ms, zstd 91,
// zlib 88. Hexadecimal text decodes slower than the orders: on one machine, one
// run, by 1.19 (libz 1.2.13) and 1.25 (libzstd 1.5.4).
//
// The published zstd time is out of the model's reach: longer than zlib's, it
// needs zstd to decode at 2.4 ns a byte, where on orders it took 0.41 and zlib
// beside it 1.34. WiredTiger itself does not show it. The engine's cold scans of
// 100,000 such documents (12.0.0 and 3.2.1, CPU of one thread): snappy 1.3 to 1.9
// times none, zstd 1.5 to 2.1, zlib 3.2 to 4.5, see TestEngineScans. Nor
// does any setting explain it. 174 images of 118 KB, libzstd 1.5.7, time to decode
// them all relative to libz 1.2.13: 0.37; with a new context for each page 0.38;
// into fresh memory, whose page faults all codecs pay alike, 15 ms more; without
// assembler and BMI2 0.40; for the least code 0.51; levels 1 and 3 0.35 and 0.41.
// Only a build without optimisation (-O0) was slower than zlib, by 3.1. One
// measurement of 91 ms on a busy server is the likelier cause.
func TestScanOfLogLines(t *testing.T) {
	m := published()
	images := []Class{{173, 118_600, 0}}
	none := Table{100_000, 19_784_644, 20_647_936, images, 0, 0}
	zlib := Table{100_000, 19_784_644, 6_934_528, images, 0, 1.19 * zlibReadNs}
	zstd := Table{100_000, 19_784_644, 6_217_728, images, 0, 1.25 * zstdReadNs}
	base := m.Scan(none).Cached
	near(t, "none, seconds", base, 0.045, 0.25)
	near(t, "zlib / none", m.Scan(zlib).Cached/base, 88.0/45, 0.25)
	if r := m.Scan(zstd).Cached / base; r < 1.1 || r > 2.0 {
		t.Errorf("zstd / none: %.3g", r)
	}
	needed := (0.091 - 0.045 + float64(none.StorageSize-zstd.StorageSize)/m.CPU.OSCacheBytesPerSecond) / zstd.ImageBytes() / nano
	if alsoZlib := (0.088 - 0.045 + float64(none.StorageSize-zlib.StorageSize)/m.CPU.OSCacheBytesPerSecond) / zlib.ImageBytes() / nano; needed < alsoZlib {
		t.Errorf("zstd would need %.2f ns a byte, zlib %.2f: the comment above is wrong", needed, alsoZlib)
	}
}

// 512 MB cache. 0.25 and 0.5 times the cache: no misses; 4.3 times: 0.81 a
// read; with 90 % of the reads on 5 % of the documents a tenth of that.
func TestMissesOfWorkingSets(t *testing.T) {
	m := published()
	cache := float64(m.CacheBytes)
	for _, fits := range []float64{0.25, 0.5} {
		if got := m.Misses(fits*cache, Load{}); got != 0 {
			t.Errorf("%g of the cache: %g misses a read", fits, got)
		}
	}
	near(t, "misses at 4.3 times the cache", m.Misses(4.3*cache, Load{}), 0.81, 0.10)
	near(t, "misses with 90/5", m.Misses(4.3*cache, Load{HotData: 0.05, HotReads: 0.9}), 0.081, 0.10)
}

// A million documents of 2,050 bytes need about 2.2 KB each in cache.
func TestBytesInCache(t *testing.T) {
	m := Model{CPU: DefaultCPU()}
	items := Table{1_000_000, 2_050_000_000, 0, []Class{{76_924, 26_780, 0}}, 0, 0}
	near(t, "2,050-byte documents", m.WorkingSet(items, Load{})/1e6, 2200, 0.10)
	near(t, "orders over BSON", m.WorkingSet(ordersNone, Load{})/461_696_875, 1.125, 0.01)
	near(t, "orders, zstd, over BSON", m.WorkingSet(ordersZstd, Load{})/461_696_875, 1.125, 0.01)
}

// 5,000 cold reads of orders pull 134 MiB (none), 246 (snappy), 336 to 340 (zstd, zlib).
func TestBytesPulledByPointReads(t *testing.T) {
	m := published()
	pulled := func(table Table) float64 {
		_, images, _ := table.PagesTouched(5000)
		return (images + m.IDLeaf.touched(5000, 1)*m.IDLeaf.ImageBytes) / mebi
	}
	near(t, "none, MiB", pulled(ordersNone), 134, 0.10)
	near(t, "snappy, MiB", pulled(ordersSnappy), 246, 0.10)
	blocks := ordersSnappy
	blocks.Leaf = ShareImages([]Class{{2_309, 0, 40_960}, {6_779, 0, 12_288}}, ordersSnappy.ImageBytes())
	near(t, "snappy by block sizes, MiB", pulled(blocks), 246, 0.10)
	near(t, "zstd, MiB", pulled(ordersZstd), 338, 0.10)
	near(t, "zlib, MiB", pulled(ordersZlib), 338, 0.10)
}

// 2,000 cold reads of 2,050-byte documents read 3,881 pages, 89 MB decompressed
// and 74 MB on disk: a data page of 13 documents and an _id leaf each. Their
// file, 1,174 MB of 1,956 MB with snappy, makes 20 KB of a 28 KB image.
func TestPagesOfPointReads(t *testing.T) {
	m := published()
	m.IDLeaf = Class{1_140, 16_384, 16_384}
	items := Table{1_000_000, 2_050_000_000, 0, []Class{{72_000, 28_600, 20_480}}, 0, 0}
	r := m.PointRead(items)
	near(t, "pages a read", r.Pages, 1.94, 0.10)
	near(t, "MB in cache", (r.CacheBytes+r.IndexBytes)*2000/1e6, 89, 0.10)
	near(t, "MB from the file", r.DiskBytes*2000/1e6, 74, 0.10)
}

// CPU of a million inserts: none 2.3 to 2.9 s, zstd − none about 3 s, zlib −
// none about 6.5 s. Compression of order images, one run on one machine: see
// loadZlibNs and loadZstdNs.
func TestLoadCPU(t *testing.T) {
	cpu := DefaultCPU()
	none, zstd, zlib := ordersNone, ordersZstd, ordersZlib
	zstd.CompressNs, zlib.CompressNs = loadZstdNs, loadZlibNs
	base := cpu.Insert(none)
	near(t, "none, seconds", base, 2.6, 0.12)
	near(t, "(zlib − none) / (zstd − none)", (cpu.Insert(zlib)-base)/(cpu.Insert(zstd)-base), 6.5/3, 0.25)
}

// A $inc of 4 bytes in a document of 10 MB writes 10.1 MB before compression and
// 8.47 MB after; a hundred of them between two checkpoints cost the same as one.
// The journal takes 63 bytes for each, before its records are aligned.
func TestUpdateOfOneLargeDocument(t *testing.T) {
	one := Table{1, 10_100_000, 8_470_528, []Class{{1, 10_100_068, 8_470_528}}, 0, 0}
	once := CheckpointWrites(one, Load{UpdatesPerSecond: 1}, 1)
	hundred := CheckpointWrites(one, Load{UpdatesPerSecond: 100}, 1)
	near(t, "bytes to compress", once.ImageBytes, 10.1e6, 0.01)
	near(t, "bytes to write", once.BlockBytes, 8.47e6, 0.01)
	if once != hundred {
		t.Errorf("one update writes %+v, a hundred %+v", once, hundred)
	}
	if got := JournalBytes(one, Load{UpdatesPerSecond: 1}, 1); got < 63 || got > 128 {
		t.Errorf("journal %g bytes for an update", got)
	}
}

// 890 inserts a second of 1.1 KB wrote 58 to 65 MiB of journal a minute.
func TestJournalOfInserts(t *testing.T) {
	events := Table{1_000_000, 1_100_000_000, 0, nil, 0, 0}
	got := JournalBytes(events, Load{InsertsPerSecond: 890, IndexBytesPerDocument: 20}, minute) / mebi
	if got < 58 || got > 65 {
		t.Errorf("%.1f MiB of journal a minute, published 58 to 65", got)
	}
}

// Pages requested per logical read: an embedded order 3; an order, its two
// lines and its customer 10. Misses 0.57 and 1.25 when nothing fits.
func TestEmbeddedAndReferenced(t *testing.T) {
	lines := Table{2_000_000, 240_000_000, 0, []Class{{8_700, 28_400, 0}}, 0, 0}
	customers := Table{20_000, 4_000_000, 0, []Class{{140, 28_600, 0}}, 0, 0}
	embedded := []Lookup{{Table: ordersNone, Index: ordersID, Documents: 1}}
	referenced := []Lookup{
		{Table: ordersNone, Index: ordersID, Documents: 1},
		{Table: lines, Index: Class{1_500, 14_745, 16_384}, Documents: 2},
		{Table: customers, Index: Class{24, 14_745, 16_384}, Documents: 1},
	}
	m := published()
	m.CacheBytes = 285 << 20 // so that an embedded read misses 0.57 times
	e, r := m.LogicalRead(embedded), m.LogicalRead(referenced)
	near(t, "pages requested, embedded", e.PagesRequested, 3, 0)
	near(t, "pages requested, referenced", r.PagesRequested, 10, 0)
	near(t, "misses, embedded", e.Misses, 0.57, 0.10)
	if r.Misses < 2*e.Misses || r.Misses > 3*e.Misses+1 {
		t.Errorf("misses: embedded %.2f, referenced %.2f; published 0.57 and 1.25", e.Misses, r.Misses)
	}
}

// Compression of 30 images of 118 KB of generated orders, seed 1, one core,
// minimum of nine rounds: libz 1.2.13 level 6 and libzstd 1.5.4 level 6.
const (
	loadZlibNs = 21.42
	loadZstdNs = 12.63
)
