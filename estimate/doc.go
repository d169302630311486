// Package estimate turns documents into the projected size of a collection
// under every compressor. It is the one place where the steps meet:
//
//  1. A sampler.Source pushes collections and documents into an Estimator,
//     which is a sampler.Visitor. Per collection a collector keeps them all,
//     streams them on, or thins them out to a sampler.Run-wise sample within
//     the memory bound.
//  2. What was read whole goes through reconcile.Pager into in-memory pages,
//     and each page into one build.Table per compressor setting: the exact
//     course of events. Package wt holds the format's facts.
//  3. Of what was sampled, build.Population measures how blocks come out at the
//     page sizes the feedback visits, and lets the feedback run over the whole
//     collection; project gives the interval.
//  4. Package index does the same for the collection's indexes.
//  5. cost turns sizes and codec times into scan, read and write costs, advise
//     into a recommendation; both come back as plain values.
//  6. Everything ends in one Result, which package report renders.
package estimate
