package index

import "math"

// leastRegressed is how many runs it takes to tell how entries go with documents
// and how with bytes.
const leastRegressed = 8

// count estimates how many entries the population has, from the runs that count.
//
// It is the regression estimator of survey sampling: documents and bytes are known
// of the population, and where long documents have more entries, as those with
// long arrays have, a sample with too many of them does not have too many entries
// by its bytes. Where the bytes are not known it is the ratio to documents.
//
// C.-E. Särndal, B. Swensson, J. Wretman, "Model Assisted Survey Sampling" (1992),
// section 6.4.
func (s *Sample) count(pop Population, counts func(run int32) bool) float64 {
	var docs, bytes, made, docs2, both, bytes2, docsMade, bytesMade float64
	n := 0
	for i := range s.runs {
		r := &s.runs[i]
		if r.docs == 0 || !counts(int32(i)) {
			continue
		}
		d, b, m := float64(r.docs), float64(r.bytes), float64(r.made)
		n++
		docs, bytes, made = docs+d, bytes+b, made+m
		docs2, both, bytes2 = docs2+d*d, both+d*b, bytes2+b*b
		docsMade, bytesMade = docsMade+d*m, bytesMade+b*m
	}
	if docs == 0 {
		return 0
	}
	ratio := float64(pop.Documents) * made / docs
	// 1 where documents are of one size in all runs: then they tell the same.
	alike := both * both / (docs2 * max(1, bytes2))
	if pop.Bytes <= 0 || n < leastRegressed || alike > 0.999 {
		return ratio
	}
	det := docs2*bytes2 - both*both
	byDocument := (docsMade*bytes2 - bytesMade*both) / det
	byByte := (bytesMade*docs2 - docsMade*both) / det
	x := byDocument*float64(pop.Documents) + byByte*float64(pop.Bytes)
	if x < made || x > 2*ratio || x < ratio/2 {
		return ratio // far beyond what was seen
	}
	return x
}

// projected is the population as some of the runs have it: where its documents are
// projected they would be other ones.
func (s *Sample) projected(pop Population, counts func(run int32) bool) Population {
	var docs, bytes float64
	for i := range s.runs {
		if counts(int32(i)) {
			docs, bytes = docs+float64(s.runs[i].docs), bytes+float64(s.runs[i].bytes)
		}
	}
	if pop.Projected && bytes > 0 && pop.Bytes > 0 {
		pop.Documents = int64(math.Round(float64(pop.Bytes) * docs / bytes))
	}
	return pop
}
