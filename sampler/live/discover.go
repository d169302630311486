package live

import (
	"context"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// target is a collection to be read, and how a server addresses it.
type target struct {
	ns sampler.Namespace
	// coll is the name in commands: the buckets of a time series have their own.
	coll string
	// raw: commands carry rawData, so that a time series answers with buckets.
	raw  bool
	kind sampler.Type
	// info is the listCollections document, nil when it could not be had.
	info     bson.Raw
	warnings []sampler.Warning
}

func (t *target) warn(code, text string) {
	t.warnings = append(t.warnings, sampler.Warning{Code: code, Text: text})
}

func (t *target) options() bson.Raw { return doc(t.info, "options") }

// oplog is a collection without _id whose RecordIds are timestamps.
func (t *target) oplog() bool {
	return t.ns.DB == "local" && (strings.HasPrefix(t.ns.Coll, "oplog."))
}

func (t *target) clustered() bool {
	return t.kind == sampler.Clustered || t.kind == sampler.TimeSeries
}

// encrypted: Queryable Encryption, or one of its state collections.
func (t *target) encrypted() bool {
	return has(t.options(), "encryptedFields") || strings.HasPrefix(t.ns.Coll, "enxcol_.")
}

const bucketsPrefix = "system.buckets."

// listed is what a deployment holds of what was asked for.
type listed struct {
	targets []*target
	skipped []skip
}

type skip struct {
	ns    sampler.Namespace
	fault *sampler.Fault
}

func (l *listed) refuse(host string, ns sampler.Namespace, why, hint string) {
	l.skipped = append(l.skipped, skip{ns, &sampler.Fault{Source: host, NS: ns.String(), Offset: -1, Why: why, Hint: hint}})
}

// discover lists the collections chosen by o.
func discover(ctx context.Context, n *node, o Options) (*listed, error) {
	dbs := []string{o.DB}
	if o.DB == "" {
		var err error
		if dbs, err = databases(ctx, n); err != nil {
			return nil, err
		}
	}
	l := &listed{}
	for _, db := range dbs {
		infos, err := collections(ctx, n, db, o.Coll)
		if err != nil {
			if final(err) || o.DB != "" && o.Coll == "" {
				return nil, fault(n.host, sampler.Namespace{DB: db}, err)
			}
			if o.DB != "" {
				l.targets = append(l.targets, unlisted(db, o.Coll, err))
				continue
			}
			l.skipped = append(l.skipped, skip{sampler.Namespace{DB: db}, fault(n.host, sampler.Namespace{DB: db}, err)})
			continue
		}
		l.sort(n.host, db, infos, o)
	}
	if o.DB == "" && o.Coll != "" && len(l.targets)+len(l.skipped) == 0 {
		l.refuse(n.host, sampler.Namespace{Coll: o.Coll}, "no database has such a collection", "check --coll; names are case-sensitive")
	}
	return l, nil
}

// databases lists what the user may see, without the system's.
func databases(ctx context.Context, n *node) ([]string, error) {
	reply, err := n.command(ctx, "admin", bson.D{{Key: "listDatabases", Value: 1},
		{Key: "nameOnly", Value: true}, {Key: "authorizedDatabases", Value: true}})
	if err != nil {
		f := fault(n.host, sampler.Namespace{}, err)
		if codeOf(err) == codeUnauthorized {
			f.Hint = "name a database with --db, or grant readAnyDatabase"
		}
		return nil, f
	}
	values, err := reply.Lookup("databases").Array().Values()
	if err != nil {
		return nil, &sampler.Fault{Source: n.host, Offset: -1, Why: "listDatabases gave no list"}
	}
	var names []string
	for _, v := range values {
		d, _ := v.DocumentOK()
		switch name := str(d, "name"); name {
		case "", "admin", "config", "local":
		default:
			names = append(names, name)
		}
	}
	return names, nil
}

// collections gives the listCollections documents of a database, of one
// collection (and its buckets) where coll is set.
func collections(ctx context.Context, n *node, db, coll string) ([]bson.Raw, error) {
	filter := bson.D{}
	if coll != "" {
		filter = bson.D{{Key: "name", Value: bson.D{{Key: "$in", Value: bson.A{coll, bucketsPrefix + coll}}}}}
	}
	cmd := bson.D{{Key: "listCollections", Value: 1}, {Key: "filter", Value: filter},
		{Key: "cursor", Value: bson.D{}}}
	infos, err := n.drain(ctx, db, "$cmd.listCollections", cmd)
	if codeOf(err) == codeUnauthorized {
		cmd = append(cmd, bson.E{Key: "nameOnly", Value: true}, bson.E{Key: "authorizedCollections", Value: true})
		infos, err = n.drain(ctx, db, "$cmd.listCollections", cmd)
	}
	return infos, err
}

// drain reads a cursor over metadata to its end.
func (n *node) drain(ctx context.Context, db, coll string, cmd bson.D) ([]bson.Raw, error) {
	reply, err := n.command(ctx, db, cmd)
	var all []bson.Raw
	for {
		if err != nil {
			return nil, err
		}
		docs, bad := batch(reply)
		if bad != nil {
			return nil, &sampler.Fault{Source: n.host, Offset: -1, Why: cmd[0].Key + " gave no list"}
		}
		all = append(all, docs...)
		id := integer(reply, "cursor", "id")
		if id == 0 {
			return all, nil
		}
		reply, err = n.command(ctx, db, bson.D{{Key: "getMore", Value: id}, {Key: "collection", Value: coll}})
	}
}

// sort makes targets of collections and refuses what holds no documents.
func (l *listed) sort(host, db string, infos []bson.Raw, o Options) {
	buckets := map[string]bson.Raw{}
	series := map[string]bool{}
	for _, info := range infos {
		name := str(info, "name")
		if rest, ok := strings.CutPrefix(name, bucketsPrefix); ok {
			buckets[rest] = info
		} else if kindOf(info) == sampler.TimeSeries {
			series[name] = true
		}
	}
	found := false
	for _, info := range infos {
		name := str(info, "name")
		ns := sampler.Namespace{DB: db, Coll: name}
		if rest, ok := strings.CutPrefix(name, bucketsPrefix); ok && series[rest] || name == "" {
			continue
		}
		if strings.HasPrefix(name, "system.") && name != o.Coll && !strings.HasPrefix(name, bucketsPrefix) {
			continue
		}
		if o.Coll != "" && name != o.Coll || o.Select != nil && !o.Select(ns) {
			continue
		}
		found = true
		l.add(host, ns, info, buckets[name], o)
	}
	if o.Coll != "" && o.DB != "" && !found {
		l.refuse(host, sampler.Namespace{DB: db, Coll: o.Coll}, "there is no such collection", "check --db and --coll; names are case-sensitive")
	}
}

func (l *listed) add(host string, ns sampler.Namespace, info, buckets bson.Raw, o Options) {
	t := &target{ns: ns, coll: ns.Coll, kind: kindOf(info), info: info}
	switch {
	case t.kind == sampler.View:
		l.refuse(host, ns, "a view holds no documents of its own",
			fmt.Sprintf("size the collection it is defined on, %q", str(info, "options", "viewOn")))
		l.skipped[len(l.skipped)-1].fault.Expected = o.Coll == ""
		return
	case strings.HasPrefix(ns.Coll, bucketsPrefix):
		t.kind = sampler.TimeSeries // asked for by its own name, or left without a view
	case t.kind == sampler.TimeSeries && buckets != nil:
		t.coll = bucketsPrefix + ns.Coll
	case t.kind == sampler.TimeSeries:
		// No namespace for buckets: either it may not be listed, or this is
		// 8.3 or newer, where rawData makes a time series answer with buckets.
		t.coll, t.raw = ns.Coll, true
	}
	if t.encrypted() {
		t.warn("encrypted", "documents are encrypted: fields under Queryable Encryption hardly compress, and the server hides what the collection is stored with")
	}
	if t.oplog() {
		t.warn("oplog", "the oplog is trimmed all the time: its file keeps the size it once had")
	}
	l.targets = append(l.targets, t)
}

// unlisted is a collection that was named and cannot be listed.
func unlisted(db, coll string, err error) *target {
	t := &target{ns: sampler.Namespace{DB: db, Coll: coll}, coll: coll, kind: sampler.Plain}
	t.warn("no-options", "options of the collection are not known ("+reason(err)+"): the role read gives the right")
	return t
}

// reason is an error in a few words.
func reason(err error) string {
	f := fault("", sampler.Namespace{}, err)
	return f.Why
}

// kindOf reads a listCollections document; names alone tell nothing.
func kindOf(info bson.Raw) sampler.Type {
	switch {
	case str(info, "type") == "view":
		return sampler.View
	case str(info, "type") == "timeseries", has(info, "options", "timeseries"):
		return sampler.TimeSeries
	case has(info, "options", "clusteredIndex"):
		return sampler.Clustered
	case boolean(info, "options", "capped"):
		return sampler.Capped
	}
	return sampler.Plain
}
