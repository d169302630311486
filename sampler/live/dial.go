package live

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"github.com/wtsize/wtsize/sampler"
)

// hello is what a server says when greeted.
// MongoDB: src/mongo/db/repl/replication_info.cpp, CmdHello.
type hello struct {
	Me, SetName, Msg string
	Hosts            []string
	Secondary        bool
	Primary          bool
}

func (h hello) router() bool { return h.Msg == "isdbgrid" }

// dialer connects to the deployment of one connection string.
type dialer struct {
	opts    *options.ClientOptions
	name    string // the string, redacted
	scrub   scrubber
	options Options
	usage   *Usage
	// old: the deployment is older than the driver takes.
	old bool
}

func newDialer(uri string, o Options, scrub scrubber, usage *Usage) (*dialer, error) {
	opts, err := clientOptions(uri, o)
	if err != nil {
		return nil, err
	}
	return &dialer{opts: opts, name: RedactURI(uri), scrub: scrub, options: o, usage: usage}, nil
}

// dial chooses a member by read preference, secondaryPreferred unless the
// string says otherwise, and returns a node that talks to that member alone.
func (d *dialer) dial(ctx context.Context) (*node, error) {
	rp := d.opts.ReadPreference
	if rp == nil {
		rp = readpref.SecondaryPreferred()
	}
	chooser, err := d.open(ctx, d.opts, rp)
	if e := (*serverError)(nil); errors.As(err, &e) && e.Old && !d.old {
		d.opts, d.old = elder(d.opts), true
		chooser, err = d.open(ctx, d.opts, rp)
	}
	if err != nil {
		return nil, d.fault(err)
	}
	if !d.mustPin(chooser) {
		return chooser, nil
	}
	if d.opts.ReadPreference == nil && chooser.hello.Primary && len(chooser.hello.Hosts) > 1 {
		chooser.seekSecondary(ctx)
	}
	chooser.close() // one connection at a time
	o := direct(d.opts, chooser.host)
	if set := chooser.hello.SetName; set != "" {
		o.SetReplicaSet(set) // a stranger at this address later is not taken for it
	}
	pinned, err := d.open(ctx, o, rp)
	if err != nil {
		return nil, d.fault(err)
	}
	if pinned.hello.Me != chooser.hello.Me {
		pinned.close()
		return nil, &sampler.Fault{Source: d.name, Offset: -1,
			Why:  "the address " + chooser.host + " leads to another member each time",
			Hint: "connect to one member with directConnection=true"}
	}
	return pinned, nil
}

// secondaryWait is how long to look for a secondary once a primary is known: the
// driver takes the first member that answers.
const secondaryWait = 2 * time.Second

// seekSecondary turns n to a secondary, if one is to be found.
func (n *node) seekSecondary(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer time.AfterFunc(secondaryWait, cancel).Stop()
	was := n.prefer
	defer func() { n.prefer = was }()
	n.prefer = readpref.Secondary()
	reply, err := n.once(ctx, "admin", bson.D{{Key: "hello", Value: 1}})
	if err == nil {
		n.hello = parseHello(reply)
		n.host = n.answered()
	}
}

// mustPin: the driver could send the next command elsewhere.
func (d *dialer) mustPin(n *node) bool {
	if d.opts.Direct != nil && *d.opts.Direct || d.opts.LoadBalanced != nil && *d.opts.LoadBalanced {
		return false
	}
	return n.host != "" && (n.hello.SetName != "" || len(d.opts.Hosts) > 1)
}

// open makes a client and greets the server it selects.
func (d *dialer) open(ctx context.Context, opts *options.ClientOptions, rp *readpref.ReadPref) (*node, error) {
	var last atomic.Value
	o := *opts
	o.Monitor = &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		last.Store(address(e.ConnectionID))
	}}
	client, err := mongo.Connect(&o)
	if err != nil {
		return nil, &sampler.Fault{Source: d.name, Offset: -1, Why: "cannot connect: " + d.scrub.text(clip(err.Error())),
			Hint: "check the options of the connection string"}
	}
	n := newNode(client, d.name, d.scrub, d.options, d.usage)
	n.prefer = rp
	n.answered = func() string {
		host, _ := last.Load().(string)
		return host
	}
	// Not repeated: choosing a server has patience of its own.
	reply, failed := n.once(ctx, "admin", bson.D{{Key: "hello", Value: 1}})
	if failed != nil && failed.Code == codeCommandNotFound {
		reply, failed = n.once(ctx, "admin", bson.D{{Key: "isMaster", Value: 1}})
	}
	if failed != nil {
		n.close()
		return nil, failed
	}
	n.old = d.old
	n.hello = parseHello(reply)
	if h := n.answered(); h != "" {
		n.host = h
	}
	return n, nil
}

// fault is why connecting failed.
func (d *dialer) fault(err error) *sampler.Fault {
	f := fault(d.name, sampler.Namespace{}, err)
	f.Source = d.name
	if e := (*serverError)(nil); errors.As(err, &e) {
		f.Why = "cannot connect: " + e.Text
	}
	return f
}

// direct are options for one member, with everything that is about how to
// connect and nothing about where.
func direct(o *options.ClientOptions, host string) *options.ClientOptions {
	d := options.Client().SetHosts([]string{host}).SetDirect(true)
	d.AppName, d.Auth, d.ConnectTimeout, d.Compressors = o.AppName, o.Auth, o.ConnectTimeout, o.Compressors
	d.Dialer, d.HTTPClient, d.Registry = o.Dialer, o.HTTPClient, o.Registry
	d.DisableCertificateRevocationCheck, d.DisableOCSPEndpointCheck = o.DisableCertificateRevocationCheck, o.DisableOCSPEndpointCheck
	d.MaxPoolSize, d.MinPoolSize, d.MaxConnecting = o.MaxPoolSize, o.MinPoolSize, o.MaxConnecting
	d.ServerAPIOptions, d.ServerMonitoringMode = o.ServerAPIOptions, o.ServerMonitoringMode
	d.ServerSelectionTimeout, d.TLSConfig = o.ServerSelectionTimeout, o.TLSConfig
	d.RetryReads, d.RetryWrites, d.ZlibLevel, d.ZstdLevel = o.RetryReads, o.RetryWrites, o.ZlibLevel, o.ZstdLevel
	d.HeartbeatInterval = o.HeartbeatInterval
	return d
}

// address is the host:port of a driver's connection id, "host:port[-7]".
func address(id string) string {
	if i := strings.LastIndexByte(id, '['); i > 0 {
		return id[:i]
	}
	return id
}

func parseHello(r bson.Raw) hello {
	h := hello{Me: str(r, "me"), SetName: str(r, "setName"), Msg: str(r, "msg"),
		Secondary: boolean(r, "secondary"),
		Primary:   boolean(r, "isWritablePrimary") || boolean(r, "ismaster")}
	if a, ok := r.Lookup("hosts").ArrayOK(); ok {
		values, err := a.Values()
		if err != nil {
			return h
		}
		for _, v := range values {
			if s, ok := v.StringValueOK(); ok {
				h.Hosts = append(h.Hosts, s)
			}
		}
	}
	return h
}
