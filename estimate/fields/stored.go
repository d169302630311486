package fields

import "iter"

// A Sizer builds a collection of the documents and gives the bytes of its file
// by compressor. Documents are valid until the next one is asked for.
type Sizer func(docs iter.Seq[[]byte]) (map[string]int64, error)

// Stored is what a path holds of the file.
type Stored struct {
	Path
	// Bytes by compressor: the file less the file without the path. Close to 0
	// where the path compresses away; it may be below where blocks fall from one
	// multiple of the allocation unit to the next.
	Bytes map[string]int64
}

// Report is what paths hold of a file, and what shorter names would save.
type Report struct {
	Paths []Stored
	// ShortNames by compressor: the file less the file with short names.
	ShortNames map[string]int64
}

// Measure builds the file of docs as it is, without each of the first top paths,
// and with short names: top + 2 files. docs is walked as often; it has to give
// the same documents each time.
func Measure(docs iter.Seq[[]byte], top int, size Sizer) (Report, error) {
	var c Counter
	for doc := range docs {
		c.Add(doc)
	}
	whole, err := size(docs)
	if err != nil {
		return Report{}, err
	}
	var r Report
	paths := c.Paths()
	for _, p := range paths[:min(top, len(paths))] {
		without, err := size(rewritten(docs, p.Remove))
		if err != nil {
			return Report{}, err
		}
		r.Paths = append(r.Paths, Stored{Path: p, Bytes: less(whole, without)})
	}
	short, err := size(rewritten(docs, c.Shortener().ShortenNames))
	if err != nil {
		return Report{}, err
	}
	r.ShortNames = less(whole, short)
	return r, nil
}

// rewritten gives each document through change, into one buffer.
func rewritten(docs iter.Seq[[]byte], change func(dst, doc []byte) []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var b []byte
		for doc := range docs {
			if b = change(b[:0], doc); !yield(b) {
				return
			}
		}
	}
}

// less subtracts by compressor.
func less(whole, part map[string]int64) map[string]int64 {
	d := make(map[string]int64, len(whole))
	for name, n := range whole {
		d[name] = n - part[name]
	}
	return d
}
