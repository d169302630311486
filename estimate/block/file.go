package block

// A File places blocks one after the other, as an engine does that only
// appends and checkpoints once at the end.
type File struct {
	alloc int64
	size  int64
}

// NewFile is a file that holds its description block only, which is also the
// size of an empty collection. WiredTiger: src/block/block_open.c,
// __wt_block_manager_create.
func NewFile(alloc int64) *File { return &File{alloc: alloc, size: alloc} }

// Append gives the offset of a new block of disk bytes.
func (f *File) Append(disk int64) int64 {
	off := f.size
	f.size += disk
	return off
}

// Checkpoint appends the extent lists of the first checkpoint.
func (f *File) Checkpoint() {
	const lists = 2 // allocated extents (one range), available extents (none, but always written)
	f.size += lists * f.alloc
}

// Size is the file size in bytes.
func (f *File) Size() int64 { return f.size }
