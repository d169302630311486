package report

import "strings"

// commands are what to type or paste, in recipes; lines are never shortened.
type commands []recipe

// A recipe is a few lines with the comments before them, which say what they do
// and need. The marker is what starts a comment in their language.
type recipe struct {
	marker string
	texts  []string
	lines  []string
}

func (commands) isBlock() {}

// recipes groups advised commands: comment lines, whose paragraphs end where a
// line ends a sentence, and the lines that follow them.
func recipes(list []string) commands {
	var out commands
	open := false // the last paragraph goes on
	for _, s := range list {
		s = Safe(s)
		marker, text := comment(s)
		if marker == "" {
			if len(out) == 0 {
				out = append(out, recipe{})
			}
			r := &out[len(out)-1]
			r.lines, open = append(r.lines, s), false
			continue
		}
		if len(out) == 0 || len(out[len(out)-1].lines) > 0 || out[len(out)-1].marker != marker {
			out, open = append(out, recipe{marker: marker}), false
		}
		r := &out[len(out)-1]
		if open {
			r.texts[len(r.texts)-1] += " " + text
		} else {
			r.texts = append(r.texts, text)
		}
		open = !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ":")
	}
	return out
}

// comment splits a line into the marker of a comment and its text.
func comment(s string) (marker, text string) {
	for _, m := range []string{"//", "#"} {
		if t, ok := strings.CutPrefix(s, m); ok {
			return m, strings.TrimSpace(t)
		}
	}
	return "", s
}
