// Package live reads a sample of the collections of a running deployment, in
// production, without leaving a trace beyond a few hundred small reads.
//
// The order of work:
//
//  1. Connect (dial.go). The connection string chooses a host, a secondary where
//     there is one; every further command goes to that host alone, over one
//     connection, because RecordIds and files differ from member to member.
//     Servers older than the driver takes are reached all the same (elder.go).
//
//  2. Ask what the server is (server.go) and which collections it holds
//     (discover.go). Every answer is optional; a missing one becomes a warning
//     that names the privilege it needs. The role read is enough.
//
//  3. For each collection, its figures (collstats.go) and the best way of reading
//     it that the server really supports (ladder.go). Ways are probed, not derived
//     from a version string; one that is refused gives way to the next:
//
//     runs              neighbours from uniformly drawn RecordIds   natural.go
//     runs-from-sample  the same, positions drawn by $sample        natural.go
//     clustered-ranges  ranges of a clustered collection's key      ranges.go
//     id-ranges         ranges of _id, where _id grows with time    ranges.go
//     single            single documents drawn by $sample           single.go
//     head              oldest and newest documents                 head.go
//
//  4. Read runs in natural order (deliver.go), one single-batch command each, under
//     a byte budget and a rate, waiting when the server shows strain (pace.go).
//
// A sharded cluster is read from a member of each shard where that is allowed
// (shards.go) and through the router otherwise.
//
// No error, warning or name that leaves this package holds a credential or a
// value of a document (redact.go, fault.go).
package live
