package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRecipes(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string
		want commands
	}{
		{"nothing", nil, nil},
		{"bare lines", []string{"a", "b"}, commands{{lines: []string{"a", "b"}}}},
		{"comment over two lines", []string{"// It is so, and", "// then so.", "a"},
			commands{{marker: "//", texts: []string{"It is so, and then so."}, lines: []string{"a"}}}},
		{"two sentences are two paragraphs", []string{"# One.", "# Two:", "a"},
			commands{{marker: "#", texts: []string{"One.", "Two:"}, lines: []string{"a"}}}},
		{"a comment after lines begins anew", []string{"// One.", "a", "# Two", "b"},
			commands{{marker: "//", texts: []string{"One."}, lines: []string{"a"}}, {marker: "#", texts: []string{"Two"}, lines: []string{"b"}}}},
		{"another marker too", []string{"// One, and", "# Two"},
			commands{{marker: "//", texts: []string{"One, and"}}, {marker: "#", texts: []string{"Two"}}}},
		{"hostile", []string{"// \x1b[2J.", "a\u202e"}, commands{{marker: "//", texts: []string{`\u001b[2J.`}, lines: []string{`a\u202e`}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, recipes(c.in), cmp.AllowUnexported(recipe{})); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
