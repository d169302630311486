package main

import (
	"strings"

	"github.com/wtsize/wtsize/sampler/live"
)

// secretFlags are those whose value is left out of a recorded command line.
var secretFlags = []string{"--password", "--username", "--tlsCertificateKeyFilePassword", "-p", "-u"}

// recorded is the command line as typed, without credentials.
func recorded(args []string) []string {
	out := []string{"wtsize"}
	for i := 0; i < len(args); i++ {
		flag, attached := secretFlag(args[i])
		switch {
		case flag == "":
			out = append(out, withoutURI(args[i]))
		case attached:
			out = append(out, flag+"…")
		case i+1 < len(args):
			out = append(out, flag, "…")
			i++
		}
	}
	return out
}

// secretFlag finds a flag whose value is secret, "" where arg is none. The value
// is attached, as in --password=x and -px, or else the next argument.
func secretFlag(arg string) (flag string, attached bool) {
	for _, f := range secretFlags {
		rest, ok := strings.CutPrefix(arg, f)
		switch {
		case !ok:
		case rest == "":
			return f, false
		case rest[0] == '=':
			return f + "=", true
		case !strings.HasPrefix(f, "--"):
			return f, true
		}
	}
	return "", false
}

// withoutURI cuts a connection string in an argument down to its hosts.
func withoutURI(arg string) string {
	for _, scheme := range []string{"mongodb://", "mongodb+srv://"} {
		if i := strings.Index(arg, scheme); i >= 0 {
			return arg[:i] + live.RedactURI(arg[i:])
		}
	}
	return arg
}
