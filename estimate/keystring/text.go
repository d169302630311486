package keystring

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"math"
	"unicode"
	"unicode/utf8"
)

const textArray notIndexable = "an array in a field beside the text of a text index"

// Terms over this length are cut, and their MD5 in hex put behind.
// MongoDB: src/mongo/db/fts/fts_index_format.cpp, termKeyPrefixLengthV3.
const termPrefix = 224

type textOptions struct {
	weights  []textWeight
	wildcard float64 // weight of every string field; 0: only those above
	english  bool
	before   int // fields of the key pattern before the text
}

type textWeight struct {
	path   path
	weight float64
}

// parseText reads the weights of a text index. A specification as a server
// lists it has key {_fts: "text", _ftsx: 1}; one as typed names the fields.
// MongoDB: src/mongo/db/fts/fts_spec.cpp, FTSSpec::FTSSpec and fixSpec.
func parseText(get func(string) elem, fields []Field) textOptions {
	o := textOptions{english: true}
	if s := stringOf(get("default_language")); s != "" && s != "english" && s != "en" {
		o.english = false
	}
	add := func(name string, weight float64) {
		if name == "$**" {
			o.wildcard = weight
			return
		}
		o.weights = append(o.weights, textWeight{splitPath(name), weight})
	}
	weights := get("weights")
	named := map[string]bool{}
	if weights.typ == tObject {
		for r := newReader(weights.val); ; {
			name, e, ok, err := r.next()
			if err != nil || !ok {
				break
			}
			if v, isNum := number(e); isNum && v > 0 {
				named[string(name)] = true
				add(string(name), v)
			}
		}
	}
	past := false
	for _, f := range fields {
		text := f.Plugin == string(Text)
		past = past || text
		if !past {
			o.before++
		}
		if text && f.Path != "_fts" && !named[f.Path] {
			add(f.Path, 1)
		}
	}
	return o
}

// textEntries makes one key per distinct term: fields before, term, weight,
// fields after. MongoDB: fts_index_format.cpp, FTSIndexFormat::getKeys.
func (g *Generator) textEntries(doc []byte) error {
	extra, err := g.textExtras(doc)
	if err != nil {
		return err
	}
	scores, err := g.ix.text.score(doc)
	if err != nil {
		return err
	}
	collate := g.b.collate
	defer func() { g.b.collate = collate }()
	for term, score := range scores {
		if err := g.textKey(extra, term, score, collate); err != nil {
			return err
		}
	}
	return nil
}

// An extra is a field beside the text.
type extra struct {
	e          elem
	descending bool
	after      bool
}

func (g *Generator) textExtras(doc []byte) (all []extra, err error) {
	for i, f := range g.ix.Fields {
		if f.Plugin == string(Text) || f.Path == "_ftsx" {
			continue
		}
		e, _, err := g.paths[i].along(doc, 0)
		if err != nil {
			return nil, err
		}
		if e.typ == tArray {
			return nil, textArray
		}
		if e.typ == tMissing {
			e = null
		}
		all = append(all, extra{e, f.Descending, i >= g.ix.text.before})
	}
	return all, nil
}

func (g *Generator) textKey(extras []extra, term string, score float64, collate func(dst, s []byte) []byte) error {
	g.b.reset()
	done := false
	text := func() error {
		g.b.collate = nil // terms are not collated
		defer func() { g.b.collate = collate }()
		done = true
		if err := g.b.component(stringElem([]byte(term)), false); err != nil {
			return err
		}
		weight := binary.LittleEndian.AppendUint64(nil, math.Float64bits(score))
		return g.b.component(elem{tDouble, weight}, false)
	}
	for _, x := range extras {
		if x.after && !done {
			if err := text(); err != nil {
				return err
			}
		}
		if err := g.b.component(x.e, x.descending); err != nil {
			return err
		}
	}
	if !done {
		if err := text(); err != nil {
			return err
		}
	}
	g.pending.add(&g.b)
	return nil
}

// score collects the terms of a document and their weights.
func (o textOptions) score(doc []byte) (map[string]float64, error) {
	scores := map[string]float64{}
	for _, w := range o.weights {
		err := w.path.each(doc, true, func(e elem) error {
			if e.typ == tString {
				o.scoreString(e.text(), w.weight, scores)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if o.wildcard > 0 {
		return scores, o.scoreAll(doc, scores, 0)
	}
	return scores, nil
}

// scoreAll takes every string of a document.
func (o textOptions) scoreAll(doc []byte, scores map[string]float64, depth int) error {
	if depth > maxDepth {
		return ErrMalformed
	}
	return eachItem(doc, func(e elem) error {
		switch e.typ {
		case tString:
			o.scoreString(e.text(), o.wildcard, scores)
		case tObject, tArray:
			return o.scoreAll(e.val, scores, depth+1)
		}
		return nil
	})
}

// scoreString adds the terms of one string: each repetition counts half of the
// one before; a term's share of the string and being all of it raise the score.
// MongoDB: fts_spec.cpp, FTSSpec::_scoreStringV2.
func (o textOptions) scoreString(s []byte, weight float64, scores map[string]float64) {
	type tally struct{ count, freq, exp float64 }
	terms := map[string]*tally{}
	n := 0.0
	eachTerm(s, func(t []byte) {
		if o.english && stopWords[string(t)] {
			return
		}
		if o.english {
			t = stem(t)
		}
		x := terms[string(t)]
		if x == nil {
			x = &tally{exp: 0.5}
			terms[string(t)] = x
		}
		x.exp *= 2
		x.count++
		x.freq += 1 / x.exp
		n++
	})
	for t, x := range terms {
		adjust := 1.0
		if len(t) == len(s) && equalFold(t, s) {
			adjust = 1.1
		}
		scores[cutTerm(t)] += weight * x.freq * (0.5*x.count/n + 0.5) * adjust
	}
}

func equalFold(t string, s []byte) bool {
	for i := range s {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if t[i] != c {
			return false
		}
	}
	return true
}

func cutTerm(t string) string {
	if len(t) <= termPrefix {
		return t
	}
	sum := md5.Sum([]byte(t))
	return t[:termPrefix] + hex.EncodeToString(sum[:])
}

// eachTerm calls visit with each run of letters and digits, in lower case.
func eachTerm(s []byte, visit func([]byte)) {
	var term []byte
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		// An apostrophe joins: "don't" is one term.
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' || r == '\'' && len(term) > 0 {
			term = utf8.AppendRune(term, unicode.ToLower(r))
			continue
		}
		if len(term) > 0 {
			visit(term)
			term = term[:0]
		}
	}
	if len(term) > 0 {
		visit(term)
	}
}
