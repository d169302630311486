// Package dump reads what mongodump writes, and opens every other kind of file.
//
// Open looks at the bytes and gives the Source for them: a .bson file (File), a
// dump directory (Dir), or, from the packages archive and export, an archive, a
// mongoexport file or a sample. Each may be compressed, and come from a pipe.
//
//	<root>/prelude.json                 server and tool version, 100.12+
//	<root>/oplog.bson                   writes during the dump; never a collection
//	<root>/<db>/<coll>.bson             documents, one after the other, nothing else
//	<root>/<db>/<coll>.metadata.json    options and indexes; alone, it is a view
//	<root>/<db>/system.buckets.<X>.bson the data of time-series collection X
//
// Any of these may end in .gz. Names are URL-escaped, and shortened with a hash
// where too long. mongo-tools: mongodump/mongodump.go, mongodump/prepare.go.
//
// A plain .bson file can be read in part: see File and its runs.
package dump
