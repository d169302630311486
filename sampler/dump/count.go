package dump

import "math"

// window is what one run found: how many documents start within its bytes, and
// how far the documents that contain its first byte and the byte after its last
// reach beyond these.
type window struct{ documents, before, after float64 }

// projectCount gives the number of documents in size bytes from windows of
// width bytes each, spread over all of it, and its standard error.
//
// The documents that start in a window placed at random number width × count /
// size in the mean, whatever their sizes are: one giant among millions is no
// trouble. They vary for the place of the window between boundaries, which
// before and after tell. Both have the same distribution, as the byte at either
// end of a random window is a random byte; so their difference is zero in the
// mean and the count can be corrected by regression on it. Where all documents
// are of a size, no error is left at all.
// Cochran, Sampling Techniques, 7.3: the regression estimator.
func projectCount(ws []window, width, size float64) (count, stdErr float64) {
	n := float64(len(ws))
	if n == 0 {
		return 0, 0
	}
	edge := func(w window) float64 { return min(w.before, width) - min(w.after, width) }
	var docs, edges float64
	for _, w := range ws {
		docs += w.documents / n
		edges += edge(w) / n
	}
	var cov, variance float64
	for _, w := range ws {
		cov += (w.documents - docs) * (edge(w) - edges)
		variance += (edge(w) - edges) * (edge(w) - edges)
	}
	slope := 0.0
	if variance > 0 {
		slope = cov / variance
	}
	// Windows lie in strata: what differs between neighbours is the error, what
	// drifts over the whole file is not (op. cit. 8.6, successive differences).
	rest := 0.0
	for i := 1; i < len(ws); i++ {
		a, b := ws[i-1], ws[i]
		e := b.documents - a.documents - slope*(edge(b)-edge(a))
		rest += e * e
	}
	count = (docs - slope*edges) / width * size
	if n > 1 {
		stdErr = math.Sqrt(rest/2/(n-1)/n) / width * size
	}
	return count, stdErr
}
