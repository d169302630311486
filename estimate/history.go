package estimate

import "github.com/wtsize/wtsize/estimate/wt"

// history gives each record of a load the time window that it carries on a
// replica set while its commit timestamp is newer than the oldest one kept
// (minSnapshotHistoryWindowInSeconds, 300 seconds by default). A page keeps
// the windows it was written with until it is written again. The zero value
// gives none: a standalone node writes without timestamps.
//
// mongod inserts in transactions of up to 500 documents or 256 KiB
// (internalInsertMaxBatchSize, insertVectorMaxBytes); one by one, each record
// has a transaction of its own.
type history struct {
	on     bool
	single bool

	records, bytes int
	txn, n         uint64
}

const (
	batchRecords = 500
	batchBytes   = 256 << 10
	// loadSecond is when the first record is taken to be written, in seconds
	// since 1970, and perSecond how many follow in each second: a timestamp is
	// seconds<<32 | counter. Any load of these years packs to the same length.
	loadSecond = 1_700_000_000
	perSecond  = 5_000
	firstTxn   = 1
)

func newHistory(topology, pattern string) history {
	return history{on: topology == Replset, single: pattern == Single}
}

// at is the window of the n-th record, from 1 on, of a load in full batches.
func (h history) at(n int64) wt.TimeWindow {
	per := uint64(batchRecords)
	if h.single {
		per = 1
	}
	at := uint64(max(n, 1) - 1)
	return wt.TimeWindow{
		StartTS:  (loadSecond+at/perSecond)<<32 | (at%perSecond + 1),
		StartTxn: firstTxn + 1 + at/per,
	}
}

// historySeconds is how long a server keeps history by default:
// minSnapshotHistoryWindowInSeconds. insertsPerSecond is taken where no rate is
// given; the shares of windows measured in real indexes were at this rate.
const (
	historySeconds   = 300
	insertsPerSecond = 1000
)

// next is the window of a record of n bytes.
func (h *history) next(n int) wt.TimeWindow {
	if !h.on {
		return wt.TimeWindow{}
	}
	if h.records == 0 || h.single || h.records == batchRecords || h.bytes+n > batchBytes {
		h.txn++
		h.records, h.bytes = 0, 0
	}
	h.records++
	h.bytes += n
	w := wt.TimeWindow{
		StartTS:  (loadSecond+h.n/perSecond)<<32 | (h.n%perSecond + 1),
		StartTxn: firstTxn + h.txn,
	}
	h.n++
	return w
}
