package dump

import "math"

// window is what one run found: documents that start within its bytes.
type window struct{ documents, bytes float64 }

// projectCount gives the number of documents in size bytes from windows of
// width bytes each, spread over all of it, and its standard error.
//
// The documents that start in a window placed at random number width × count /
// size in the mean, whatever their sizes are: one giant among millions is no
// trouble. How many bytes they hold varies with their number, and is known in
// the mean, width; so the count is corrected by regression on the bytes. Where
// all documents are of a size the correction leaves no error at all; where a
// giant makes the bytes jump, its slope is near zero.
// Cochran, Sampling Techniques, 7.3: the regression estimator.
func projectCount(ws []window, width, size float64) (count, stdErr float64) {
	n := float64(len(ws))
	var docs, bytes float64
	for _, w := range ws {
		docs += w.documents / n
		bytes += w.bytes / n
	}
	if docs == 0 {
		return 0, 0
	}
	var cov, variance float64
	for _, w := range ws {
		cov += (w.documents - docs) * (w.bytes - bytes)
		variance += (w.bytes - bytes) * (w.bytes - bytes)
	}
	slope := docs / bytes
	if variance > 0 {
		slope = cov / variance
	}
	rest := 0.0
	for _, w := range ws {
		e := w.documents - docs - slope*(w.bytes-bytes)
		rest += e * e
	}
	count = (docs - slope*(bytes-width)) / width * size
	if n > 2 {
		stdErr = math.Sqrt(rest/(n-2)/n) / width * size
	}
	return count, stdErr
}
