//go:build oracle

package oracle

/*
#include "engine.h"
*/
import "C"

import "unsafe"

const (
	defaultBatchRecords = 500
	defaultBatchBytes   = 256 << 10
)

// Commit timestamps are seconds<<32 | n as mongod draws them, at a steady rate
// from a fixed second on, so that a load can be repeated to the byte.
const (
	firstSecond      = 1750000000
	commitsPerSecond = 5000
)

// commitTimestamp is the timestamp of the i-th record, counted from 0.
func commitTimestamp(i int64) uint64 {
	return uint64(firstSecond+i/commitsPerSecond)<<32 | uint64(i%commitsPerSecond+1)
}

// batch is a group of neighbouring records or entries on its way to the engine.
type batch struct {
	first      int64 // number of the first record, from 0
	n          int
	data       []byte
	sizes      []C.uint32_t
	timestamps []C.uint64_t // empty: without
}

func (b *batch) reset(first int64) {
	*b = batch{first: first, data: b.data[:0], sizes: b.sizes[:0], timestamps: b.timestamps[:0]}
}

func (b *batch) add(timestamps bool, r record) {
	for _, item := range r {
		b.data = append(b.data, item...)
		b.sizes = append(b.sizes, C.uint32_t(len(item)))
	}
	if timestamps {
		b.timestamps = append(b.timestamps, C.uint64_t(commitTimestamp(b.first+int64(b.n))))
	}
	b.n++
}

// full says whether the batch ends before an item of size bytes.
func (b *batch) full(c Config, size int) bool {
	return b.n > 0 && (b.n >= orDefault(c.BatchRecords, defaultBatchRecords) ||
		len(b.data)+size > orDefault(c.BatchBytes, defaultBatchBytes))
}

// insertRecords gives the batch's values RecordIds from its first number + 1 on.
func (b *batch) insertRecords(s *session, k *cursor) error {
	return check("insert", C.oracle_insert_records(s.s, k.c, C.int64_t(b.first+1),
		(*C.uint8_t)(unsafe.SliceData(b.data)), unsafe.SliceData(b.sizes), b.stamps(), C.int(b.n)))
}

func (b *batch) insertEntries(s *session, k *cursor) error {
	return check("insert", C.oracle_insert_entries(s.s, k.c,
		(*C.uint8_t)(unsafe.SliceData(b.data)), unsafe.SliceData(b.sizes), b.stamps(), C.int(b.n)))
}

func (b *batch) stamps() *C.uint64_t {
	if len(b.timestamps) == 0 {
		return nil
	}
	return unsafe.SliceData(b.timestamps)
}
