package archive

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/element"
	"github.com/wtsize/wtsize/sampler/stream"
)

// maxLine is the longest log line that is taken for one.
const maxLine = 4096

// skipLog passes over log lines where a length should be. mongodump writes its
// messages to stderr; 2>&1 before a redirection puts them into the archive,
// between one write and the next.
func (r *reader) skipLog() bool {
	found := false
	for {
		head, _ := r.Peek(stream.LogPrefix)
		if !stream.LogLine(head) {
			return found
		}
		line, _ := r.Peek(maxLine)
		end := bytes.IndexByte(line, '\n')
		if end < 0 {
			return found
		}
		r.noteLog(r.Offset())
		r.Skip(end + 1)
		found = true
	}
}

func (r *reader) noteLog(at int64) {
	if r.logLines == 0 {
		r.logAt = at
	}
	r.logLines++
}

const hintLog = "its messages were merged into its output; dump again without 2>&1"

func (r *reader) logFault() *sampler.Fault {
	return &sampler.Fault{Source: r.Name, Offset: r.logAt,
		Why:  fmt.Sprintf("log lines of the dump tool are mixed into the archive (%d passed over)", r.logLines),
		Hint: hintLog}
}

// maxNamed bounds the work on an archive that is damaged everywhere.
const maxNamed = 16

// nameLog says so where a fault comes from log lines inside documents: those of
// e, which may be nil, have one, or the bytes around it that are still held.
func (r *reader) nameLog(e *entry, f *sampler.Fault) *sampler.Fault {
	at := int64(0)
	if e != nil {
		at = e.logAt
	}
	if r.named++; at == 0 && r.named <= maxNamed {
		held, base := r.Held()
		if i := stream.FindLogLine(held); i >= 0 {
			at = base + int64(i)
		}
	}
	if at == 0 {
		return f
	}
	g := *f
	g.Why += fmt.Sprintf("; a log line of the dump tool is mixed into the data at offset %d", at)
	g.Hint = hintLog
	return &g
}

// resync looks for the next block after damage: a terminator with a block's
// header after it. What lies between is lost.
func (r *reader) resync() bool {
	if r.headerAt(0) {
		return true
	}
	mark := []byte{0xff, 0xff, 0xff, 0xff}
	for {
		window, err := r.Peek(64 << 10)
		if len(window) < len(mark) {
			return false
		}
		at := bytes.Index(window, mark)
		if at < 0 {
			if err != nil {
				return false
			}
			r.Skip(len(window) - len(mark) + 1)
			continue
		}
		r.Skip(at)
		if r.headerAt(len(mark)) {
			r.Skip(len(mark))
			return true
		}
		r.Skip(1)
	}
}

// headerAt: a block's header stands n bytes from here.
func (r *reader) headerAt(n int) bool {
	const most = 4096 // names are at most 255 bytes each
	head, _ := r.Peek(n + 4)
	if len(head) < n+4 {
		return false
	}
	length := int(int32(binary.LittleEndian.Uint32(head[n:])))
	if length < 16 || length > most {
		return false
	}
	both, err := r.Peek(n + length)
	if err != nil {
		return false
	}
	doc := both[n:]
	return bytes.HasPrefix(doc[4:], []byte("\x02db\x00")) && element.Walk(doc) == nil && stringAt(doc, "collection") != ""
}
