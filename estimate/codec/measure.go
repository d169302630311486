package codec

import (
	"errors"
	"runtime"
	"slices"
	"time"
)

// MeasureOptions bound a measurement. The zero value is ready to use.
type MeasureOptions struct {
	// Budget of each half, compression and decompression, is half of this: it
	// ends after the image at hand; default 300 ms. At least one is measured.
	Budget time.Duration
	// Rounds over the images, default 9; fewer if Budget ends first.
	Rounds int
	// Clock replaces both clocks: by default codecs are timed with the CPU time
	// of the thread where the system has it (Linux), and Budget is elapsed time.
	Clock func() time.Duration
}

// Timing is what a codec costs on one core, in nanoseconds per uncompressed
// byte, decompression too. Each is the median over images of the least of
// several rounds, with the quartiles.
type Timing struct {
	Compress   Spread
	Decompress Spread // over the images that were kept compressed
	Images     int    // measured
	Kept       int    // of them compressed
	Rounds     int    // completed over all images measured
	// Library is what ran. Scaled: its times are multiplied by a fixed factor
	// to stand for those of the library that servers link.
	Library string
	Scaled  bool
}

// Spread is a median and its quartiles.
type Spread struct{ Median, Low, High float64 }

// errNoImages reports a measurement without data.
var errNoImages = errors.New("no page images to measure on")

// Measure times a setting on the bytes that the compressor is given: page
// images after their first 64 bytes. It runs on one goroutine, locked to its
// thread. All images are compressed one after the other, round by round in half
// of the budget, then decompressed in the same way: were the two to alternate,
// each would find the other's tables in the processor's caches, which made
// zstd's decompression look half as long again as it is in a scan. "none" takes
// no time.
func Measure(s Setting, images [][]byte, opts MeasureOptions) (Timing, error) {
	images = slices.DeleteFunc(slices.Clone(images), func(b []byte) bool { return len(b) == 0 })
	if len(images) == 0 {
		return Timing{}, errNoImages
	}
	c, scale, err := newTimed(s)
	if err != nil {
		return Timing{}, err
	}
	if s.Name == None {
		return Timing{Images: len(images), Library: None}, nil
	}
	if opts.Budget <= 0 {
		opts.Budget = 300 * time.Millisecond
	}
	if opts.Rounds <= 0 {
		opts.Rounds = 9
	}
	m := &measurement{codec: c, clock: threadTime, elapsed: wallTime, images: images, page: make([]byte, longest(images))}
	if opts.Clock != nil {
		m.clock, m.elapsed = opts.Clock, opts.Clock
	}
	if err := m.run(opts); err != nil {
		return Timing{}, err
	}
	t := m.timing(scale)
	t.Library, t.Scaled = c.Info().CPULibrary, (scale != cpuScale{1, 1})
	return t, nil
}

// measurement holds the least time of each image so far.
type measurement struct {
	codec   Codec
	clock   func() time.Duration // what a call takes
	elapsed func() time.Duration // what the measurement takes
	images  [][]byte
	page    []byte
	rounds  int // completed over all images
	// compress and decompress are the least times, the former of the images
	// reached, the latter of the stored ones reached.
	compress, decompress []time.Duration
	seen, kept           int // images compressed at least once, and those worth keeping
	stored               []storedImage
	held                 int // bytes in stored
}

// storedImage is the compressed form of one image.
type storedImage struct {
	bytes  []byte
	length int // of the image
}

// mostHeld bounds the compressed forms that are kept to be decompressed.
const mostHeld = 16 << 20

// started is the origin of wallTime.
var started = time.Now()

func wallTime() time.Duration { return time.Since(started) }

func (m *measurement) run(opts MeasureOptions) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := m.codec.Compress(m.images[0]); err != nil { // contexts, buffers, caches
		return err
	}
	var err error
	m.compress, m.rounds, err = m.passes(len(m.images), opts, m.compressImage)
	if err == nil {
		m.decompress, _, err = m.passes(len(m.stored), opts, m.decompressImage)
	}
	return err
}

// passes goes over n images until the rounds are done or half of the budget is
// used, at least over one, and gives the least time of each that was reached.
func (m *measurement) passes(n int, opts MeasureOptions, one func(i int) (time.Duration, error)) (least []time.Duration, rounds int, err error) {
	for end := m.elapsed() + opts.Budget/2; n > 0 && rounds < opts.Rounds; rounds++ {
		for i := range n {
			if len(least) > 0 && m.elapsed() >= end {
				return least, rounds, nil
			}
			t, err := one(i)
			if err != nil {
				return nil, 0, err
			}
			if i == len(least) {
				least = append(least, t)
			}
			least[i] = min(least[i], t)
		}
	}
	return least, rounds, nil
}

// compressImage times one image, and keeps the result of the first round.
func (m *measurement) compressImage(i int) (time.Duration, error) {
	start := m.clock()
	n, err := m.codec.Compress(m.images[i])
	t := m.clock() - start
	if i == m.seen {
		m.seen++
		if n > 0 && err == nil {
			m.keep(i)
		}
	}
	return t, err
}

func (m *measurement) keep(i int) {
	m.kept++
	if b := m.codec.Stored(); m.kept == 1 || m.held+len(b) <= mostHeld {
		m.stored = append(m.stored, storedImage{slices.Clone(b), len(m.images[i])})
		m.held += len(b)
	}
}

func (m *measurement) decompressImage(i int) (time.Duration, error) {
	s := m.stored[i]
	start := m.clock()
	err := m.codec.Decompress(m.page[:s.length], s.bytes)
	return m.clock() - start, err
}

func (m *measurement) timing(scale cpuScale) Timing {
	t := Timing{Images: len(m.compress), Kept: m.kept, Rounds: m.rounds}
	var compress, decompress []float64
	for i, d := range m.compress {
		compress = append(compress, float64(d)/float64(len(m.images[i]))*scale.compress)
	}
	for i, d := range m.decompress {
		decompress = append(decompress, float64(d)/float64(m.stored[i].length)*scale.decompress)
	}
	t.Compress, t.Decompress = spread(compress), spread(decompress)
	return t
}

// spread sorts values and takes the quartiles, with interpolation.
func spread(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	slices.Sort(values)
	at := func(p float64) float64 {
		x := p * float64(len(values)-1)
		i := int(x)
		if i+1 == len(values) {
			return values[i]
		}
		return values[i] + (x-float64(i))*(values[i+1]-values[i])
	}
	return Spread{Median: at(0.5), Low: at(0.25), High: at(0.75)}
}

func longest(images [][]byte) int {
	n := 0
	for _, b := range images {
		n = max(n, len(b))
	}
	return n
}
