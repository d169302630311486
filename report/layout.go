package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// layOut decides what a report says and in which order; how it looks is the
// writers' business.
func layOut(r estimate.Result, o Options) layout {
	n := &notes{}
	l := layout{title: titleOf(r)}
	if o.Format == HTML || o.Format == Markdown {
		l.sections = append(l.sections, summarySection(r, o))
	}
	l.sections = append(l.sections, section{id: "read", title: readTitle(o), blocks: introduction(r, n)})
	if len(r.Collections) == 1 {
		l.sections = append(l.sections, collectionSections(r, 0, o, n)...)
	} else if len(r.Collections) > 1 {
		l.sections = append(l.sections, overviewSections(r, o, n)...)
	}
	if o.Explain && len(r.Collections) > 0 {
		l.sections = append(l.sections, restSection(r))
	}
	if len(r.Skipped) > 0 {
		l.sections = append(l.sections, skippedSection(r.Skipped, o))
	}
	if o.Explain {
		if terms := definedTerms(l); len(terms) > 0 {
			l.sections = append(l.sections, section{id: "definitions", title: "What the figures mean", blocks: []block{terms}})
		}
	}
	l.notes = n.texts
	return l
}

// readTitle is empty where the section opens the report.
func readTitle(o Options) string {
	if o.Format == HTML || o.Format == Markdown {
		return "What was read"
	}
	return ""
}

func titleOf(r estimate.Result) string {
	return strings.TrimSpace(Safe(fmt.Sprintf("%s %s", r.Tool.Name, r.Tool.Version)))
}

// collectionSections is everything about one collection.
func collectionSections(r estimate.Result, i int, o Options, n *notes) []section {
	c := r.Collections[i]
	id := fmt.Sprintf("c%d", i+1)
	out := []section{compressorSection(r, c, id, o, n)}
	if len(c.Indexes) > 0 {
		out = append(out, indexSection(c, id, o, n))
	}
	if b := todayBlocks(c, o); len(b) > 0 {
		out = append(out, section{id: id + "-today", title: "Today", sub: true, blocks: b})
	}
	if c.Advice != nil {
		out = append(out, adviceSection(c, id, o))
	}
	out = append(out, extraSections(c, id, o)...)
	switch {
	case o.Explain:
		out = append(out, explainSections(r, c, id, o)...)
	case workloadText(r.Assumptions) != "":
		out = append(out, costsSections(c, id, o)...)
	}
	return out
}

// notes numbers warnings in the order they are met; equal texts share a number.
type notes struct {
	texts []string
	seen  map[string]int
}

func (n *notes) add(ws []sampler.Warning) []int {
	var refs []int
	for _, w := range ws {
		if k := n.text(w.Text); !slices.Contains(refs, k) {
			refs = append(refs, k)
		}
	}
	return refs
}

func (n *notes) text(s string) int {
	s = Safe(s)
	if n.seen == nil {
		n.seen = map[string]int{}
	}
	if k, ok := n.seen[s]; ok {
		return k
	}
	n.texts = append(n.texts, s)
	n.seen[s] = len(n.texts)
	return len(n.texts)
}
