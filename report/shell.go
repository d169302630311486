package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$.]*$`)

// writeShell prints the next JSON value in the shell's style. The input comes
// from json.Marshal, so it is well formed.
func writeShell(dec *json.Decoder, b *strings.Builder) {
	tok, err := dec.Token()
	if err != nil {
		return
	}
	switch t := tok.(type) {
	case json.Delim:
		closing := map[json.Delim]string{'{': "}", '[': "]"}[t]
		b.WriteString(t.String())
		for i := 0; dec.More(); i++ {
			if i > 0 {
				b.WriteString(", ")
			}
			if t == '{' {
				writeName(dec, b)
			}
			writeShell(dec, b)
		}
		_, _ = dec.Token()
		b.WriteString(closing)
	case string:
		b.WriteString(quoted(t))
	default:
		fmt.Fprint(b, t)
	}
}

func writeName(dec *json.Decoder, b *strings.Builder) {
	tok, err := dec.Token()
	if err != nil {
		return
	}
	name, _ := tok.(string)
	if !plainName.MatchString(name) {
		name = quoted(name)
	}
	b.WriteString(name + ": ")
}

// quoted is a double-quoted JavaScript string.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
