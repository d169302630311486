//go:build oracle

package oracle

import (
	"errors"
	"runtime"
	"time"
)

// ScanResult is what a full scan saw and took.
type ScanResult struct {
	Records, Bytes int64 // Bytes of the values
	// CPUSeconds is the scanning thread's CPU time: reading, checking and
	// decompressing blocks, building and walking pages. ProcessCPUSeconds holds
	// what eviction threads and this process did meanwhile as well.
	CPUSeconds, ProcessCPUSeconds, WallSeconds float64
	// PagesRead and BytesRead went into the engine's cache; BytesFromFile are
	// the blocks they came from.
	PagesRead, BytesRead, BytesFromFile int64
}

// Scan opens the collection that Load left in dir, with an empty cache, and reads
// it in key order. The file is in the operating system's cache after a load on a
// machine with the memory for it; nothing is done to put it there.
func Scan(dir string, c Config) (ScanResult, error) {
	e, err := openEngine(dir, c)
	if err != nil {
		return ScanResult{}, err
	}
	r, err := scan(e)
	return r, errors.Join(err, e.close())
}

func scan(e *engine) (ScanResult, error) {
	var r ScanResult
	s, err := e.session()
	if err != nil {
		return r, err
	}
	k, err := s.cursor(tableURI, "")
	if err != nil {
		return r, err
	}
	// Opening a table reads the root's children ahead (src/btree/bt_handle.c,
	// __btree_preload), all leaves of a small one: that is not part of a scan.
	before, err := s.statistics("")
	if err != nil {
		return r, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, thread, process := time.Now(), threadCPU(), processCPU()
	r.Records, r.Bytes, err = k.scan()
	r.WallSeconds = time.Since(start).Seconds()
	r.CPUSeconds, r.ProcessCPUSeconds = threadCPU()-thread, processCPU()-process
	if err = errors.Join(err, k.close()); err != nil {
		return r, err
	}
	after, err := s.statistics("")
	r.PagesRead = grown(before, after, "pages read into cache")
	r.BytesRead = grown(before, after, "bytes read into cache")
	r.BytesFromFile = grown(before, after, "block-manager: bytes read")
	return r, err
}

// grown is by how much a statistic rose.
func grown(before, after map[string]int64, name string) int64 {
	a, _ := findStat(after, name)
	b, _ := findStat(before, name)
	return a - b
}
