package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/wtsize/wtsize/"

// layers, the lowest first: a package imports its own layer and those before.
var layers = []string{"sampler", "estimate", "report", "cmd"}

// alone import nothing of ours but what cuts documents into elements; each is
// facts, or one calculation.
var alone = []string{"estimate/wt", "estimate/codec", "estimate/keystring", "estimate/project"}

// wired are sources that only cmd may know, and each other.
var wired = []string{"sampler/dump", "sampler/archive", "sampler/export", "sampler/live"}

// TestLayers holds the packages to the direction that data flows in.
func TestLayers(t *testing.T) {
	imports := packageImports(t)
	if len(imports) < 20 {
		t.Fatalf("only %d packages found", len(imports))
	}
	for from, all := range imports {
		for _, to := range all {
			switch {
			case layer(from) < layer(to):
				t.Errorf("%s imports %s, which is above it", from, to)
			case slices.Contains(alone, from) && to != "sampler/element":
				t.Errorf("%s imports %s, but should import nothing of this module", from, to)
			case under(wired, to) && layer(from) > 0 && !strings.HasPrefix(from, "cmd/"):
				t.Errorf("%s imports %s, which only cmd wires", from, to)
			}
		}
	}
	for _, p := range append(slices.Clone(alone), wired...) {
		if _, ok := imports[p]; !ok {
			t.Errorf("no package %s", p)
		}
	}
}

// packageImports lists the packages of this module and what they import of it,
// without the module's path. Tests may import what they like.
func packageImports(t *testing.T) map[string][]string {
	t.Helper()
	list := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "../../...")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], module)
		imports[from] = nil
		for _, w := range words[1:] {
			if to, ok := strings.CutPrefix(w, module); ok {
				imports[from] = append(imports[from], to)
			}
		}
	}
	return imports
}

func layer(p string) int {
	first, _, _ := strings.Cut(p, "/")
	return slices.Index(layers, first)
}

func under(parents []string, p string) bool {
	return slices.ContainsFunc(parents, func(parent string) bool {
		return p == parent || strings.HasPrefix(p, parent+"/")
	})
}
