package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearest is the candidate that word was probably meant to be: at most a third
// of its letters away, ignoring case. Empty when nothing is near.
func nearest(word string, candidates []string) string {
	best, least := "", max(1, (len(word)+1)/3)+1
	if len(word) > 200 { // no name is so long
		return ""
	}
	for _, c := range candidates {
		d := distance(strings.ToLower(word), strings.ToLower(c))
		if d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is how many letters must be put in, taken out, changed or swapped
// with their neighbour to make b of a (optimal string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1) // d[i][j]: from the first i letters to the first j
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+1)
			if s[i-1] == t[j-1] {
				d[i][j] = d[i-1][j-1]
			}
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}

// unknownFlag is pflag's message; what follows the flag's name is not repeated,
// since it may be a password.
var unknownFlag = regexp.MustCompile(`^unknown flag: --([^=]*)`)

// flagError turns pflag's errors into ours.
func flagError(c *cobra.Command, err error) error {
	help := c.CommandPath() + " --help"
	m := unknownFlag.FindStringSubmatch(err.Error())
	if m == nil {
		return usage(help, "%s", flagMessage(err))
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := nearest(m[1], names); near != "" {
		return usage(help, "unknown flag --%s, did you mean --%s?", m[1], near)
	}
	return usage(help, "unknown flag --%s", m[1])
}

// flagMessage is a flag error without what was typed for an unknown shorthand:
// -hunter2 may be a password.
func flagMessage(err error) string {
	text, _, _ := strings.Cut(err.Error(), " in -")
	return text
}
