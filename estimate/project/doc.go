// Package project says how far a sample is to be trusted: ratios over runs of
// neighbours, one run from each stratum, and the intervals around them. It
// knows nothing of pages; it imports nothing of this project.
package project
