package report

// A definition says in one sentence what a printed figure means.
type definition struct{ term, text string }

// definitions is the one source of what --explain and the HTML page define. The
// term is the column heading, or the label, as it is printed; a test holds every
// heading of every grid against this list.
var definitions = []definition{
	{"storageSize", "Projected size of the collection's file, as $collStats means it: blocks in use, internal pages " +
		"and the file's own description. ± is the wider side of the interval, rounded up; ± 0 %: everything was read and each course " +
		"of events tried gave the same size, which does not say that a server's file is the same to the byte."},
	{"of BSON", "storageSize as a share of size, the bytes of the documents themselves."},
	{"saved", "What the setting saves against the baseline; negative when it takes more. The baseline is the projection " +
		"for today's compressor, else today's file without its free space, else snappy, else none."},
	{"page on disk", "Mean size of a leaf page's block: compressed, and rounded up to whole allocation units."},
	{"page in cache", "Mean size of a leaf page's image before compression: what a read brings into the cache."},
	{"inflation", "Page in cache divided by page on disk."},
	{"compress", "Bytes of page images that one core compresses in a second, measured in this process on these pages."},
	{"decompress", "Bytes of page images that one core decompresses in a second, measured likewise."},
	{"scan", "Time of a full collection scan that finds nothing in memory: reading the file from the assumed disk, then " +
		"decompressing and walking its pages on one core, not overlapped."},
	{"point read", "Time to fetch one document that is not in the cache: one block read from the assumed disk, " +
		"decompression of its whole page, building the page. The round trip to a client is not in it."},
	{"scan, overlapped", "Lower bound of the scan: disk and CPU work at the same time, and the slower one decides."},
	{"scan, cached", "The scan when the operating system's page cache holds the whole file: the CPU part alone."},
	{"cache per read", "Bytes that one point read brings into the cache."},
	{"load CPU", "CPU time to insert all documents and compress all pages, as a load does."},
	{"checkpoint", "Bytes that checkpoints write a minute at the stated inserts and updates."},
	{"journal", "Bytes that the journal takes a minute at the stated inserts and updates; it has a compressor of its own."},
	{"misses per read", "Pages that a read has to fetch from disk, on average, with the stated cache, working set and skew."},
	{"working set", "Cache that the stated share of the documents would fill."},
	{"lower bound", "Lower end of the interval of storageSize at the stated confidence."},
	{"upper bound", "Upper end of the interval of storageSize at the stated confidence."},
	{"sampling error", "Part of the interval that comes from reading a sample; zero when everything was read."},
	{"model spread", "Part of the interval that comes from the model: how far projections of whole collections were from " +
		"real files."},
	{"leaf pages", "Pages that hold documents."},
	{"internal pages", "Pages that lead to leaf pages."},
	{"stored raw", "Leaf pages stored without compression, since compressing saved no allocation unit."},
	{"32 KB batches", "Size of the file by the hand calculation, which compresses batches of 32 KB; as a share of size, for reference " +
		"only: real pages are larger."},
	{"time windows", "storageSize under the other topology: on a replica set, cells of recent writes carry the time of their transactions " +
		"until they are written again after the oldest timestamp passed them."},
	{"next to a cliff", "Leaf pages whose block ends so close to a 4 KiB boundary that another build of the codec may cross it; " +
		"in brackets, what crossing would change storageSize by."},
	{"library", "The codec that compressed the pages."},
	{"sizes", "Exact: byte for byte what the codec that servers link makes of the same page; else how far sizes may be off."},
	{"index", "Name of the index; (new) when it does not exist yet."},
	{"key", "Key pattern of the index."},
	{"entries", "Keys in the index: more than documents when it is multikey, fewer when it is sparse or partial."},
	{"size", "Projected size of the index file after a bulk build, with its interval."},
	{"grown by inserts", "Blocks in use when the index grew by inserts in the order of RecordIds, instead of being built at once; – where that is within 2 %."},
	{"with time windows", "The same on a replica set, with time windows in its cells."},
	{"now", "Size of the index file on the server today."},
	{"documents", "count: how many documents the collection holds."},
	{"BSON", "size: the bytes of all documents, uncompressed."},
	{"indexes", "totalIndexSize: the sum of the index files."},
	{"advice", "The compressor to change to, keep, or undecided where the figures do not tell."},
	{"from", "Today's compressor, or the baseline where it is not known."},
	{"to", "The advised compressor."},
	{"saves", "Bytes of storage that the change saves."},
	{"of all savings", "Its share of what all the listed changes save."},
	{"field", "Path of a field; array positions are left out."},
	{"type", "BSON type of the field's values."},
	{"in documents", "Share of documents that have the field."},
	{"raw", "Bytes of the field in the documents: type, name and value."},
	{"of it names", "Of the raw bytes, those that spell the field's own name."},
	{"stored", "Bytes that the file has less when the field is taken out and its pages are built again, by compressor."},
	{"compressor", "The block compressor of the collection's table, with its level where it is not the server's default."},
	{"collection", "Namespace of the collection."},
	{"pair", "Two compressors, compared on one disk."},
	{"change", "Change of storageSize from before to after; ≈ when the intervals of the two overlap, so that sampling and model may " +
		"account for it."},
	{"design", "How what belongs together is stored: embedded in one document, or referenced from documents of their own."},
	{"pages requested", "Pages that one logical read asks of the cache: of the index, internal and leaf pages, roots excepted."},
	{"misses", "Those of the data pages that are not in the cache when everything is read equally often."},
	{"added time", "Time that the misses add to a logical read on the assumed disk."},
	{"into the cache", "Bytes that the misses bring into the cache."},
	{"setting", "A table setting that differs from the one the other figures rest on."},
	{"scan ties at", "Disk throughput at which a scan takes equally long under both; a slower disk favours the smaller file."},
	{"point read ties at", "Disk throughput at which a cold point read takes equally long under both."},
	{"or a latency of", "Latency of a read at which a point read takes equally long under both."},
	{"disk", "A disk profile: throughput, reads a second and latency of a read."},
	{"label", "What the bytes of the file are. The labels add up to storageSize."},
	{"documents (BSON)", "The documents as they are."},
	{"keys and cells", "RecordIds and the cell headers before each key and value."},
	{"page and block headers", "28 bytes of page header and 12 bytes of block header on each page."},
	{"time windows in cells", "Transaction times stored with the documents."},
	{"internal pages' blocks", "The blocks of the pages that lead to leaf pages."},
	{"saved by compression", "What compression took away; never positive."},
	{"allocation rounding", "What rounding each block up to whole allocation units added."},
	{"file description", "The file's first block, its extent lists and blocks not in use."},
}

// define looks a term up.
func define(term string) (string, bool) {
	for _, d := range definitions {
		if d.term == term {
			return d.text, true
		}
	}
	return "", false
}

// definedTerms are the terms that a layout uses, in the order of the list.
func definedTerms(l layout) facts {
	used := map[string]bool{}
	for _, s := range l.sections {
		for _, b := range s.blocks {
			g, ok := b.(grid)
			if !ok {
				continue
			}
			for _, c := range g.columns {
				used[c.definedAs()] = true
			}
			if g.rowTerms {
				for _, r := range g.rows {
					used[r.cells[0]] = true
				}
			}
		}
	}
	var out facts
	for _, d := range definitions {
		if used[d.term] {
			out = append(out, fact{d.term, d.text})
		}
	}
	return out
}

// definedAs is the term that defines a column.
func (c column) definedAs() string {
	if c.term != "" {
		return c.term
	}
	return c.heading()
}
