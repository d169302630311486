// Package ferrettest runs the live sampler against FerretDB, embedded. It is a
// module of its own so that FerretDB and what it needs are no requirements of
// wtsize.
package ferrettest
