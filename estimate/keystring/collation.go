package keystring

import (
	"unicode"
	"unicode/utf8"
)

// A collation stands for ICU sort keys, which this package does not make. The
// model has their parts and about their length, and sorts alike: base letters,
// then accents, then case.
//
//	primary    1 byte per ASCII letter, digit or space; 2 per other ASCII
//	           and letter below U+0800; 3 beyond
//	0x01       secondary: 1 byte, and 2 per accented letter
//	0x01       tertiary: 1 byte, and 1 per change of case
//
// Lengths follow the ICU collation design: common weights of a run take one
// byte. It is marked approximate.
type collation struct {
	strength int
}

// parseCollation reads a collation; the simple one is none.
func parseCollation(doc []byte) *collation {
	get := func(name string) elem { e, _ := lookup(doc, name); return e }
	if stringOf(get("locale")) == "simple" {
		return nil
	}
	c := &collation{strength: 3}
	if v, ok := number(get("strength")); ok && v >= 1 && v <= 5 {
		c.strength = int(v)
	}
	return c
}

const (
	levelEnd    = 0x01
	commonRun   = 0x05
	upperCase   = 0x9C
	accent      = 0x88
	primaryLow  = 0x20 // primaries stay above the level bytes
	primaryWide = 0xE0 // leads of three-byte primaries
)

// append appends the sort key of s, which holds no NUL.
func (c *collation) append(dst, s []byte) []byte {
	var accents, cases int
	upper := false
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		low := unicode.ToLower(r)
		if low >= 0xE0 && low <= 0xFF && baseLetters[low-0xE0] != ' ' {
			low = rune(baseLetters[low-0xE0])
			accents++
		}
		dst = appendPrimary(dst, low)
		if u := unicode.IsUpper(r); u != upper {
			upper = u
			cases++
		}
	}
	if c.strength >= 2 {
		dst = append(dst, levelEnd, commonRun)
		for range accents {
			dst = append(dst, accent, commonRun)
		}
	}
	if c.strength >= 3 {
		dst = append(dst, levelEnd, commonRun)
		for range cases {
			dst = append(dst, upperCase)
		}
	}
	return dst
}

// baseLetters are the letters from U+00E0 on without their accents.
const baseLetters = "aaaaaa ceeeeiiii nooooo ouuuuy y"

func appendPrimary(dst []byte, r rune) []byte {
	switch {
	case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' '):
		return append(dst, primaryLow+byte(r))
	case r < 0x80:
		return append(dst, primaryLow-1, primaryLow+byte(r))
	case r < 0x800:
		return append(dst, 0xA0+byte(r>>6), 0x40+byte(r&0x3F))
	}
	return append(dst, primaryWide+byte(r>>12&0x1F), 0x40+byte(r>>6&0x3F), 0x40+byte(r&0x3F))
}
