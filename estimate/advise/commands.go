package advise

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// commands are what puts a change into effect: several ways, each begun by a
// comment that says what it needs, then the lines to run or to set.
func (v verdict) commands() []string {
	c := []string{
		"// A file keeps the compressor it was created with: collMod does not change it, and",
		"// server settings reach only collections created, and pages written, afterwards.",
	}
	if v.in.DB == "" {
		v.in.DB = unnamed
		c = append(c, "// Put the database's name, which a single file does not say, in the place of "+unnamed+".")
	}
	if v.now.Compressor == v.to.Compressor {
		return append(c, v.newLevel()...)
	}
	if v.to.Level != v.in.levelInUse(v.to.Compressor) {
		c = append(c, v.newLevel()...)
	}
	if v.outWorks() {
		c = append(c, v.rebuild()...)
	}
	c = append(c, v.restore()...)
	return append(c, v.initialSync()...)
}

// unnamed stands for a database whose name is not known.
const unnamed = "DATABASE"

// newLevel sets the zstd level, which belongs to the server and not to a collection.
func (v verdict) newLevel() []string {
	return []string{
		"// In mongod.conf of every member, then restart it (the level is the server's, it holds for all",
		"// zstd collections and for pages written from then on; an initial sync rewrites all pages):",
		fmt.Sprintf("storage.wiredTiger.engineConfig.zstdCompressionLevel: %d", v.to.Level),
	}
}

// suffix of the collection that $out fills.
const suffix = "_recompressed"

// outWorks tells whether $out can write the collection. mongosh cannot be given
// a name of broken UTF-8.
func (v verdict) outWorks() bool {
	c := v.in.Collection
	return !c.Capped && !c.Sharded && !c.TimeSeries && utf8.ValidString(v.in.DB+v.in.Coll)
}

// rebuild copies with $out. $out creates its result with the options of the
// collection that it replaces (MongoDB: src/mongo/db/pipeline/
// document_source_out.cpp, createTemporaryCollection), so an empty collection with the
// new compressor is made first. The indexes are built afterwards, in bulk.
func (v verdict) rebuild() []string {
	need := size(float64(v.to.High + v.in.IndexBytes))
	old, packed := quoteJS(v.in.Coll), quoteJS(v.in.Coll+suffix)
	return []string{
		"// By $out in mongosh, with writes to the collection stopped. Until the rename both copies exist: " + need + " of free disk.",
		"use(" + quoteJS(v.in.DB) + ")",
		fmt.Sprintf("db.createCollection(%s, %s)", packed, createOptions(v.in.Collection.Options, v.to.Compressor)),
		fmt.Sprintf("db.getCollection(%s).aggregate([{$out: %s}])", old, packed),
		fmt.Sprintf("db.getCollection(%s).getIndexes().filter(i => i.name !== \"_id_\").forEach(({v, ns, key, ...rest}) => "+
			"db.getCollection(%s).createIndex(key, rest))", old, packed),
		fmt.Sprintf("db.getCollection(%s).renameCollection(%s, true)", packed, old),
	}
}

// restore goes through a dump, whose metadata would bring the old compressor back.
func (v verdict) restore() []string {
	config := setCompressor(configString(v.in.Collection.Options), v.to.Compressor)
	edit := quoteShell(".options.storageEngine.wiredTiger.configString = " + quoteJS(config))
	meta := dumpDir + "/DB/COLLECTION.metadata.json"
	if simpleName(v.in.DB) && simpleName(v.in.Coll) {
		meta = dumpDir + "/" + v.in.DB + "/" + v.in.Coll + ".metadata.json"
	}
	return []string{
		"# By dump and restore. The dump takes " + size(float64(v.in.Size)) +
			" where it is written, and its metadata brings the old compressor back unless edited.",
		fmt.Sprintf("mongodump %s %s --out=%s", quoteShell("--db="+v.in.DB), quoteShell("--collection="+v.in.Coll), dumpDir),
		fmt.Sprintf("jq %s %s > edited.json && mv edited.json %s", edit, meta, meta),
		"mongorestore --drop " + v.include() + dumpDir,
	}
}

// dumpDir is a folder of its own: mongorestore --drop replaces whatever it finds
// in the folder it is given.
const dumpDir = "dump-to-recompress"

// include limits mongorestore to the collection. Its patterns have no way to
// write a dollar sign (mongo-tools: mongorestore/ns/ns.go, NewMatcher).
func (v verdict) include() string {
	if strings.Contains(v.in.DB+v.in.Coll, "$") {
		return ""
	}
	pattern := strings.NewReplacer(`\`, `\\`, `*`, `\*`)
	return quoteShell("--nsInclude="+pattern.Replace(v.in.DB+"."+v.in.Coll)) + " "
}

// initialSync changes one member after the other. The server's setting does not
// hold for time-series buckets, which are zstd unless their options say otherwise
// (MongoDB: wiredtiger_global_options.h, kDefaultTimeseriesCollectionCompressor).
func (v verdict) initialSync() []string {
	if v.in.Collection.TimeSeries {
		return nil
	}
	if strings.Contains(configString(v.in.Collection.Options), "block_compressor=") {
		return []string{"# An initial sync would change nothing: it copies the collection's options, which name the compressor."}
	}
	return []string{
		"# By initial sync on a replica set, one member after the other, secondaries first: stop it, set the line below in",
		"# mongod.conf, empty its dbPath, start it and wait. It needs no disk beyond the new files, but until the",
		"# member has caught up one fewer holds the data; all collections of the member change.",
		"storage.wiredTiger.collectionConfig.blockCompressor: " + v.to.Compressor,
	}
}

// simpleName tells whether mongodump writes a name into a file name as it is.
func simpleName(s string) bool {
	return s != "" && len(s) <= 100 && s[0] != '-' && strings.Trim(s, plainName) == ""
}

const plainName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
