package namespace

import (
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler"
)

// BucketPrefix precedes the name of a time-series collection where its bucket
// documents are stored, up to server 8.2. mongo: src/mongo/db/namespace_string.h,
// kTimeseriesBucketsCollectionPrefix.
const BucketPrefix = "system.buckets."

// NotUsers says why ns is not a collection of the user's; "" when it is one. What
// the selection names in full is taken all the same, but for the oplog.
func (s Select) NotUsers(ns sampler.Namespace) string {
	switch {
	case IsOplog(ns):
		return "is an oplog: the history of writes, not a collection"
	case s.Coll != "" && s.Coll == ns.Coll:
	case strings.HasPrefix(ns.Coll, BucketPrefix) && len(ns.Coll) > len(BucketPrefix):
	case strings.HasPrefix(ns.Coll, "system."):
		return "is a system collection"
	case strings.HasPrefix(ns.Coll, "$"):
		return "is a system collection" // $admin.system.users, of --dumpDbUsersAndRoles
	}
	if internalDB(ns.DB) && !s.asksFor(ns.DB) {
		return "is in a database of the server's own"
	}
	return ""
}

// IsOplog: oplog.bson at the root of a dump ("" and "oplog"), and the oplog as
// a collection: local.oplog.rs, local.oplog.$main of master and slave times.
func IsOplog(ns sampler.Namespace) bool {
	return ns.DB == "" && ns.Coll == "oplog" ||
		(ns.DB == "" || ns.DB == "local") && (ns.Coll == "oplog.rs" || ns.Coll == "oplog.$main")
}

// OplogEntry: doc has the fields that every oplog entry has, of their types.
// mongo: src/mongo/db/repl/oplog_entry.idl.
func OplogEntry(doc bson.Raw) bool {
	for key, want := range map[string]bson.Type{"ts": bson.TypeTimestamp, "op": bson.TypeString, "ns": bson.TypeString, "o": bson.TypeEmbeddedDocument} {
		if v, err := doc.LookupErr(key); err != nil || v.Type != want {
			return false
		}
	}
	return true
}

func internalDB(db string) bool {
	return db == "admin" || db == "config" || db == "local" || strings.HasPrefix(db, "__mdb_internal_")
}
