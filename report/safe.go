package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Safe makes text from a database harmless to print: control characters (so no
// terminal escape), bidirectional controls, zero-width and other invisible
// characters, private-use code points and bytes that are not UTF-8 are written
// as \u202e, \u{e0001} or \xff. Those are also JavaScript's spellings, so a
// command for mongosh with a quoted name stays the same command. Everything
// visible, in any script, is kept.
func Safe(s string) string {
	if isSafe(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r):
			b.WriteString(s[i : i+n])
		case r > 0xffff:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

func isSafe(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, hidden) < 0
}

// hidden reports whether r shows nothing, or changes how its neighbours show.
// Unicode's Cc, Cf, Co, Zl and Zp, the blanks that are not the ASCII space
// (they read as a space and are none), the fillers and the variation selectors.
func hidden(r rune) bool {
	switch {
	case r == ' ':
		return false
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Z):
		return true
	case unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true
	}
	return false
}

// width is the number of terminal columns s takes.
func width(s string) int { return displaywidth.String(s) }

// elide shortens s to at most n columns by cutting out its middle, between
// grapheme clusters. The end of a name tells more than the middle does.
func elide(s string, n int) string {
	if width(s) <= n {
		return s
	}
	if n <= 1 {
		return strings.Repeat("…", max(n, 0))
	}
	var parts []string
	for g := graphemes.FromString(s); g.Next(); {
		parts = append(parts, g.Value())
	}
	head, used := 0, 0
	for used+width(parts[head]) <= n/2 {
		used += width(parts[head])
		head++
	}
	tail := len(parts)
	for tail > head && used+width(parts[tail-1]) <= n-1 {
		tail--
		used += width(parts[tail])
	}
	return strings.Join(parts[:head], "") + "…" + strings.Join(parts[tail:], "")
}
