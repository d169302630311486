package estimate

import (
	"fmt"
	"math"
	"strings"

	"github.com/wtsize/wtsize/estimate/build"
	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/sampler"
)

// margin is the relative error of a codec's output that rounding is examined
// for: its band, or where it is exact the difference that another version of
// the library makes at most (1 %, libzstd at levels 3 and 4).
func margin(s codec.Setting) float64 {
	const versions = 0.01
	c, err := codec.New(s)
	if err != nil || c.Info().Exact {
		return versions
	}
	return c.Info().ErrorBand
}

// nearCliff is the change of the file beyond which a multiple of the allocation
// unit near the blocks is worth a warning.
const nearCliff = 0.02

func cliff(f build.File, margin float64) *Cliff {
	if f.Size == 0 || f.LeafPages == 0 {
		return nil
	}
	c := &Cliff{Margin: margin}
	c.Larger = round(float64(f.Up)/float64(f.Size), 4)
	c.Smaller = round(-float64(f.Down)/float64(f.Size), 4)
	if c.Swing = c.Larger; f.Down > f.Up {
		c.Swing = c.Smaller
	}
	var crossed, most int64
	for bytes, pages := range f.Crossed {
		crossed += pages
		if pages > most || pages == most && bytes > c.Bytes {
			most, c.Bytes = pages, bytes
		}
	}
	c.Share = round(float64(crossed)/float64(f.LeafPages), 4)
	if c.Near = math.Abs(c.Swing) >= nearCliff; !c.Near {
		return &Cliff{}
	}
	return c
}

// cliffWarnings say which files sit next to a cliff; levels of a codec that
// come out alike share one.
func cliffWarnings(all []CompressorResult) []sampler.Warning {
	var names [][]string
	var texts []string
	for _, c := range all {
		if c.Cliff == nil || !c.Cliff.Near {
			continue
		}
		text := cliffText(c)
		if n := len(texts); n > 0 && texts[n-1] == text {
			names[n-1] = append(names[n-1], c.Name())
			continue
		}
		names, texts = append(names, []string{c.Name()}), append(texts, text)
	}
	var out []sampler.Warning
	for i, text := range texts {
		out = append(out, sampler.Warning{Code: "near-cliff", Text: strings.Join(names[i], ", ") + ": " + text})
	}
	return out
}

// cliffText says on which side the blocks are, what the other side would cost,
// and how far the interval reaches.
func cliffText(c CompressorResult) string {
	x := *c.Cliff
	percent := 100 * x.Margin
	side, other := "just below", fmt.Sprintf("output %.2g %% larger would change the file by %+.0f %%", percent, 100*x.Larger)
	switch {
	case x.Larger >= nearCliff && x.Smaller <= -nearCliff:
		side, other = "next to", other+fmt.Sprintf(", smaller by %+.0f %%", 100*x.Smaller)
	case x.Swing < 0:
		side, other = "just above", fmt.Sprintf("output %.2g %% smaller would change the file by %+.0f %%", percent, 100*x.Smaller)
	}
	sure := ""
	if c.Codec.Exact && c.SamplingError == 0 {
		sure = "; the codec's output is that of servers, so they are on this side too"
	}
	size := float64(c.StorageSize)
	return fmt.Sprintf("%.0f %% of the pages end %s a multiple of 4 KiB, most of them at %d KiB: %s; its interval reaches from %+.1f to %+.1f %%%s",
		100*x.Share, side, x.Bytes>>10, other, 100*(float64(c.StorageSizeLow)/size-1), 100*(float64(c.StorageSizeHigh)/size-1), sure)
}
