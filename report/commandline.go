package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// commandText is a command line that a POSIX shell, or bash where an argument
// holds invisible characters, splits into exactly these arguments.
func commandText(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = shellQuote(a)
	}
	return strings.Join(words, " ")
}

func shellQuote(a string) string {
	switch {
	case plainWord.MatchString(a):
		return a
	case isSafe(a):
		return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for i := 0; i < len(a); {
		r, n := utf8.DecodeRuneInString(a[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, a[i])
		case r == '\\' || r == '\'':
			b.WriteString(`\` + string(r))
		case !hidden(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return "$'" + b.String() + "'"
}
