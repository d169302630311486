package live

import (
	"context"
	"errors"
	"time"

	"github.com/wtsize/wtsize/sampler"
)

// Source reads a running deployment. It implements sampler.Source.
type Source struct {
	o     Options
	main  *dialer   // nil when only shards were named
	parts []*dialer // --shard-uri
	usage *Usage
}

var _ sampler.Source = (*Source)(nil)

// Open checks the connection strings; it connects to nothing, but looks up SRV
// records. The error is a *sampler.Fault without credentials.
func Open(o Options) (*Source, error) {
	o = o.withDefaults()
	s := &Source{o: o, usage: &Usage{}}
	scrub := newScrubber(o)
	if o.URI == "" && len(o.ShardURIs) == 0 {
		return nil, &sampler.Fault{Source: "live", Offset: -1, Why: "no connection string given", Hint: "use --uri"}
	}
	var err error
	if o.URI != "" {
		if s.main, err = newDialer(o.URI, o, scrub, s.usage); err != nil {
			return nil, err
		}
	}
	for _, uri := range o.ShardURIs {
		d, err := newDialer(uri, o, scrub, s.usage)
		if err != nil {
			return nil, err
		}
		s.parts = append(s.parts, d)
	}
	return s, nil
}

// Kind is live.
func (s *Source) Kind() string { return "live" }

// Name is the connection string's scheme and hosts.
func (s *Source) Name() string {
	if s.main != nil {
		return s.main.name
	}
	return s.parts[0].name
}

// Usage is what reading has asked of the servers so far.
func (s *Source) Usage() *Usage { return s.usage }

// errTimeUp is the cause of a context that ended by Options.Timeout.
var errTimeUp = errors.New("the time limit was reached")

// Read visits the collections chosen, one after the other, in the order the
// server lists them. After Ctrl-C, a lost connection or expired credentials the
// collection being read ends with a fault, the ones after it are skipped with
// one, and the error is non-nil; at the time limit it is nil.
func (s *Source) Read(ctx context.Context, b sampler.Budget, v sampler.Visitor) error {
	if s.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.o.Timeout, errTimeUp)
		defer cancel()
	}
	se, l, err := s.begin(ctx)
	if err != nil {
		return stopped(ctx, s.Name(), sampler.Namespace{}, err)
	}
	defer se.close()
	for _, skip := range l.skipped {
		v.Skip(skip.ns, skip.fault)
	}
	for i, t := range l.targets {
		err := se.visit(ctx, t, withDefaults(b), v)
		if err == nil {
			continue
		}
		if isSink(err) {
			return err
		}
		f := stopped(ctx, se.front.host, t.ns, err)
		for _, t := range l.targets[i+1:] {
			v.Skip(t.ns, &sampler.Fault{Source: f.Source, NS: t.ns.String(), Offset: -1, Why: "not read: " + f.Why, Hint: f.Hint})
		}
		if context.Cause(ctx) == errTimeUp {
			return nil
		}
		return f
	}
	return nil
}

// stopped is err as a fault, with our own stops told from the servers' failures.
func stopped(ctx context.Context, host string, ns sampler.Namespace, err error) *sampler.Fault {
	f := fault(host, ns, err)
	if ctx.Err() == nil {
		return f
	}
	f = &sampler.Fault{Source: f.Source, NS: f.NS, Offset: -1, Why: "interrupted", Err: ctx.Err()}
	if context.Cause(ctx) == errTimeUp {
		f.Why, f.Hint, f.Err = errTimeUp.Error(), "raise --timeout, or read less with --sample", context.DeadlineExceeded
	}
	return f
}

// defaultRunBytes is four of the largest leaf images a table has (128 KiB), so
// that the partial pages at a run's ends weigh little.
const defaultRunBytes = 512 << 10

func withDefaults(b sampler.Budget) sampler.Budget {
	if b.RunBytes <= 0 {
		b.RunBytes = defaultRunBytes
	}
	b.Bytes = max(b.Bytes, 0)
	return b
}

// session is a deployment connected to.
type session struct {
	s      *Source
	front  *node   // where collections are listed
	server *server // of front
	// shards are read directly in front's place; empty where there are none or
	// they may not be reached.
	shards   []member
	warnings []sampler.Warning
}

type member struct {
	n *node
	s *server
}

func (se *session) close() {
	se.front.close()
	for _, m := range se.shards {
		if m.n != se.front {
			m.n.close()
		}
	}
}

// begin connects and lists.
func (s *Source) begin(ctx context.Context) (*session, *listed, error) {
	d := s.main
	if d == nil {
		d = s.parts[0]
	}
	m, err := d.join(ctx)
	if err != nil {
		return nil, nil, err
	}
	se := &session{s: s, front: m.n, server: m.s}
	if err := se.joinShards(ctx); err != nil {
		se.close()
		return nil, nil, err
	}
	l, err := se.list(ctx)
	if err != nil {
		se.close()
		return nil, nil, err
	}
	return se, l, nil
}

// join connects to one member and asks it what it is.
func (d *dialer) join(ctx context.Context) (member, error) {
	n, err := d.dial(ctx)
	if err != nil {
		return member{}, err
	}
	n.redial = d.dial
	s, err := ask(ctx, n)
	if err != nil {
		n.close()
		return member{}, fault(n.host, sampler.Namespace{}, err)
	}
	return member{n, s}, nil
}

// list discovers the collections, on every shard where no router was named.
func (se *session) list(ctx context.Context) (*listed, error) {
	l, err := discover(ctx, se.front, se.s.o)
	if err != nil || se.s.main != nil {
		return l, err
	}
	seen := map[sampler.Namespace]bool{}
	for _, t := range l.targets {
		seen[t.ns] = true
	}
	for _, m := range se.shards[1:] {
		more, err := discover(ctx, m.n, se.s.o)
		if err != nil {
			return nil, err
		}
		for _, t := range more.targets {
			if !seen[t.ns] {
				seen[t.ns] = true
				l.targets = append(l.targets, t)
			}
		}
	}
	l.dropFound(seen)
	return l, nil
}

// dropFound forgets "no such collection" where another shard has it.
func (l *listed) dropFound(seen map[sampler.Namespace]bool) {
	kept := l.skipped[:0]
	for _, s := range l.skipped {
		if !seen[s.ns] {
			kept = append(kept, s)
		}
	}
	l.skipped = kept
}

// selectionTimeout bounds the search for a shard's member: a shard that cannot
// be reached from here is read through the router.
const selectionTimeout = 5 * time.Second
