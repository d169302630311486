package dump

import (
	"io"

	"github.com/wtsize/wtsize/sampler/dump/namespace"
	"github.com/wtsize/wtsize/sampler/stream"
)

// Select says which namespaces are wanted.
type Select = namespace.Select

// Options are what the caller decides about reading. The zero value reads
// every collection and counts nothing.
type Options struct {
	// Stdin is read for "-".
	Stdin io.Reader
	// Select bounds what is read; for a single .bson file it gives the names.
	Select Select
	// Meter counts what was read; nil for none.
	Meter *stream.Meter
}
