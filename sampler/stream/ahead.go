package stream

import "io"

// aheadBuffers of readBytes each are decompressed ahead of the consumer, which
// has work of its own to do with the documents.
const aheadBuffers = 4

// ahead runs a decompressor in a goroutine of its own. It starts with the second
// Read: whoever only looks at the beginning pays for that alone.
type ahead struct {
	src   io.Reader
	reads int
	full  chan chunk
	free  chan []byte
	stop  chan struct{}
	cur   chunk
	held  []byte // the buffer that cur lies in
}

type chunk struct {
	p   []byte
	err error
}

func newAhead(src io.Reader) *ahead { return &ahead{src: src} }

// Read is part of io.Reader.
func (a *ahead) Read(p []byte) (int, error) {
	if a.reads++; a.reads == 1 {
		return a.src.Read(p)
	}
	if a.full == nil {
		a.start()
	}
	for len(a.cur.p) == 0 {
		if a.cur.err != nil {
			return 0, a.cur.err
		}
		if a.held != nil {
			a.free <- a.held
		}
		a.cur = <-a.full
		a.held = a.cur.p[:0]
	}
	n := copy(p, a.cur.p)
	a.cur.p = a.cur.p[n:]
	return n, nil
}

func (a *ahead) start() {
	a.full = make(chan chunk, aheadBuffers)
	a.free = make(chan []byte, aheadBuffers)
	a.stop = make(chan struct{})
	for range aheadBuffers {
		a.free <- make([]byte, 0, readBytes)
	}
	go a.run()
}

// run fills free buffers until the input ends or close is called.
func (a *ahead) run() {
	defer close(a.full)
	for {
		select {
		case <-a.stop:
			return
		case buf := <-a.free:
			n, err := io.ReadFull(a.src, buf[:readBytes])
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			a.full <- chunk{buf[:n], err}
			if err != nil {
				return
			}
		}
	}
}

// close ends the goroutine and waits for it. Read must not be called again.
func (a *ahead) close() {
	if a.full == nil {
		return
	}
	close(a.stop)
	for range a.full {
	}
}
