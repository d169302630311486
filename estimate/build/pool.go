package build

import (
	"fmt"
	"sync"
	"time"

	"github.com/wtsize/wtsize/estimate/block"
	"github.com/wtsize/wtsize/estimate/codec"
)

// A Pool compresses page images on all cores. Each worker has codecs of its
// own for every setting it meets.
type Pool struct {
	tasks chan task
	wg    sync.WaitGroup
}

type task struct {
	job   *job
	cells []byte
	out   *block.Block
}

// job is a batch of images of one setting that is waited for together.
type job struct {
	setting codec.Setting
	rule    block.Rule
	alloc   int64

	wg    sync.WaitGroup
	mu    sync.Mutex
	err   error
	spent time.Duration
}

// NewPool starts workers goroutines; Close ends them.
func NewPool(workers int) *Pool {
	p := &Pool{tasks: make(chan task, 4*workers)}
	p.wg.Add(workers)
	for range workers {
		go p.work()
	}
	return p
}

// Close waits for the workers to end. No batch may be running.
func (p *Pool) Close() {
	close(p.tasks)
	p.wg.Wait()
}

// hugeImage is an image after which a worker starts over with a new codec.
const hugeImage = 2 << 20

func (p *Pool) work() {
	defer p.wg.Done()
	codecs := map[codec.Setting]codec.Codec{}
	for t := range p.tasks {
		start := time.Now()
		err := t.run(codecs)
		t.job.done(time.Since(start), err)
	}
}

func (t task) run(codecs map[codec.Setting]codec.Codec) (err error) {
	c := codecs[t.job.setting]
	if c == nil && t.job.setting.Name != codec.None {
		if c, err = codec.New(t.job.setting); err != nil {
			return err
		}
		codecs[t.job.setting] = c
	}
	var compressor block.Compressor
	if c != nil {
		compressor = c
	}
	*t.out, err = block.Write(compressor, t.job.rule, t.job.alloc, t.cells)
	if len(t.cells) > hugeImage {
		delete(codecs, t.job.setting) // and its buffers, as large as the image
	}
	return err
}

func (j *job) done(spent time.Duration, err error) {
	j.mu.Lock()
	j.spent += spent
	if err != nil && j.err == nil {
		j.err = fmt.Errorf("compress with %s: %w", j.setting, err)
	}
	j.mu.Unlock()
	j.wg.Done()
}

// write compresses every image of a batch and returns their blocks in order.
func (p *Pool) write(j *job, images [][]byte) ([]block.Block, error) {
	out := make([]block.Block, len(images))
	j.wg.Add(len(images))
	for i, cells := range images {
		p.tasks <- task{job: j, cells: cells, out: &out[i]}
	}
	j.wg.Wait()
	return out, j.err
}
