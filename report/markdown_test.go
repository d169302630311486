package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate"
)

var unescapedPipe = regexp.MustCompile(`(^|[^\\])(\\\\)*\|`)

// Every row of a table has as many cells as its heading, whatever the names.
func TestMarkdownTables(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeHostile} {
		want, fenced := 0, false
		for _, line := range strings.Split(rendered(t, result(), Options{Format: Markdown, Explain: true}), "\n") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if fenced {
				continue
			}
			if !strings.HasPrefix(line, "|") {
				want = 0
				if strings.Contains(line, "<script") {
					t.Errorf("markup outside a fence: %s", line)
				}
				continue
			}
			got := len(unescapedPipe.FindAllString(line, -1))
			if want == 0 {
				want = got
			}
			if got != want {
				t.Errorf("%d pipes, want %d: %s", got, want, line)
			}
		}
	}
}
