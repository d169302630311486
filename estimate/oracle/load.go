//go:build oracle

package oracle

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Names of a loaded table and of its file within the database directory.
const (
	tableURI = "table:data"
	fileName = "data.wt"
)

// ErrUnsupported is returned for what the linked engine cannot do.
var ErrUnsupported = errors.New("not supported by this WiredTiger")

// Result is what a load left behind, read after its checkpoint.
type Result struct {
	Version  Version
	Path     string // of the block file
	Metadata string // the file's configuration, for OpenFile
	Records  int64
	// FileBytes is storageSize and FreeBytes freeStorageSize, as $collStats
	// takes them from the same statistics.
	FileBytes, FreeBytes int64
	// Pages of the checkpoint, read from the file itself: the engine's own
	// count is of the pages in its cache, which are larger.
	Pages Pages
	// Stats holds what the engine counted for the table, by its own names.
	Stats map[string]int64
	// WallSeconds and CPUSeconds (of the process) from the first insert to the
	// end of the checkpoint.
	WallSeconds, CPUSeconds float64
}

// Stat returns the statistic whose name ends in name, such as "pages written
// from cache", and whether there is one: groups of statistics are named
// differently between releases.
func (r Result) Stat(name string) (int64, bool) { return findStat(r.Stats, name) }

func findStat(stats map[string]int64, name string) (int64, bool) {
	for full, v := range stats {
		if full == name || strings.HasSuffix(full, ": "+name) {
			return v, true
		}
	}
	return 0, false
}

// Load creates a collection's table in dir, an existing empty directory, inserts
// the documents in order with RecordIds from 1 on, takes one checkpoint, and
// closes the database. The documents are used only until the next one is asked
// for; no more than a few batches are held. An error from docs ends the load.
func Load(dir string, docs iter.Seq2[[]byte, error], c Config) (Result, error) {
	l, err := open(dir, c, c.collection())
	if err != nil {
		return Result{}, err
	}
	return l.run(func() (int64, error) {
		return l.insert("", (*batch).insertRecords, func(yield func(record, error) bool) {
			for doc, err := range docs {
				if !yield(record{doc}, err) {
					return
				}
			}
		})
	})
}

// loader is one table being loaded.
type loader struct {
	c      Config
	dir    string
	engine *engine
	main   *session
}

// open opens the database and creates the table.
func open(dir string, c Config, table string) (*loader, error) {
	if c.Timestamps && !EngineVersion().TimeWindows() {
		return nil, fmt.Errorf("timestamps in cells: %w %s", ErrUnsupported, EngineVersion())
	}
	e, err := openEngine(dir, c)
	if err != nil {
		return nil, err
	}
	l := &loader{c: c, dir: dir, engine: e}
	if l.main, err = e.session(); err == nil {
		err = l.main.create(tableURI, table)
	}
	if err == nil && c.Timestamps {
		err = e.setTimestamp(fmt.Sprintf("oldest_timestamp=%x", commitTimestamp(0)-1))
	}
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return l, nil
}

// run fills the table, takes the checkpoint, reads the figures and closes.
func (l *loader) run(fill func() (int64, error)) (Result, error) {
	start, cpu := time.Now(), processCPU()
	n, err := fill()
	if err == nil && l.c.Timestamps && n > 0 {
		err = l.engine.setTimestamp(fmt.Sprintf("stable_timestamp=%x", commitTimestamp(n-1)))
	}
	if err == nil {
		err = l.main.checkpoint()
	}
	wall, cpu := time.Since(start).Seconds(), processCPU()-cpu
	var r Result
	if err == nil {
		r, err = l.figures()
	}
	r.Records, r.WallSeconds, r.CPUSeconds = n, wall, cpu
	return r, errors.Join(err, l.engine.close())
}

// figures reads the statistics of the table as the checkpoint left it.
func (l *loader) figures() (Result, error) {
	r := Result{Version: EngineVersion(), Path: filepath.Join(l.dir, fileName)}
	var err error
	if r.Stats, err = l.main.statistics(tableURI); err != nil {
		return r, err
	}
	if r.Metadata, err = l.main.metadata("file:" + fileName); err != nil {
		return r, err
	}
	var ok, free bool
	r.FileBytes, ok = r.Stat("file size in bytes")
	r.FreeBytes, free = r.Stat("file bytes available for reuse")
	if !ok || !free {
		return r, fmt.Errorf("file size: %w %s", ErrUnsupported, r.Version)
	}
	f, err := OpenFile(r.Path, r.Metadata)
	if err != nil {
		return r, err
	}
	r.Pages, err = f.Pages()
	return r, errors.Join(err, f.Close())
}

// record is what is inserted: a document, or an index entry's key and value.
type record [][]byte

func (r record) size() int {
	n := 0
	for _, item := range r {
		n += len(item)
	}
	return n
}

// insert sends all records to the loading threads in batches and returns how
// many there were.
func (l *loader) insert(cursorConfig string, put func(*batch, *session, *cursor) error, all iter.Seq2[record, error]) (int64, error) {
	threads := max(1, l.c.Threads)
	work, free := make(chan *batch, threads), make(chan *batch, 2*threads)
	for range 2 * threads {
		free <- &batch{}
	}
	failed, errs := make(chan struct{}), make([]error, threads)
	var once sync.Once
	var wg sync.WaitGroup
	for i := range threads {
		wg.Go(func() {
			if errs[i] = l.worker(cursorConfig, put, work, free); errs[i] != nil {
				once.Do(func() { close(failed) })
			}
		})
	}
	n, err := l.feed(all, work, free, failed)
	close(work)
	wg.Wait()
	return n, errors.Join(append(errs, err)...)
}

// worker inserts batches through a session of its own.
func (l *loader) worker(config string, put func(*batch, *session, *cursor) error, work <-chan *batch, free chan<- *batch) error {
	s, err := l.engine.session()
	if err != nil {
		return err
	}
	k, err := s.cursor(tableURI, config)
	if err != nil {
		return err
	}
	for b := range work {
		if err := put(b, s, k); err != nil {
			return errors.Join(err, k.close())
		}
		free <- b
	}
	return k.close()
}

// feed cuts the records into batches until they end or a worker failed.
func (l *loader) feed(all iter.Seq2[record, error], work chan<- *batch, free <-chan *batch, failed <-chan struct{}) (int64, error) {
	var n int64
	b := <-free
	b.reset(0)
	send := func() bool {
		select {
		case work <- b:
		case <-failed:
			return false
		}
		select {
		case b = <-free:
		case <-failed:
			return false
		}
		b.reset(n)
		return true
	}
	for r, err := range all {
		if err != nil {
			return n, err
		}
		if b.full(l.c, r.size()) && !send() {
			return n, nil
		}
		b.add(l.c.Timestamps, r)
		n++
	}
	if b.n > 0 {
		send()
	}
	return n, nil
}
