package advise

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names of databases and collections come from anywhere and end up in commands
// that are pasted into a shell. What is not printable is escaped: quotes and line
// breaks, and the marks that turn the direction of text (unicode.IsPrint takes
// none of them), while names in any script stay readable.

// quoteJS writes a string literal for mongosh.
func quoteJS(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteString(escapeRune(r))
	}
	b.WriteByte('"')
	return b.String()
}

// escapeRune writes a character of a JavaScript or JSON string: itself if it is
// printable, else in UTF-16.
func escapeRune(r rune) string {
	switch {
	case unicode.IsPrint(r):
		return string(r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}

// plain are the bytes that a POSIX shell takes as they are, after the first word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,+@="

// quoteShell writes one word for a POSIX shell; what is not printable needs the
// $'…' of bash and zsh.
func quoteShell(s string) string {
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	if printable(s) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return b.String() + "'"
}

func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}
