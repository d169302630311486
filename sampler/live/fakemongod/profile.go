// Package fakemongod is an in-process server that speaks MongoDB's wire protocol
// over TCP and answers the read-only commands a sampler uses the way server
// generations and look-alikes do. It is for tests: it holds documents in memory,
// knows no queries but those, and can be told to fail.
package fakemongod

import "go.mongodb.org/mongo-driver/v2/bson"

// Support is how a server treats something it may be asked for.
type Support int

// The kinds of support.
const (
	Full    Support = iota
	Refused         // an error
	Ignored         // accepted without effect
)

// Stats is the shape of $collStats.
type Stats int

// The shapes.
const (
	StatsMongoDB  Stats = iota // a storageStats subdocument with wiredTiger
	StatsFlat                  // Amazon DocumentDB: at the top, without wiredTiger
	StatsNoEngine              // storageStats without wiredTiger
	StatsNone                  // no such stage
)

// Profile is a server generation.
type Profile struct {
	Name        string
	Version     string
	WireVersion int
	SetName     string // of the replica set; "" for a standalone
	Secondary   bool
	Mongos      bool

	Tokens    Support // $_requestResumeToken and $_resumeAfter
	StartAt   Support // $_startAt
	Natural   Support // hint on natural order
	RecordIDs Support // showRecordId; Ignored gives 0
	Sample    Support // $sample
	SortByID  Support // sort on _id
	Stats     Stats
	// Engine: serverStatus names WiredTiger and its cache.
	Engine bool
	// CommandLine: getCmdLineOpts is there.
	CommandLine bool
	BuildInfo   bson.D // more fields of buildInfo
	// Proxy refuses what is refused with Atlas' error.
	Proxy bool
}

func mongod(version string, wire int) Profile {
	return Profile{Name: version, Version: version, WireVersion: wire, SetName: "rs0", Secondary: true,
		Engine: true, CommandLine: true}
}

// V42 has no resume tokens, and is older than the driver takes.
func V42() Profile {
	p := mongod("4.2.25", 8)
	p.Tokens, p.StartAt = Refused, Refused
	return p
}

// V34 is older than OP_MSG.
func V34() Profile {
	p := mongod("3.4.24", 5)
	p.Tokens, p.StartAt = Refused, Refused
	return p
}

// V44 is the first with resume tokens; $_startAt is not to be relied on, nor is
// it before 7.0.26.
func V44() Profile {
	p := mongod("4.4.29", 9)
	p.StartAt = Refused
	return p
}

// V60 has clustered collections.
func V60() Profile {
	p := mongod("6.0.19", 17)
	p.StartAt = Refused
	return p
}

// V70 starts scans between documents.
func V70() Profile { return mongod("7.0.28", 21) }

// V80 is too early a release of its line for that.
func V80() Profile {
	p := mongod("8.0.4", 25)
	p.StartAt = Refused
	return p
}

// V82 starts scans between documents.
func V82() Profile { return mongod("8.2.2", 27) }

// Mongos is a router.
func Mongos() Profile {
	return Profile{Name: "mongos", Version: "7.0.28", WireVersion: 21, Mongos: true, Tokens: Refused, StartAt: Refused}
}

// Shared is like a shared tier of Atlas: a proxy refuses fields of find that are
// not for users, and what is about the server.
func Shared() Profile {
	p := mongod("8.0.15", 25)
	p.Name, p.Secondary, p.Proxy = "shared", true, true
	p.Tokens, p.StartAt, p.Engine, p.CommandLine = Refused, Refused, false, false
	return p
}

// DocumentDB is like Amazon's service.
func DocumentDB() Profile {
	return Profile{Name: "documentdb", Version: "5.0.0", WireVersion: 13, SetName: "rs0",
		Tokens: Refused, StartAt: Refused, Natural: Refused, RecordIDs: Ignored, Stats: StatsFlat}
}

// Cosmos is like Azure's request-unit service.
func Cosmos() Profile {
	return Profile{Name: "cosmos", Version: "7.0.0", WireVersion: 21, SetName: "globaldb",
		Tokens: Refused, StartAt: Refused, RecordIDs: Ignored, SortByID: Refused, Stats: StatsNone}
}

// All gives every profile.
func All() []Profile {
	return []Profile{V34(), V42(), V44(), V60(), V70(), V80(), V82(), Mongos(), Shared(), DocumentDB(), Cosmos()}
}
