package report

import (
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate"
)

// Every heading of every grid has a definition, and so has every ledger label.
func TestEveryFigureIsDefined(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeLevels} {
		l := layOut(result(), Options{Explain: true}.normal())
		for _, s := range l.sections {
			for _, b := range s.blocks {
				g, ok := b.(grid)
				if !ok {
					continue
				}
				for _, c := range g.columns {
					if _, ok := define(c.definedAs()); !ok {
						t.Errorf("%s: column %q is not defined", s.title, c.definedAs())
					}
				}
				if g.rowTerms {
					for _, r := range g.rows {
						if _, ok := define(r.cells[0]); !ok {
							t.Errorf("%s: row %q is not defined", s.title, r.cells[0])
						}
					}
				}
			}
		}
	}
}

func TestDefinitionsAreUniqueSentences(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range definitions {
		if seen[d.term] {
			t.Errorf("%q is defined twice", d.term)
		}
		seen[d.term] = true
		if !strings.HasSuffix(d.text, ".") {
			t.Errorf("%q: %q is not a sentence", d.term, d.text)
		}
	}
}

// Ids are anchors in the page: one section each.
func TestSectionIDsAreUnique(t *testing.T) {
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeHostile} {
		seen := map[string]bool{}
		for _, s := range layOut(result(), Options{Explain: true}.normal()).sections {
			if seen[s.id] || s.id == "" {
				t.Errorf("section %q: id %q is empty or used twice", s.title, s.id)
			}
			seen[s.id] = true
		}
	}
}

// The ledger that is printed adds up to the storageSize that is printed.
func TestLedgerAddsUp(t *testing.T) {
	r := madeOrders()
	s := rendered(t, r, Options{Explain: true})
	if !strings.Contains(s, "the labels add up to storageSize exactly") {
		t.Error("the report does not say that the labels add up")
	}
	for _, k := range r.Collections[0].Compressors {
		if ledgerSum(k.Ledger) != k.StorageSize {
			t.Errorf("made-up %s: ledger sums to %d, storageSize %d", k.Compressor, ledgerSum(k.Ledger), k.StorageSize)
		}
		if !strings.Contains(s, integer(k.StorageSize)) {
			t.Errorf("%s: sum %s is not shown", k.Compressor, integer(k.StorageSize))
		}
	}
	r.Collections[0].Compressors[2].Ledger.Rounding++
	if s := rendered(t, r, Options{Explain: true}); !strings.Contains(s, "do not add up: zlib") {
		t.Error("a ledger that does not add up is passed over in silence")
	}
}
