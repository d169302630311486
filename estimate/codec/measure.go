package codec

import (
	"errors"
	"runtime"
	"slices"
	"time"
)

// MeasureOptions bound a measurement. The zero value is ready to use.
type MeasureOptions struct {
	// Budget ends the measurement after the image at hand; default 300 ms. At
	// least one image is measured.
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
// thread; compression and decompression of one image alternate, as cache
// misses and evictions do. "none" takes no time.
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
	m := &measurement{codec: c, clock: threadTime, elapsed: wallTime, page: make([]byte, longest(images))}
	if opts.Clock != nil {
		m.clock, m.elapsed = opts.Clock, opts.Clock
	}
	if err := m.run(images, opts); err != nil {
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
	page    []byte
	images  []imageTime
	rounds  int
}

// started is the origin of wallTime.
var started = time.Now()

func wallTime() time.Duration { return time.Since(started) }

type imageTime struct {
	bytes                int
	kept                 bool
	compress, decompress time.Duration
}

func (m *measurement) run(images [][]byte, opts MeasureOptions) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := m.once(images[0]); err != nil { // contexts, buffers, caches
		return err
	}
	end := m.elapsed() + opts.Budget
	for m.rounds < opts.Rounds {
		for i, image := range images {
			if m.elapsed() >= end && len(m.images) > 0 {
				return nil
			}
			t, err := m.once(image)
			if err != nil {
				return err
			}
			m.record(i, t)
		}
		m.rounds++
	}
	return nil
}

// once compresses and decompresses one image.
func (m *measurement) once(image []byte) (imageTime, error) {
	t0 := m.clock()
	n, err := m.codec.Compress(image)
	t1 := m.clock()
	t := imageTime{bytes: len(image), kept: n > 0, compress: t1 - t0}
	if err != nil || n == 0 {
		return t, err
	}
	t2 := m.clock()
	err = m.codec.Decompress(m.page[:len(image)], m.codec.Stored())
	t.decompress = m.clock() - t2
	return t, err
}

func (m *measurement) record(i int, t imageTime) {
	if i == len(m.images) {
		m.images = append(m.images, t)
		return
	}
	best := &m.images[i]
	best.compress = min(best.compress, t.compress)
	best.decompress = min(best.decompress, t.decompress)
}

func (m *measurement) timing(scale cpuScale) Timing {
	t := Timing{Images: len(m.images), Rounds: m.rounds}
	var compress, decompress []float64
	for _, i := range m.images {
		compress = append(compress, float64(i.compress)/float64(i.bytes)*scale.compress)
		if i.kept {
			t.Kept++
			decompress = append(decompress, float64(i.decompress)/float64(i.bytes)*scale.decompress)
		}
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
