package dump

import (
	"io"

	"github.com/wtsize/wtsize/sampler/stream"
)

// Options are what the caller decides about reading.
type Options struct {
	// Stdin is read for "-".
	Stdin io.Reader
	// Meter counts what was read; nil for none.
	Meter *stream.Meter
}
