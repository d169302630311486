package cost

// BreakEven is where two tables cost the same. A field is 0 where they never
// do: the one that reads less also computes less, or both are alike.
type BreakEven struct {
	// ScanThroughput is the disk throughput, bytes per second, at which a cold
	// scan takes the same time. On a slower disk the smaller file is faster.
	ScanThroughput float64
	// PointReadThroughput is the same for one cold point read.
	PointReadThroughput float64
	// PointReadLatency is the disk latency, seconds, at which a point read that
	// misses WiredTiger's cache takes the same time on average. A smaller file
	// is found in the operating system's cache more often; with a higher
	// latency that outweighs its decompression. 0 where OSCacheBytes is 0.
	PointReadLatency float64
}

// BreakEven compares a collection's file under two compressors.
func (m Model) BreakEven(a, b Table) BreakEven {
	imageA, blockA := a.PageOfDocument()
	imageB, blockB := b.PageOfDocument()
	cpuA, cpuB := m.CPU.page(a, imageA), m.CPU.page(b, imageB)
	return BreakEven{
		ScanThroughput:      tie(float64(a.StorageSize-b.StorageSize), m.CPU.scan(b)-m.CPU.scan(a)),
		PointReadThroughput: tie(blockA-blockB, cpuB-cpuA),
		PointReadLatency:    m.tieLatency(a, b),
	}
}

// tie solves x / t = y for a positive t.
func tie(x, y float64) float64 {
	if x == 0 || y == 0 || (x > 0) != (y > 0) {
		return 0
	}
	return x / y
}

// tieLatency solves, for the latency, that two tables' mean point reads take
// the same time: p × latency + fixed, with p the share of reads that the
// operating system's cache does not answer.
func (m Model) tieLatency(a, b Table) float64 {
	if m.OSCacheBytes <= 0 {
		return 0
	}
	pA, fixedA := m.uncached(a)
	pB, fixedB := m.uncached(b)
	if pA == pB {
		return 0
	}
	return max((fixedB-fixedA)/(pA-pB), 0)
}

// uncached is the share of point reads that go to the disk, and what a mean
// point read costs besides the latency.
func (m Model) uncached(t Table) (share, fixed float64) {
	image, block := t.PageOfDocument()
	share = missing(float64(m.OSCacheBytes), float64(t.StorageSize))
	transfer := share*block/m.Disk.Throughput + (1-share)*block/m.CPU.OSCacheBytesPerSecond
	return share, transfer + m.CPU.page(t, image)
}

// Named is a table and what the reader knows it by: "zstd:6".
type Named struct {
	Name  string
	Table Table
}

// Winner is the fastest of several tables on one disk.
type Winner struct{ Profile, Scan, PointRead string }

// Winners names the fastest table for a cold scan and for a cold point read on
// each disk. Of equals the first is named.
func (m Model) Winners(tables []Named, disks []Disk) []Winner {
	if len(tables) == 0 {
		return nil
	}
	winners := make([]Winner, len(disks))
	for i, d := range disks {
		on := m
		on.Disk = d
		winners[i] = Winner{
			Profile:   d.Profile,
			Scan:      fastest(tables, func(t Table) float64 { return on.Scan(t).Cold }),
			PointRead: fastest(tables, func(t Table) float64 { return on.PointRead(t).Seconds }),
		}
	}
	return winners
}

func fastest(tables []Named, seconds func(Table) float64) string {
	best := tables[0]
	for _, t := range tables[1:] {
		if seconds(t.Table) < seconds(best.Table) {
			best = t
		}
	}
	return best.Name
}
