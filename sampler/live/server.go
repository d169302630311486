package live

import (
	"context"
	"net"
	"strconv"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// Products that speak the protocol, as they are named in a report.
const (
	productMongoDB = "MongoDB"
	productDocDB   = "Amazon DocumentDB"
	productCosmos  = "Azure Cosmos DB"
	productAzure   = "Azure DocumentDB"
	productFerret  = "FerretDB"
)

// server is what a deployment says about itself.
type server struct {
	sampler.Server
	version  version
	warnings []sampler.Warning
	// mayWatch: serverStatus answers with the state of the cache.
	mayWatch bool
}

// version is major, minor, patch.
type version [3]int

func parseVersion(s string) version {
	var v version
	s, _, _ = strings.Cut(s, "-")
	for i, part := range strings.SplitN(s, ".", 3) {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		v[i] = n
	}
	return v
}

func (v version) less(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

// startAt: $_startAt with a RecordId that does not exist starts at the next one.
// Fixed by SERVER-110161 in 7.0.26, 8.0.14 and 8.2.1 and in every later line.
func (v version) startAt() bool {
	switch {
	case v[0] == 7 && v[1] == 0:
		return v[2] >= 26
	case v[0] == 8 && v[1] == 0:
		return v[2] >= 14
	case v[0] == 8 && v[1] == 2:
		return v[2] >= 1
	}
	return !v.less(version{8, 3})
}

// ask collects the facts of the server n talks to. It fails only where nothing
// further can work.
func ask(ctx context.Context, n *node) (*server, error) {
	s := &server{}
	s.Host, s.Topology = n.host, topology(n.hello)
	build, err := n.command(ctx, "admin", bson.D{{Key: "buildInfo", Value: 1}})
	if err != nil && final(err) {
		return nil, err
	}
	s.Release = str(build, "version")
	s.version = parseVersion(s.Release)

	if n.old {
		s.warn("old-release", "release "+s.Release+" is older than the driver supports: it is read with the few commands that have not changed since")
	}
	var missing []string
	status, err := n.command(ctx, "admin", serverStatus())
	if err != nil {
		if final(err) {
			return nil, err
		}
		missing = append(missing, "the WiredTiger cache size (serverStatus)")
	}
	s.CacheBytes = cacheOf(status).max
	s.mayWatch = s.CacheBytes > 0
	s.Product = product(n.host, n.hello, build)
	if s.Product != productMongoDB {
		s.foreign()
		return s, nil
	}
	if n.hello.router() {
		return s, nil // options of the shards' processes are not a router's
	}
	line, err := n.command(ctx, "admin", bson.D{{Key: "getCmdLineOpts", Value: 1}})
	switch {
	case err == nil:
		s.takeOptions(doc(line, "parsed", "storage", "wiredTiger"))
	case final(err):
		return nil, err
	default:
		missing = append(missing, "the default compressor and the zstd level (getCmdLineOpts)")
	}
	s.note(missing, str(status, "storageEngine", "name"))
	return s, nil
}

// note warns of what could not be read and of another storage engine.
func (s *server) note(missing []string, engine string) {
	if len(missing) > 0 {
		s.warn("server-facts", strings.Join(missing, " and ")+" could not be read: the role clusterMonitor gives the right")
	}
	if engine != "" && engine != "wiredTiger" {
		s.warn("not-wiredtiger", "the server's storage engine is "+engine+": figures are those of the data under WiredTiger")
	}
}

// foreign notes that the product is not MongoDB.
func (s *server) foreign() {
	s.warn("not-wiredtiger", s.Product+" does not store with WiredTiger: figures are those of the data after a move to MongoDB")
}

func (s *server) warn(code, text string) {
	s.warnings = append(s.warnings, sampler.Warning{Code: code, Text: text})
}

// Defaults of options that are not on the command line. MongoDB:
// src/mongo/db/storage/wiredtiger/wiredtiger_global_options.idl.
const (
	defaultCompressor = "snappy"
	defaultZstdLevel  = 6
)

// takeOptions reads parsed.storage.wiredTiger, nil where nothing was set.
func (s *server) takeOptions(wt bson.Raw) {
	s.DefaultCompressor, s.ZstdLevel = defaultCompressor, defaultZstdLevel
	if c := str(wt, "collectionConfig", "blockCompressor"); c != "" {
		s.DefaultCompressor = c
	}
	if v, err := wt.LookupErr("engineConfig", "zstdCompressionLevel"); err == nil {
		if level, ok := number(v); ok {
			s.ZstdLevel = int(level)
		}
	}
}

func topology(h hello) string {
	switch {
	case h.router():
		return "sharded"
	case h.SetName != "":
		return "replset"
	}
	return "standalone"
}

// product tells servers apart by what they say and, where they say nothing, by
// the domain their makers serve them under.
func product(host string, h hello, build bson.Raw) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.ToLower(name)
	switch {
	case has(build, "ferretdbVersion") || has(build, "ferretdb"):
		return productFerret
	case strings.HasSuffix(name, ".mongocluster.cosmos.azure.com"), has(build, "documentdb_versions"):
		return productAzure
	case strings.HasSuffix(name, ".cosmos.azure.com"), h.SetName == "globaldb":
		return productCosmos
	case strings.Contains(name, ".docdb.") && strings.Contains(name, ".amazonaws.com"):
		return productDocDB
	}
	return productMongoDB
}

// serverStatus asks for the sections that are used and not for the dear ones.
func serverStatus() bson.D {
	cmd := bson.D{{Key: "serverStatus", Value: 1}}
	for _, section := range []string{"repl", "metrics", "locks", "tcmalloc", "opLatencies",
		"transactions", "network", "connections", "flowControl", "security", "sharding", "mirroredReads"} {
		cmd = append(cmd, bson.E{Key: section, Value: 0})
	}
	return cmd
}

func cacheOf(status bson.Raw) cache {
	c := doc(status, "wiredTiger", "cache")
	return cache{
		max:   integer(c, "maximum bytes configured"),
		used:  integer(c, "bytes currently in the cache"),
		dirty: integer(c, "tracked dirty bytes in the cache"),
	}
}
