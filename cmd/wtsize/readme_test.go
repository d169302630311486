package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/sampler/racetest"
)

const readme = "../../README.md"

// example is one command of the README and what is printed below it.
type example struct {
	line    int // of the command, from 0
	command string
	output  []string
}

// examples are the commands in fenced blocks: lines that begin with "$ ".
func examples(lines []string) []example {
	var all []example
	fenced := false
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "```"):
			fenced = !fenced
		case fenced && strings.HasPrefix(l, "$ "):
			all = append(all, example{line: i, command: l[2:]})
		case fenced && len(all) > 0:
			last := &all[len(all)-1]
			if last.line+len(last.output)+1 == i {
				last.output = append(last.output, l)
			}
		}
	}
	return all
}

// TestReadme runs every command of the README, in order and in one folder, and
// compares what it prints. A line "…" stands for lines left out.
func TestReadme(t *testing.T) {
	racetest.OtherPrograms(t)
	if !exactCodecs() {
		t.Skip("the README's sizes are those of the C libraries, which are not in use here")
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	path, dir := prependPath(programs(t)), t.TempDir()
	all := examples(lines)
	if len(all) == 0 {
		t.Fatal("no commands found")
	}
	var rewritten []string
	next := 0
	for _, x := range all {
		cmd := exec.Command("bash", "-c", x.command)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+path, "COLUMNS=", "WTSIZE_URI=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("README.md:%d: %s: %v\n%s", x.line+1, x.command, err, out)
			continue
		}
		got := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
		rewritten = append(rewritten, lines[next:x.line+1]...)
		next = x.line + 1 + len(x.output)
		if same(still(x.output), still(got)) {
			rewritten = append(rewritten, x.output...)
			continue
		}
		if versionLine.MatchString(got[0]) {
			got[0] = "wtsize v1.0.0"
		}
		rewritten = append(rewritten, refill(x.output, got)...)
		if !*update {
			t.Errorf("README.md:%d: %s prints\n%s\nwant\n%s", x.line+1, x.command,
				strings.Join(still(got), "\n"), strings.Join(still(x.output), "\n"))
		}
	}
	if *update && !t.Failed() {
		rewritten = append(rewritten, lines[next:]...)
		if err := os.WriteFile(filepath.Clean(readme), []byte(strings.Join(rewritten, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// exactCodecs reports whether zlib and zstd are the libraries that servers link.
func exactCodecs() bool {
	for _, s := range codec.Defaults() {
		c, err := codec.New(s)
		if err != nil || s.Name != codec.Snappy && !c.Info().Exact {
			return false
		}
	}
	return true
}

// TestReadmeFlags parses every command line of the README that is not run, so
// that none names a command or a flag that does not exist.
func TestReadmeFlags(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range regexp.MustCompile(`(?m)^(?:.*\| )?wtsize (.+)$`).FindAllStringSubmatch(string(text), -1) {
		if versionLine.MatchString(line[0]) {
			continue
		}
		n++
		parses(t, line[1])
	}
	if n < 10 {
		t.Errorf("only %d command lines found", n)
	}
}

// TestExamples parses the examples in every command's help.
func TestExamples(t *testing.T) {
	root := newRoot(&env{}, nil)
	for _, c := range append(root.Commands(), root) {
		if c.Hidden {
			continue
		}
		found := regexp.MustCompile(`(?m)^.*\bwtsize (.+)$`).FindAllStringSubmatch(c.Example, -1)
		if len(found) == 0 {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, line := range found {
			parses(t, line[1])
		}
	}
}

// parses holds a command line, up to a pipe or a redirection, to the flags that
// there are.
func parses(t *testing.T, line string) {
	t.Helper()
	line = regexp.MustCompile(` [|>].*|\)$`).ReplaceAllString(line, "")
	args := strings.Fields(strings.ReplaceAll(line, "'", ""))
	c, rest, err := newRoot(&env{}, nil).Find(args)
	if err != nil || !c.HasParent() {
		t.Errorf("wtsize %s: no such command", line)
		return
	}
	if err := c.ParseFlags(rest); err != nil {
		t.Errorf("wtsize %s: %v", line, err)
	}
}

// same compares lines; "…" in want stands for any number of them.
func same(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0 || len(got) == 1 && got[0] == ""
	}
	if want[0] == "…" {
		for i := range len(got) + 1 {
			if same(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && want[0] == got[0] && same(want[1:], got[1:])
}

// refill gives got the gaps that old has: what stands between two of them begins
// at the same line as before and has as many lines.
func refill(old, got []string) []string {
	var out []string
	gap := false
	for i, l := range old {
		switch {
		case l == "…":
			out, gap = append(out, l), true
			continue
		case gap:
			for len(got) > 0 && got[0] != l {
				got = got[1:]
			}
			gap = false
		}
		if len(got) > 0 {
			out, got = append(out, got[0]), got[1:]
		}
		if i == len(old)-1 {
			out = append(out, got...)
		}
	}
	if len(old) == 0 {
		return got
	}
	return out
}

var (
	versionLine = regexp.MustCompile(`^wtsize \S+$`)
	// measured is the heading of the first column that holds what depends on
	// the machine's speed; those after it do too.
	measured = regexp.MustCompile(` +(com- +decom-|compress +decompress|scan +scan)`)
	// systemZlib is the version of the system's libz, and the blanks after it.
	systemZlib = regexp.MustCompile(`\bzlib 1\.[0-9.]+ +`)
)

// still blanks the version, and the columns that hold times.
func still(lines []string) []string {
	out := make([]string, len(lines))
	cut := -1 // columns kept
	for i, l := range lines {
		switch m := measured.FindStringIndex(l); {
		case versionLine.MatchString(l):
			l = "wtsize VERSION"
		case m != nil:
			cut = len([]rune(l[:m[0]]))
		case l == "":
			cut = -1
		}
		if r := []rune(l); cut >= 0 && len(r) > cut {
			l = string(r[:cut])
		}
		out[i] = systemZlib.ReplaceAllString(strings.TrimRight(l, " "), "zlib VERSION  ")
	}
	return out
}

// TestReadmeNames: every package and every module that the code imports has its
// place in the README.
func TestReadmeNames(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool { return strings.Contains(string(text), "`"+name+"`") }
	for p := range packageImports(t) {
		if !has(p) {
			t.Errorf("no row for package %s", p)
		}
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		if !has(m[1]) {
			t.Errorf("no row for module %s", m[1])
		}
	}
}
