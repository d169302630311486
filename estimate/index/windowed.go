package index

import "github.com/wtsize/wtsize/estimate/wt"

// A WindowedBuilder builds an index as inserts on a replica set leave it: an
// entry keeps its time window from when its page was last written, so on a page
// that nobody comes back to, the entries that were recent then carry one still.
//
// What was recent is counted in records: Span is how many are inserted while
// the server keeps history. The neighbours of an entry stand for its page.
type WindowedBuilder struct {
	b      *Builder
	span   int64
	window func(recordID int64) wt.TimeWindow
	held   []windowed
	bytes  []byte
}

// windowed is an entry that waits for its neighbours.
type windowed struct {
	keyEnd, valueEnd int // in bytes
	id               int64
}

// neighbours is about how many entries a leaf page holds.
const neighbours = 128

// NewWindowedBuilder returns a builder of an empty table. window gives what a
// record was written with.
func NewWindowedBuilder(cfg Config, span int64, window func(recordID int64) wt.TimeWindow) *WindowedBuilder {
	return &WindowedBuilder{b: NewBuilder(cfg), span: span, window: window}
}

// Add adds the next entry, of the record given.
func (w *WindowedBuilder) Add(key, value []byte, recordID int64) {
	w.bytes = append(append(w.bytes, key...), value...)
	w.held = append(w.held, windowed{len(w.bytes) - len(value), len(w.bytes), recordID})
	if len(w.held) == neighbours {
		w.flush()
	}
}

func (w *WindowedBuilder) flush() {
	var newest int64
	for _, e := range w.held {
		newest = max(newest, e.id)
	}
	at := 0
	for _, e := range w.held {
		r := kv{key: w.bytes[at:e.keyEnd], value: w.bytes[e.keyEnd:e.valueEnd]}
		if e.id > newest-w.span {
			r.window = w.window(e.id)
		}
		w.b.add(r)
		at = e.valueEnd
	}
	w.held, w.bytes = w.held[:0], w.bytes[:0]
}

// Finish writes the rest of the file.
func (w *WindowedBuilder) Finish() (File, error) {
	w.flush()
	return w.b.Finish()
}

// History is what a replica set keeps of recent inserts: those of the last Span
// records on a page when it was written; Window is what a record was written with.
type History struct {
	Span   int64
	Window func(recordID int64) wt.TimeWindow
}

// recent compares stretches of an index with and without time windows.
type recent struct {
	cfg            Config
	history        History
	bulk, windowed float64 // bytes of leaf pages
}

// stretch builds entries from..to both ways.
func (r *recent) stretch(m *maker, recordInKey bool, from, to int) error {
	bulk, windowed := NewBuilder(r.cfg), NewWindowedBuilder(r.cfg, r.history.Span, r.history.Window)
	for i := from; i < to; i++ {
		e := &m.list[i]
		if id, ok := m.recordID(e, recordInKey); ok {
			bulk.Add(m.keyOf(e), m.valueOf(e))
			windowed.Add(m.keyOf(e), m.valueOf(e), id)
		}
	}
	b, err := bulk.Finish()
	if err != nil {
		return err
	}
	w, err := windowed.Finish()
	r.bulk += float64(b.LeafImages)
	r.windowed += float64(w.LeafImages)
	return err
}

// times is how much larger time windows make an index; 0: not known.
func (r *recent) times() float64 {
	if r == nil || r.bulk == 0 {
		return 0
	}
	return r.windowed / r.bulk
}
