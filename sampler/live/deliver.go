package live

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// reading is one collection on one node while it is read.
type reading struct {
	n   *node
	s   *server
	t   *target
	f   *figures
	rng *rand.Rand

	goal     int64 // bytes wanted; 0: everything
	runBytes int64 // smallest run

	sink sampler.Sink
	end  *sampler.End
	// The part of the collection this node holds, for shards: Position is
	// base + scale*share, strata count on from stratum.
	base, scale float64
	stratum     int
	strata      int // of this part, up to the last run
	runs        int
	// announce: a complete read begins with a run, since other parts have runs.
	announce bool
	warnings []sampler.Warning
}

func (r *reading) warn(code, text string) {
	for _, w := range r.warnings {
		if w.Code == code {
			return
		}
	}
	r.warnings = append(r.warnings, sampler.Warning{Code: code, Text: text})
}

// sinkError is the receiver's: reading ends and hands it on as it is.
type sinkError struct{ error }

func (e sinkError) Unwrap() error { return e.error }

func isSink(err error) bool { return errors.As(err, new(sinkError)) }

// run announces neighbours that begin at a share of this node's part.
func (r *reading) run(share float64, stratum int, recordID int64) error {
	r.runs++
	r.strata = max(r.strata, stratum+1)
	share = min(max(share, 0), 1)
	pos := r.base + r.scale*share
	if pos >= 1 {
		pos = 1 - 1e-9
	}
	if err := r.sink.Run(sampler.Run{Position: pos, Stratum: r.stratum + stratum, RecordID: recordID}); err != nil {
		return sinkError{err}
	}
	return nil
}

// deliver hands documents over, without the $recordId the server put at their end.
func (r *reading) deliver(docs []bson.Raw) (int64, error) {
	if r.announce && len(docs) > 0 {
		r.announce = false
		if err := r.run(0, 0, 0); err != nil {
			return 0, err
		}
	}
	var bytes int64
	for _, d := range docs {
		d, _ = stripRecordID(d)
		if err := r.sink.Document(d); err != nil {
			return bytes, sinkError{err}
		}
		bytes += int64(len(d))
		r.end.Documents++
		r.end.Bytes += int64(len(d))
	}
	return bytes, nil
}

// between two runs: tell how far we are, keep to the rate, let the server breathe.
func (r *reading) breathe(ctx context.Context) error {
	p := Progress{NS: r.t.ns, Documents: r.end.Documents, Bytes: r.end.Bytes, Goal: r.goal}
	r.tell(p)
	err := r.n.pace.rest(ctx, func(why string) { p.Paused = why; r.tell(p) })
	if err == nil && r.s.mayWatch && r.n.pace.lookDue() {
		err = r.awaitCache(ctx, p)
	}
	if err != nil {
		return asInterrupt(r.n.host, err)
	}
	return nil
}

// asInterrupt wraps a context's error; others stay.
func asInterrupt(host string, err error) error {
	if err == context.Canceled || err == context.DeadlineExceeded {
		return &serverError{Host: host, Command: "reading", Stopped: err, Text: "interrupted"}
	}
	return err
}

func (r *reading) tell(p Progress) {
	if r.n.o.Progress != nil {
		r.n.o.Progress(p)
	}
}

// awaitCache waits until the server's cache has room, and gives up after a while.
func (r *reading) awaitCache(ctx context.Context, p Progress) error {
	for wait := cacheWait; ; wait *= 2 {
		status, err := r.n.command(ctx, "admin", serverStatus())
		if err != nil {
			if final(err) {
				return err
			}
			return nil
		}
		why := cacheOf(status).strained()
		if why == "" {
			return nil
		}
		if wait > cacheWaitMost {
			return &serverError{Host: r.n.host, Command: "reading", Strained: true, Text: why + " and stays so"}
		}
		p.Paused = why
		r.tell(p)
		if err := r.n.o.Env.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// limit is how many documents make about n bytes.
func (r *reading) limit(n int64) int64 {
	avg := int64(0)
	if r.end.Documents > 0 {
		avg = r.end.Bytes / r.end.Documents
	} else if r.f.counted || r.f.Size > 0 {
		avg = r.f.avg()
	}
	if avg <= 0 {
		return firstLimit
	}
	// A twentieth more: most runs then reach their size in one command.
	return min(max((n+n/20)/avg+1, 1), mostDocuments)
}

const (
	// firstLimit is read where nothing tells how large documents are: at most
	// one full reply of the largest documents.
	firstLimit = 16
	// mostDocuments bounds what one command may ask for; the server bounds the
	// reply to 16 MiB besides.
	mostDocuments = 100_000
)

const recordIDField = "$recordId"

// stripRecordID cuts the $recordId element off the end of a document, in place:
// the length at the front is rewritten. It gives the document as stored and the
// RecordId, which is 0 when it is not an integer or not there.
func stripRecordID(d bson.Raw) (bson.Raw, int64) {
	v, err := d.LookupErr(recordIDField)
	if err != nil {
		return d, 0
	}
	elem := 1 + len(recordIDField) + 1 + len(v.Value)
	from := len(d) - 1 - elem
	// It must be the last element, whole, or it is not the server's.
	if from < 4 || d[from] != byte(v.Type) || string(d[from+1:from+1+len(recordIDField)]) != recordIDField {
		return d, 0
	}
	d[from] = 0
	d = d[:from+1]
	binary.LittleEndian.PutUint32(d, uint32(len(d)))
	id, _ := number(v)
	return d, id
}
