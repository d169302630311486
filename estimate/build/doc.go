// Package build makes the file of one table under one compressor: it takes
// in-memory pages in key order, reconciles each at the page size in force,
// compresses the images, moves the page size, and ends with internal pages and
// extent lists.
//
// Pages are reconciled one after the other while what was loaded stays below
// the share of the cache that may be dirty; beyond it eviction threads write
// several at once, each reading the page size when it starts and all moving it
// as they go. A Table models that with Overlap slots that advance in simulated
// time, so its result does not depend on how fast this machine is.
//
// A page of few huge documents is written before its turn, when the next document
// comes: its blocks move the page size then, and take their place in the file
// when the pages before it have been written.
package build
