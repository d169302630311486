package keystring

import "strings"

// stopWords are frequent English words that a text index leaves out. It is a
// list of our own; a server's is longer.
var stopWords = wordSet(`a about above after again against all am an and any are as at be because
been before being below between both but by can cannot could did do does doing down during each few
for from further had has have having he her here hers herself him himself his how i if in into is it
its itself just me more most my myself no nor not now of off on once only or other our ours ourselves
out over own same she should so some such than that the their theirs them themselves then there these
they this those through to too under until up very was we were what when where which while who whom
why will with would you your yours yourself yourselves`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// suffixes that stem takes off, longest first, and what it puts in their place.
var suffixes = []struct{ from, to string }{
	{"fulness", ""}, {"ousness", ""}, {"iveness", ""}, {"ational", "at"}, {"ization", ""},
	{"biliti", "bl"}, {"tional", "tion"}, {"ement", ""}, {"ation", ""}, {"ness", ""}, {"ment", ""},
	{"ance", ""}, {"ence", ""}, {"able", ""}, {"ible", ""}, {"ying", "i"}, {"ies", "i"}, {"ied", "i"},
	{"sses", "ss"}, {"ing", ""}, {"ion", ""}, {"ent", ""}, {"ant", ""}, {"ful", ""}, {"ity", ""},
	{"ive", ""}, {"ize", ""}, {"ous", ""}, {"edly", ""}, {"ed", ""}, {"ly", ""}, {"al", ""}, {"es", ""},
}

// stem cuts an English word to about what the server's stemmer leaves.
func stem(w []byte) []byte {
	s := strings.TrimSuffix(strings.TrimSuffix(string(w), "'s"), "'")
	if len(s) > 3 && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") {
		s = s[:len(s)-1]
	}
	for _, x := range suffixes {
		if base, ok := strings.CutSuffix(s, x.from); ok && len(base) >= 3 {
			s = undouble(base) + x.to
			break
		}
	}
	if n := len(s); n > 2 && s[n-1] == 'y' && !isVowel(s[n-2]) {
		s = s[:n-1] + "i"
	}
	if n := len(s); n > 4 && s[n-1] == 'e' {
		s = s[:n-1]
	}
	return []byte(s)
}

// undouble makes "run" of "runn".
func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && strings.IndexByte("bdfgmnprt", s[n-1]) >= 0 {
		return s[:n-1]
	}
	return s
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }
