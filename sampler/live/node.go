package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
)

// Usage is what reading asked of the servers.
type Usage struct {
	mu       sync.Mutex
	commands int
	bytes    int64
	largest  int64
}

// Commands gives the number of commands sent, in all.
func (u *Usage) Commands() int { u.mu.Lock(); defer u.mu.Unlock(); return u.commands }

// Bytes gives the bytes of all replies.
func (u *Usage) Bytes() int64 { u.mu.Lock(); defer u.mu.Unlock(); return u.bytes }

// LargestReply gives the bytes of the largest reply: no more than one reply is
// held at a time.
func (u *Usage) LargestReply() int64 { u.mu.Lock(); defer u.mu.Unlock(); return u.largest }

func (u *Usage) sent() { u.mu.Lock(); defer u.mu.Unlock(); u.commands++ }

func (u *Usage) received(n int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.bytes += n
	u.largest = max(u.largest, n)
}

// node is one server, reached over one connection.
type node struct {
	client *mongo.Client
	host   string
	hello  hello
	old    bool // older than the driver takes
	prefer *readpref.ReadPref
	scrub  scrubber
	o      Options
	usage  *Usage
	pace   *pacer
	// answered is the host that was sent the last command.
	answered func() string
	// redial chooses a member anew after this one went away; nil: there is none.
	redial func(context.Context) (*node, error)
	moves  int
}

// movesMost is how many members are tried after the first.
const movesMost = 2

func newNode(client *mongo.Client, host string, scrub scrubber, o Options, usage *Usage) *node {
	return &node{client: client, host: host, scrub: scrub, o: o, usage: usage, pace: newPacer(o)}
}

// partingTime bounds what is done after reading: a courtesy that gets no answer
// must not hold up the report.
const partingTime = 2 * time.Second

// close ends the session and the connection.
func (n *node) close() {
	ctx, cancel := context.WithTimeout(context.Background(), partingTime)
	defer cancel()
	_ = n.client.Disconnect(ctx) // nothing is left to be lost
}

// command runs one read-only command and returns the reply, retrying what
// passes by itself. The error is a *serverError.
func (n *node) command(ctx context.Context, db string, cmd bson.D) (bson.Raw, error) {
	for attempt := 0; ; attempt++ {
		reply, err := n.once(ctx, db, cmd)
		if err == nil {
			return reply, nil
		}
		wait, again := backOff(err, attempt)
		if !again {
			if e := n.move(ctx, cmd, err); e != nil {
				return nil, e
			}
			attempt = 0
			continue
		}
		if e := n.o.Env.Sleep(ctx, wait); e != nil {
			return nil, &serverError{Host: n.host, Command: cmd[0].Key, Stopped: e, Text: "interrupted"}
		}
	}
}

// move connects to another member after this one failed for good. It gives the
// failure back where it cannot, and a failure marked Moved where the command
// made sense on the old member only.
func (n *node) move(ctx context.Context, cmd bson.D, failed *serverError) error {
	if !failed.Network && !transient[failed.Code] || n.redial == nil || n.moves >= movesMost {
		return failed
	}
	n.moves++
	to, err := n.redial(ctx)
	if err != nil {
		return failed
	}
	from := n.host
	n.close()
	n.client, n.host, n.hello = to.client, to.host, to.hello
	if n.host != from && (hasKey(cmd, "$_startAt") || hasKey(cmd, "$_resumeAfter")) || cmd[0].Key == "getMore" {
		return &serverError{Host: from, Command: cmd[0].Key, Code: failed.Code, Name: failed.Name, Moved: true,
			Text: "the member went away and another has other RecordIds"}
	}
	return nil
}

// moved: the member changed, and with it every RecordId.
func moved(err error) bool {
	var e *serverError
	return errors.As(err, &e) && e.Moved
}

// backOff says whether an error passes and how long to wait for it. A getMore
// is not repeated: the cursor may have moved.
func backOff(err *serverError, attempt int) (time.Duration, bool) {
	const tries = 4
	switch {
	case err.Stopped != nil || err.Auth || err.Old || err.Command == "getMore" && err.Code != codeThrottled:
		return 0, false
	case err.Code == codeThrottled:
		// Cosmos DB refills its budget every second.
		return time.Duration(attempt+1) * time.Second, attempt < 2*tries
	case err.Network || transient[err.Code]:
		return 500 * time.Millisecond << attempt, attempt < tries
	case err.Code == codeInterrupted || err.Code == codeCursorKilled:
		// Once may be a failover's doing; twice is an operator's.
		return time.Second, attempt < 1
	}
	return 0, false
}

func (n *node) once(ctx context.Context, db string, cmd bson.D) (bson.Raw, *serverError) {
	full := n.complete(cmd)
	// No deadline on the context: the driver would add a maxTimeMS of its own.
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	timer := time.AfterFunc(n.o.MaxTime+n.o.Grace, cancel)
	defer timer.Stop()

	n.usage.sent()
	start := n.o.Env.Now()
	reply, err := n.client.Database(db).RunCommand(run, full, options.RunCmd().SetReadPreference(n.prefer)).Raw()
	if err != nil {
		return nil, newServerError(ctx, n.host, cmd[0].Key, err, n.scrub)
	}
	n.usage.received(int64(len(reply)))
	n.pace.took(n.o.Env.Now().Sub(start), int64(len(reply)))
	return reply, nil
}

// complete adds the manners every command has: a time limit, and on those that
// read documents a comment and the read concern that pins no history.
func (n *node) complete(cmd bson.D) bson.D {
	full := append(bson.D{}, cmd...)
	switch cmd[0].Key {
	case "getMore", "killCursors":
		return full
	case "find", "aggregate":
		full = append(full,
			bson.E{Key: "readConcern", Value: bson.D{{Key: "level", Value: "local"}}},
			bson.E{Key: "comment", Value: "wtsize"})
	}
	if !hasKey(full, "maxTimeMS") {
		full = append(full, bson.E{Key: "maxTimeMS", Value: n.o.MaxTime.Milliseconds()})
	}
	return full
}

func hasKey(d bson.D, key string) bool {
	for _, e := range d {
		if e.Key == key {
			return true
		}
	}
	return false
}

// kill closes a cursor the server left open. That it fails changes nothing:
// the server forgets idle cursors.
func (n *node) kill(ctx context.Context, db, coll string, id int64) {
	if id == 0 {
		return
	}
	cmd := bson.D{{Key: "killCursors", Value: coll}, {Key: "cursors", Value: bson.A{id}}}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer time.AfterFunc(partingTime, cancel).Stop()
	_, _ = n.once(ctx, db, cmd)
}

// unsupported: the server does not know the command, stage, field or option, or
// does not let us use it; another way of reading may do.
func unsupported(err error) bool { return errors.As(err, new(*serverError)) && !final(err) }
