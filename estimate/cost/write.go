package cost

// minute is the usual time between two checkpoints, seconds: the server's
// storage.syncPeriodSecs.
const minute = 60

// Insert is the CPU time to load the whole collection: the server's own, and
// the compression of every page image once.
func (c CPU) Insert(t Table) float64 {
	return (float64(t.Count)*c.PerInsertNs + t.ImageBytes()*t.CompressNs) * nano
}

// Written is what one checkpoint has to write.
type Written struct {
	Pages      float64
	ImageBytes float64 // to compress
	BlockBytes float64 // to write
}

// CheckpointWrites is what the checkpoint after so many seconds of a load
// writes: each page that an update reached, whole and once, however small and
// many its updates were; and the pages that inserts filled.
//
// Right after a load it can be far more: in-memory pages of up to 8 MB are
// rewritten whole until they have been evicted or the server was restarted.
func CheckpointWrites(t Table, l Load, seconds float64) Written {
	pages, images, blocks := t.PagesTouched(l.UpdatesPerSecond * seconds)
	w := Written{Pages: pages, ImageBytes: images, BlockBytes: blocks}
	if t.Count == 0 {
		return w
	}
	inserted := l.InsertsPerSecond * seconds / float64(t.Count)
	for _, c := range t.Leaf {
		w.Pages += inserted * float64(c.Pages)
	}
	w.ImageBytes += inserted * t.ImageBytes()
	w.BlockBytes += inserted * float64(t.StorageSize)
	return w
}

// The journal writes records in units of 128 bytes: WiredTiger src/include/log.h,
// WT_LOG_ALIGN. A record whose size is not known in advance loses half a unit.
const (
	journalUnit = 128
	// journalHeader is the header of a record (WT_LOG_RECORD, 16 bytes) and of
	// the operations in it: one on the collection, one on each index.
	journalHeader = 40
	// journalUpdate is the record of a small update: 63 bytes were seen for a
	// $inc of 4 bytes, whatever the document's size. It takes one unit.
	journalUpdate = journalUnit
)

// JournalBytes is what so many seconds of a load write to the journal. It is
// compressed by journalCompressor, not by the collection's compressor, so it
// is the same for all of them. That does next to nothing: one record alone
// compresses far worse than a page of them. At 1.1 KB a document, 58 to 65 MiB a
// minute were written for 56 MiB of inserts.
func JournalBytes(t Table, l Load, seconds float64) float64 {
	var insert float64
	if t.Count > 0 {
		mean := float64(t.Size) / float64(t.Count)
		insert = mean + l.IndexBytesPerDocument + journalHeader + journalUnit/2
	}
	return seconds * (l.InsertsPerSecond*insert + l.UpdatesPerSecond*journalUpdate)
}
