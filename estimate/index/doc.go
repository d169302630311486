// Package index sizes the files of indexes, from all entries or from a sample.
//
//  1. A Sorter puts the entries of every document into key order, spilling to
//     unreadable temporary files beyond its bound of memory; Build makes the file
//     of them as an index build does: exact.
//  2. A Sample keeps the entries of sampled runs; Project makes up the rest of
//     the population and builds stretches of it.
//
// # The file
//
// Keys of a leaf page leave out what they share with the key before:
//
//	key cell    1 descriptor byte, [1 prefix byte], the rest of the key
//	value cell  absent for an empty value; 1 descriptor byte, the value
//
// The first key of a page is whole. From 4.4.7 on, a key may not share a little
// more (under 10 bytes) than the one before it did, so one key that differs early
// costs its whole page: rare breaks in the order of keys matter, and a projection
// must have them as often as the population has.
//
// # The population
//
// A clump is a piece of one run that stays together in key order: a whole run
// where keys follow the order of insertion, the entries of one value where values
// repeat, else one entry. Every clump stands for as many as the population is
// larger than the sample:
//
//	in the order of insertion  runs like it go on where it ends
//	a value that repeats       the same value at other places
//	a value that does not      new values: its start, as far as that is shared
//	                           with other runs, and the rest of others
//
// Which values repeat is told by how many runs of the sample each was met in, at
// each component of the key and at the parts of texts (species). Entries made up
// so have real lengths, RecordIds and neighbours at the population's density.
// They live in memory while a window is built and go nowhere else.
package index
