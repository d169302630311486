package estimate

import (
	"iter"
	"math"
	"slices"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/fields"
)

const (
	// fieldBytes of documents are held for the field report: it builds them
	// fieldPaths + 2 times.
	fieldBytes = 4 << 20
	fieldPaths = 12
)

// fieldReport says which field paths hold the stored bytes.
func (k *collector) fieldReport(r *CollectionResult) error {
	if k.fields == nil {
		return nil
	}
	stretches := ordinary(k.fields.finish())
	var held, documents int64
	for _, s := range stretches {
		held += int64(len(s.bytes))
		documents += int64(len(s.ends))
	}
	if held == 0 {
		return nil
	}
	docs := func(yield func([]byte) bool) {
		for _, s := range stretches {
			for i := range s.ends {
				if !yield(s.document(i)) {
					return
				}
			}
		}
	}
	report, err := fields.Measure(docs, fieldPaths, k.sizer())
	if err != nil {
		return err
	}
	scale := float64(r.Size) / float64(held)
	times := func(n int64) int64 { return int64(math.Round(float64(n) * scale)) }
	for _, p := range report.Paths {
		f := FieldResult{
			Path: p.Name, Type: p.Type, Share: round(float64(p.Documents)/float64(documents), 4),
			Raw: times(p.Raw), NameBytes: times(p.NameBytes), Stored: map[string]int64{},
		}
		for name, n := range p.Bytes {
			f.Stored[name] = times(n)
		}
		r.Fields = append(r.Fields, f)
	}
	r.ShortNames = map[string]int64{}
	for name, n := range report.ShortNames {
		r.ShortNames[name] = times(n)
	}
	return nil
}

// oneOfEach leaves one level of each compressor, the default one if it is among
// those asked for, else the first: the fields hold much the same share at all
// levels, and every level is built fieldPaths + 2 times.
func oneOfEach(settings []codec.Setting) []codec.Setting {
	var out []codec.Setting
	for _, s := range settings {
		i := slices.IndexFunc(out, func(o codec.Setting) bool { return o.Name == s.Name })
		switch {
		case i < 0:
			out = append(out, s)
		case s.String() == s.Name: // the default level
			out[i] = s
		}
	}
	return out
}

// sizer builds a collection of the documents given.
func (k *collector) sizer() fields.Sizer {
	return func(docs iter.Seq[[]byte]) (map[string]int64, error) {
		o := k.e.opts
		o.Overlap, o.Compressors = 1, oneOfEach(o.Compressors)
		b := newBuilder(k.t, o, k.e.pool)
		for doc := range docs {
			if err := b.add(doc); err != nil {
				b.close()
				return nil, err
			}
		}
		all, err := whole(b)
		if err != nil {
			return nil, err
		}
		sizes := map[string]int64{}
		for i, p := range all {
			sizes[o.Compressors[i].String()] = p.file.Size
		}
		return sizes, nil
	}
}
