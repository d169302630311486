package index

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

// A Grower sizes an index as inserts in the order of the RecordIds leave it, from
// entries in key order. It is an approximation, as what a server writes when
// depends on all else that it does:
//
//   - A page in memory takes inserts until its footprint reaches the largest one,
//     and is then cut into pages of the ordinary size.
//   - Once more is dirty than the cache is to hold, pages are written in turn:
//     each again after Growth.Turnover documents.
//   - A page that is written is cut as WiredTiger cuts it then, not as in a bulk
//     load: its end is not filled up with what stands behind, and where it could
//     be cut in the middle a key stands whole and prefixes begin anew.
//
// The size is that of the blocks in use; a file that grew has free ones besides.
//
// WiredTiger: src/reconcile/rec_row.c, __wt_rec_row_leaf;
// src/include/btree_inline.h, __wt_leaf_page_can_split, and
// src/evict/evict_lru.c, __evict_update_work.
type Grower struct {
	cfg     Config
	o       Growth
	rng     *rand.Rand
	every   int // one of so many segments is followed
	entries int // in a segment

	m       maker // the segment at hand
	ids     []int64
	new     []int // scratch
	segment int

	seen, followed int64 // entries
	pages, disk    float64
	last           leaf // written last
}

// Growth is how entries came in.
type Growth struct {
	Entries, Documents int64 // of the population
	// Turnover is how many documents are inserted between two writings of a page;
	// 0: none is written before the checkpoint unless it grows too large.
	Turnover float64
	// MaxFootprint of a page in memory, bytes.
	MaxFootprint int64
	Seed         int64
}

// updatesTargetPct is the share of the cache that updates may take before eviction
// writes pages that have any: eviction_updates_target's default, half of the share
// that may be dirty. WiredTiger: dist/api_data.py. Up to 4.2 the whole share counts.
const updatesTargetPct = 2.5

// Turnover is how many documents come in while as much is inserted as stays in
// memory: after about as many a page is written again. documentBytes is what one
// takes there with all its index entries.
func Turnover(cacheBytes int64, documentBytes float64) float64 {
	return float64(cacheBytes) * updatesTargetPct / 100 / max(1, documentBytes)
}

// Footprint is what n entries of so many bytes in all take in memory: each with
// four thirds of a skip list's links, on average.
func Footprint(r wt.Release, n, bytes float64) float64 {
	const link = 8
	return n * (float64(r.RecordFootprint(int(bytes/max(1, n)), 0, 1)) + link/3.0)
}

// A leaf is a page in the making: a range of the segment's entries, when it was
// written last, and the image of it then.
type leaf struct {
	from, to int
	written  int64 // RecordId
	bytes    int64
	entries  int // in the image
}

// Bounds of a Grower. Turnovers beyond mostTurns make little difference: at
// 300,000, 150,000, 76,000 and 40,000 documents, a million random keys grow to
// 1.049, 1.062, 1.069 and 1.077 of what a bulk load makes of them.
const (
	segmentEntries = 200_000
	shortSegment   = 50_000 // of which many make an index
	manyEntries    = 1_000_000
	segmentBytes   = 24 << 20
	growthBudget   = 8_000_000 // entries written
	stretchBudget  = 1_000_000 // the same, of a sample's stretches
	mostTurns      = 100
)

// NewGrower returns an empty one.
func NewGrower(cfg Config, o Growth) *Grower {
	g := &Grower{cfg: cfg, o: o, rng: rand.New(rand.NewPCG(uint64(o.Seed), 3)), every: 1, entries: segmentEntries}
	if o.Entries > manyEntries {
		g.entries = shortSegment
	}
	if o.Turnover > 0 {
		turns := min(mostTurns, float64(o.Documents)/o.Turnover)
		g.o.Turnover = float64(o.Documents) / turns
		g.every = 1 + int(float64(o.Entries)*g.turns()/growthBudget)
	}
	return g
}

// turns is about how often an entry is written.
func (g *Grower) turns() float64 {
	if g.o.Turnover <= 0 {
		return 2
	}
	return 2 + float64(g.o.Documents)/g.o.Turnover/2
}

// room draws whether a stretch is followed: as many are as the work may cost.
func (g *Grower) room() bool {
	return g.followed == 0 || g.rng.Float64()*mainBudget*g.turns() < stretchBudget
}

// against compares what was grown of stretches with what a bulk load makes of
// them all; 0: nothing was.
func (g *Grower) against(ws []window) float64 {
	var disk, entries float64
	for _, w := range ws {
		disk += w.pages * w.pageDisk
		entries += w.entries
	}
	if g.followed == 0 || disk == 0 {
		return 0
	}
	return g.disk / float64(g.followed) * entries / disk
}

// stretch follows a part of an index, entries with their RecordIds, whatever else
// is followed.
func (g *Grower) stretch(m *maker, recordInKey bool, from, to int) {
	for i := from; i < to; i++ {
		e := &m.list[i]
		if id, ok := m.recordID(e, recordInKey); ok {
			g.m.add(keystring.Entry{Key: m.keyOf(e), Bits: m.valueOf(e)}, false, 0, 0)
			g.ids = append(g.ids, id)
		}
	}
	every := g.every
	g.segment, g.every = 0, 1
	g.flush(from == 0 && to == m.len())
	g.every = every
}

// Add takes the next entry, of the record given.
func (g *Grower) Add(key, value []byte, recordID int64) {
	if g.m.len() >= g.entries || len(g.m.bytes) >= segmentBytes {
		g.flush(false)
	}
	g.seen++
	if g.segment%g.every == g.every/2 {
		g.m.add(keystring.Entry{Key: key, Bits: value}, false, 0, 0)
		g.ids = append(g.ids, recordID)
	} else {
		g.m.list = append(g.m.list, madeEntry{})
	}
}

// flush grows the segment at hand and counts its pages; that at the end of a
// segment which is not the last is not counted, as it would go on.
func (g *Grower) flush(end bool) {
	if g.segment%g.every == g.every/2 && g.m.len() > 0 {
		g.followed += int64(g.m.len())
		g.grow(leaf{to: g.m.len()})
		if !end && g.pages > 1 {
			g.followed -= int64(g.last.to - g.last.from)
			g.count(g.last, -1)
		}
	}
	g.m.reset()
	g.ids = g.ids[:0]
	g.segment++
}

// grow lets a page take its inserts up to its next writing, and what that leaves
// the same, to the checkpoint.
func (g *Grower) grow(p leaf) {
	at, more := g.next(p)
	if !more && p.entries > 0 {
		g.last = p
		g.count(p, 1)
		return
	}
	for _, part := range g.write(p, at) {
		if at == math.MaxInt64 {
			g.last = part
			g.count(part, 1)
			continue
		}
		g.grow(part)
	}
}

func (g *Grower) count(p leaf, n float64) {
	g.pages += n
	g.disk += n * float64(wt.Align(p.bytes, g.cfg.Table.AllocationSize))
}

// next is when a page is written again, the RecordId that was inserted last then;
// more is false where nothing comes in any more.
func (g *Grower) next(p leaf) (at int64, more bool) {
	g.new = g.new[:0]
	for i := p.from; i < p.to; i++ {
		if g.ids[i] > p.written {
			g.new = append(g.new, i)
		}
	}
	if len(g.new) == 0 {
		return 0, false
	}
	at = g.turn(p)
	// A segment is a part of the first page in memory only.
	share := 1.0
	if p.written == 0 {
		share = float64(p.to-p.from) / float64(max(1, g.o.Entries))
	}
	room := float64(g.o.MaxFootprint) * min(1, share)
	slices.SortFunc(g.new, func(a, b int) int { return int(g.ids[a] - g.ids[b]) })
	for _, i := range g.new {
		e := &g.m.list[i]
		if room -= Footprint(g.cfg.Release, 1, float64(e.key+e.value)); room <= 0 {
			return min(at, g.ids[i]), true
		}
	}
	return at, true
}

// turn is when a page's turn comes to be written, if anything of it is dirty.
func (g *Grower) turn(p leaf) int64 {
	if g.o.Turnover <= 0 {
		return math.MaxInt64
	}
	first := int64(math.MaxInt64)
	for _, i := range g.new {
		first = min(first, g.ids[i])
	}
	wait := g.o.Turnover * (0.5 + g.rng.Float64())
	at := float64(first) + wait
	if at >= float64(g.o.Documents) {
		return math.MaxInt64
	}
	return int64(at)
}

// write cuts what a page holds at a time.
func (g *Grower) write(p leaf, at int64) (parts []leaf) {
	var held []int
	b := NewBuilder(g.cfg)
	c := reconcile.Cutter{Split: b.cutter.Split, Alloc: g.cfg.Table.AllocationSize}
	c.Emit = func(k reconcile.Chunk) {
		part := leaf{from: held[k.First], to: p.to, written: at, bytes: k.Bytes, entries: k.Records}
		if len(parts) == 0 {
			part.from = p.from
		} else {
			parts[len(parts)-1].to = part.from
		}
		parts = append(parts, part)
	}
	for i := p.from; i < p.to; i++ {
		if g.ids[i] > at {
			continue
		}
		held = append(held, i)
		e := &g.m.list[i]
		r := kv{key: g.m.keyOf(e), value: g.m.valueOf(e)}
		if b.measure(&r, c.WouldSplit); r.overKey == nil {
			b.follow(r.key)
		}
		c.Add(int64(r.keyLen + r.valueLen))
	}
	c.Finish()
	return parts
}

// Finish gives the bytes in use.
func (g *Grower) Finish() int64 {
	g.flush(true)
	alloc := g.cfg.Table.AllocationSize
	if g.followed == 0 {
		return alloc
	}
	scale := float64(g.seen) / float64(g.followed)
	const separator, lists = 16, 2
	size := alloc + int64(g.disk*scale)
	size += internalSize(g.cfg, g.pages*scale, separator, size)
	return wt.Align(size, alloc) + lists*alloc
}
