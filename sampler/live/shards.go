package live

import (
	"context"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/wtsize/wtsize/sampler"
)

// joinShards connects to a member of each shard: of those named, which must
// work, or of those listShards names, which may.
func (se *session) joinShards(ctx context.Context) error {
	if len(se.s.parts) > 0 {
		for i, d := range se.s.parts {
			if i == 0 && se.s.main == nil {
				se.shards = append(se.shards, member{se.front, se.server})
				continue
			}
			m, err := d.join(ctx)
			if err != nil {
				return err
			}
			se.shards = append(se.shards, m)
		}
		return nil
	}
	if !se.front.hello.router() || se.s.o.ViaRouter || se.server.Product != productMongoDB {
		return nil
	}
	hosts, err := se.shardHosts(ctx)
	if err == nil {
		err = se.joinAll(ctx, hosts)
	}
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		se.warnings = append(se.warnings, sampler.Warning{Code: "router",
			Text: "read through a router, since the shards cannot be read directly (" + short(err) + "): name a member of each with --shard-uri"})
	}
	return nil
}

// leaveShards gives up reading shards directly after one went away, if there is
// a router to read through.
func (se *session) leaveShards(ctx context.Context, err error) bool {
	if ifFinal(err) == nil || ctx.Err() != nil || len(se.shards) == 0 || se.s.main == nil {
		return false
	}
	for _, m := range se.shards {
		m.n.close()
	}
	se.shards = nil
	se.warnings = append(se.warnings, sampler.Warning{Code: "router",
		Text: "read through the router, since a shard went away (" + short(err) + ")"})
	return true
}

// shardHosts gives each shard's "set/host,host", as listShards has it.
func (se *session) shardHosts(ctx context.Context) ([]string, error) {
	reply, err := se.front.command(ctx, "admin", bson.D{{Key: "listShards", Value: 1}})
	if err != nil {
		return nil, err
	}
	list, ok := reply.Lookup("shards").ArrayOK()
	if !ok {
		return nil, refuse("listShards gave no list")
	}
	values, err := list.Values()
	if err != nil {
		return nil, refuse("listShards gave no list")
	}
	var hosts []string
	for _, v := range values {
		d, _ := v.DocumentOK()
		if h := str(d, "host"); h != "" {
			hosts = append(hosts, h)
		}
	}
	if len(hosts) == 0 {
		return nil, refuse("listShards names no shard")
	}
	return hosts, nil
}

func (se *session) joinAll(ctx context.Context, hosts []string) error {
	var joined []member
	for _, h := range hosts {
		m, err := se.s.main.shard(h).join(ctx)
		if err != nil {
			for _, m := range joined {
				m.n.close()
			}
			return err
		}
		joined = append(joined, m)
	}
	se.shards = joined
	return nil
}

// shard is a dialer for one shard with the manners and credentials of d.
func (d *dialer) shard(host string) *dialer {
	set, list, ok := strings.Cut(host, "/")
	if !ok {
		set, list = "", host
	}
	o := direct(d.opts, "")
	o.Direct = nil
	o.SetHosts(strings.Split(list, ","))
	if t := o.ServerSelectionTimeout; t == nil || *t > selectionTimeout {
		o.SetServerSelectionTimeout(selectionTimeout)
	}
	if set != "" {
		o.SetReplicaSet(set)
	}
	o.ReadPreference = d.opts.ReadPreference
	c := *d
	c.opts, c.name = options.MergeClientOptions(o), list
	return &c
}
