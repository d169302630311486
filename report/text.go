package report

import (
	"regexp"
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// wrap breaks text at spaces into lines of at most n columns; a word longer than
// a line is cut between grapheme clusters.
func wrap(text string, n int) []string {
	n = max(n, 1)
	var lines []string
	line := ""
	for _, word := range strings.FieldsFunc(bindUnits(text), isBlank) {
		for width(word) > n {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := prefix(word, n)
			lines, word = append(lines, head), word[len(head):]
		}
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= n:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

var unitAfter = regexp.MustCompile(`([0-9]) (%|[KMGT]iB\b|[kMG]?B/s|ms\b|µs\b|s\b)`)

// bindUnits keeps a unit with its number in texts that come with plain spaces.
func bindUnits(text string) string { return unitAfter.ReplaceAllString(text, "$1"+nbsp+"$2") }

// isBlank is where text may be broken: not at a no-break space.
func isBlank(r rune) bool { return r == ' ' || r == '\n' }

// prefix is the longest start of s that fits n columns, at least one cluster.
func prefix(s string, n int) string {
	end := 0
	for g := graphemes.FromString(s); g.Next(); {
		if end > 0 && width(s[:end]+g.Value()) > n {
			break
		}
		end += len(g.Value())
	}
	return s[:end]
}

// breakCommand breaks a command at spaces outside quotes, where both mongosh
// and a shell (with a backslash) take a line break. What has no such space stays
// long: it is still the command.
func breakCommand(s string, n int) []string {
	join := ""
	if isShell(s) {
		join = ` \`
	}
	var lines []string
	line := ""
	for _, word := range outsideQuotes(s) {
		limit := n - len(join)
		if len(lines) > 0 {
			limit -= 2
		}
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= limit:
			line += " " + word
		default:
			lines, line = append(lines, line+join), word
		}
	}
	return append(lines, line)
}

// isShell tells a shell command from mongosh's JavaScript, which takes a line
// break between any two words of a call without further ado.
func isShell(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	return !strings.ContainsAny(first, ".(") && !strings.HasPrefix(s, "use ") && !strings.HasPrefix(s, "//")
}

// outsideQuotes splits s at single spaces that are not inside quotes.
func outsideQuotes(s string) []string {
	var words []string
	var quote rune
	start, escaped := 0, false
	for i, c := range s {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == ' ':
			words = append(words, s[start:i])
			start = i + 1
		}
	}
	return append(words, s[start:])
}
