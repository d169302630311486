//go:build oracle

package oracle

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"text/tabwriter"
)

var (
	bsonFile   = flag.String("bson", "", "the .bson or .bson.gz `file` whose pages TestDump prints")
	compressor = flag.String("compressor", "none", "its compressor")
	level      = flag.Int("level", 0, "and level")
	cacheMB    = flag.Int64("cache", 1024, "cache size in MiB")
	table      = flag.String("table", "", "creation configuration that overrides MongoDB's")
	timestamps = flag.Bool("timestamps", false, "give every record a time window")
	written    = flag.Bool("written", false, "list blocks in the order they were written, not in key order")
)

// TestDump is a tool: it prints every block the engine made of a file.
func TestDump(t *testing.T) {
	if *bsonFile == "" {
		t.Skip("no -bson file given")
	}
	r, err := Load(t.TempDir(), ReadBSON(*bsonFile), Config{
		CacheBytes: *cacheMB << 20, Compressor: *compressor, Level: *level, Table: *table, Timestamps: *timestamps,
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(r.Path, r.Metadata)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	blocks, err := f.Blocks()
	if err != nil {
		t.Fatal(err)
	}
	if *written {
		slices.SortStableFunc(blocks, func(a, b Block) int { return cmp.Compare(a.WriteGen, b.WriteGen) })
	}
	dump(os.Stdout, blocks)
	fmt.Printf("WiredTiger %s %s: %d records, storageSize %d, freeStorageSize %d, %d leaf and %d internal pages, CPU %.2f s\n",
		r.Version, *compressor, r.Records, r.FileBytes, r.FreeBytes, r.Pages.Leaf, r.Pages.Internal, r.CPUSeconds)
	dumpLists(t, f)
}

// dump prints one line a block. The generation numbers pages as reconciliation
// wrote them: a step back in key order, or a jump of the image size, is where the
// next page in memory began.
func dump(w io.Writer, blocks []Block) {
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "type\tdepth\tgeneration\toffset\tblock\tused\timage\tcompressed\tcells\tkeys\twindows\tfirst\t")
	for _, b := range blocks {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%t\t%d\t%d\t%d\t%d\t\n", b.Type, b.Depth, b.WriteGen,
			b.Offset, b.Size, b.UsedBytes, b.ImageBytes, b.Compressed, b.Cells, b.Keys, b.Windows, b.FirstRecordID)
	}
	tw.Flush()
}

func dumpLists(t *testing.T, f *File) {
	for _, list := range []struct {
		name string
		at   Address
	}{{"alloc", f.Checkpoint.Alloc}, {"avail", f.Checkpoint.Avail}, {"discard", f.Checkpoint.Discard}} {
		extents, err := f.Extents(list.at)
		if err != nil {
			t.Error(err)
		}
		fmt.Printf("%s list: block of %d at %d, extents %v\n", list.name, list.at.Size, list.at.Offset, extents)
	}
}
