package live

import (
	"context"
	"net/url"
	"time"

	"github.com/wtsize/wtsize/sampler"
)

// Options say which deployment is read, which of its collections, and how
// gently.
type Options struct {
	// URI is a mongodb:// or mongodb+srv:// connection string. TLS,
	// authentication mechanisms, read preference and its tags are the driver's.
	URI string
	// Params are options added to the URI, e.g. tls=true, readPreference=nearest.
	Params url.Values
	// Username, Password and AuthDatabase override those of the URI when set.
	Username, Password, AuthDatabase string

	// DB and Coll narrow the read to a database or collection; empty means
	// every one but the system's.
	DB, Coll string
	// Select chooses among the namespaces found; nil takes all.
	Select func(sampler.Namespace) bool

	// ShardURIs are members of the shards of one cluster, one URI each. They
	// inherit Username, Password, AuthDatabase and Params.
	ShardURIs []string
	// ViaRouter never connects to the shards that listShards names.
	ViaRouter bool

	// Rate bounds the bytes read per second; 0 does not.
	Rate int64
	// Timeout bounds the whole read; 0 does not.
	Timeout time.Duration
	// MaxTime is the maxTimeMS of each command; 0 means DefaultMaxTime.
	MaxTime time.Duration
	// Grace is how much longer than MaxTime a reply is awaited before the
	// connection counts as cut; 0 means DefaultGrace.
	Grace time.Duration

	// Progress is called after each run, from the reading goroutine.
	Progress func(Progress)
	// Env is the outside world; the zero value is the real one.
	Env Env
}

const (
	// DefaultMaxTime is far above the time a run of half a mebibyte takes and
	// far below what would trouble a server.
	DefaultMaxTime = 5 * time.Second
	DefaultGrace   = 10 * time.Second
	// cursorMaxTime bounds all the work of one open cursor: a server counts it
	// over the getMores and takes no maxTimeMS on those.
	cursorMaxTime = 10 * time.Minute
)

// Progress is how far a collection has been read.
type Progress struct {
	NS               sampler.Namespace
	Documents, Bytes int64 // read
	Goal             int64 // bytes to be read; 0 when not known
	// Paused is why reading waits; empty while it does not.
	Paused string
}

// Env is time, injectable.
type Env struct {
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

func (e Env) withDefaults() Env {
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Sleep == nil {
		e.Sleep = sleep
	}
	return e
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (o Options) withDefaults() Options {
	if o.MaxTime <= 0 {
		o.MaxTime = DefaultMaxTime
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	o.Env = o.Env.withDefaults()
	return o
}
