package fakemongod

import (
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// answer runs one command.
func (s *Server) answer(c *conn, m message) bson.Raw {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := commandName(m.cmd)
	monitoring := m.legacy || (name == "hello" || name == "isMaster" || name == "ismaster") && m.cmd.Lookup("lsid").Type == 0
	if !monitoring {
		s.cmds = append(s.cmds, slices.Clone(m.cmd))
		if s.Before != nil {
			s.Before(s, name, m.cmd)
		}
	}
	reply := marshal(s.dispatch(c, name, m))
	if !monitoring {
		s.largest = max(s.largest, len(reply))
	}
	return reply
}

func (s *Server) dispatch(c *conn, name string, m message) bson.D {
	switch name {
	case "hello", "isMaster", "ismaster":
		return s.hello(m.cmd)
	case "saslStart":
		return s.sasl(c, m.cmd, true)
	case "saslContinue":
		return s.sasl(c, m.cmd, false)
	case "authenticate": // X.509: TLS has seen to the certificate
		c.known = true
		return ok()
	case "ping", "endSessions":
		return ok()
	}
	if s.users != nil && !c.known {
		return failure(13, "", "command "+name+" requires authentication")
	}
	switch name {
	case "buildInfo":
		return append(bson.D{{Key: "version", Value: s.Profile.Version}}, append(s.Profile.BuildInfo, ok()...)...)
	case "serverStatus":
		return s.status()
	case "getCmdLineOpts":
		if s.Profile.Proxy {
			return failure(8000, "AtlasError", "(Unauthorized) not authorized on admin to execute command { getCmdLineOpts: 1 }")
		}
		if !s.Profile.CommandLine {
			return notFound(name)
		}
		return append(bson.D{{Key: "argv", Value: bson.A{}}, {Key: "parsed", Value: orEmpty(s.Options)}}, ok()...)
	case "getParameter":
		return append(bson.D{{Key: "minSnapshotHistoryWindowInSeconds", Value: int32(300)}}, ok()...)
	case "listShards":
		return s.listShards()
	case "listDatabases":
		return s.listDatabases()
	case "listCollections":
		return s.first(m.db, "$cmd.listCollections", filterNames(m.cmd, s.listCollections(m.db)))
	}
	return s.onCollection(name, m)
}

func (s *Server) onCollection(name string, m message) bson.D {
	coll, _ := m.cmd.Lookup(name).StringValueOK()
	c := s.collection(m.db, coll)
	switch name {
	case "listIndexes":
		if c == nil {
			return failure(26, "", "ns does not exist: "+m.db+"."+coll)
		}
		return s.first(m.db, "$cmd.listIndexes."+coll, c.listIndexes())
	case "count":
		n := int64(0)
		if c != nil {
			n = c.count()
		}
		return append(bson.D{{Key: "n", Value: n}}, ok()...)
	case "aggregate":
		return s.aggregate(m.db, coll, c, m.cmd)
	case "find":
		return s.find(m.db, coll, c, m.cmd)
	case "getMore":
		return s.getMore(m.cmd)
	case "killCursors":
		return s.killCursors(m.cmd)
	}
	return notFound(name)
}

func ok() bson.D { return bson.D{{Key: "ok", Value: 1.0}} }

func notFound(name string) bson.D { return failure(59, "", "no such command: '"+name+"'") }

func orEmpty(d bson.D) bson.D {
	if d == nil {
		return bson.D{}
	}
	return d
}

func (s *Server) hello(cmd bson.Raw) bson.D {
	p := s.Profile
	d := bson.D{{Key: "isWritablePrimary", Value: !p.Secondary}, {Key: "ismaster", Value: !p.Secondary},
		{Key: "helloOk", Value: true},
		{Key: "maxBsonObjectSize", Value: int32(16 << 20)}, {Key: "maxMessageSizeBytes", Value: int32(maxMessage)},
		{Key: "maxWriteBatchSize", Value: int32(100000)}, {Key: "logicalSessionTimeoutMinutes", Value: int32(30)},
		{Key: "minWireVersion", Value: int32(0)}, {Key: "maxWireVersion", Value: int32(p.WireVersion)}}
	if p.Mongos {
		d = append(d, bson.E{Key: "msg", Value: "isdbgrid"})
	}
	if p.SetName != "" {
		me, members := s.Me, s.Members
		if me == "" {
			me = s.Host
		}
		if members == nil {
			members = []string{s.Host}
		}
		d = append(d, bson.E{Key: "setName", Value: p.SetName}, bson.E{Key: "secondary", Value: p.Secondary},
			bson.E{Key: "me", Value: me}, bson.E{Key: "hosts", Value: members})
	}
	if s.users != nil && cmd.Lookup("saslSupportedMechs").Type != 0 {
		d = append(d, bson.E{Key: "saslSupportedMechs", Value: bson.A{"SCRAM-SHA-256"}})
	}
	return append(d, ok()...)
}

func (s *Server) status() bson.D {
	d := bson.D{{Key: "host", Value: s.Host}, {Key: "version", Value: s.Profile.Version}}
	if s.Profile.Engine {
		most, used, dirty := int64(1<<30), int64(100<<20), int64(1<<20)
		if s.Status != nil {
			most, used, dirty = s.Status()
		}
		d = append(d, bson.E{Key: "storageEngine", Value: bson.D{{Key: "name", Value: "wiredTiger"}}},
			bson.E{Key: "wiredTiger", Value: bson.D{{Key: "cache", Value: bson.D{
				{Key: "maximum bytes configured", Value: most},
				{Key: "bytes currently in the cache", Value: used},
				{Key: "tracked dirty bytes in the cache", Value: dirty}}}}})
	}
	return append(d, ok()...)
}

func (s *Server) listShards() bson.D {
	if !s.Profile.Mongos {
		return notFound("listShards")
	}
	list := bson.A{}
	for _, h := range s.Shards {
		set, _, _ := strings.Cut(h, "/")
		list = append(list, bson.D{{Key: "_id", Value: set}, {Key: "host", Value: h}, {Key: "state", Value: int32(1)}})
	}
	return append(bson.D{{Key: "shards", Value: list}}, ok()...)
}

func (s *Server) listDatabases() bson.D {
	list := bson.A{}
	for _, d := range s.dbs {
		list = append(list, bson.D{{Key: "name", Value: d.Name}})
	}
	return append(bson.D{{Key: "databases", Value: list}}, ok()...)
}

// filterNames applies {name: {$in: [...]}}.
func filterNames(cmd bson.Raw, docs []bson.D) []bson.D {
	v, err := cmd.LookupErr("filter", "name", "$in")
	if err != nil {
		return docs
	}
	values, err := v.Array().Values()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(docs, func(d bson.D) bool {
		return !slices.ContainsFunc(values, func(v bson.RawValue) bool { return v.StringValue() == d[0].Value })
	})
}

func (c *Collection) listIndexes() []bson.D {
	var list []bson.D
	if c.Clustered {
		list = append(list, bson.D{{Key: "v", Value: int32(2)}, {Key: "key", Value: bson.D{{Key: "_id", Value: int32(1)}}},
			{Key: "name", Value: "_id_"}, {Key: "clustered", Value: true}})
	} else {
		list = append(list, bson.D{{Key: "v", Value: int32(2)}, {Key: "key", Value: bson.D{{Key: "_id", Value: int32(1)}}}, {Key: "name", Value: "_id_"}})
	}
	return append(list, c.Indexes...)
}
