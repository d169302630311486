package report

// A layout is a whole report before any format touches it.
type layout struct {
	title    string
	sections []section
	notes    []string // footnotes; note 1 is notes[0]
}

// hasParts: section i is followed by sub sections of its own.
func (l layout) hasParts(i int) bool {
	return !l.sections[i].sub && i+1 < len(l.sections) && l.sections[i+1].sub
}

// A section groups blocks under a heading. An empty title continues the section
// before; a sub section belongs to the nearest one before that is not.
type section struct {
	id     string // anchor, unique in the layout
	title  string
	sub    bool
	notes  []int
	blocks []block
}

// A block is one of facts, tiles, para, grid, bullets, commands and figure.
type block interface{ isBlock() }

type (
	// facts are short labels, each with a text beside it.
	facts []fact
	fact  struct{ label, text string }

	// para is running text; strong marks what a hurried reader needs.
	para struct {
		text   string
		strong bool
	}

	// bullets is a list of short texts.
	bullets []string

	// grid is a table. Every row has one cell for each column.
	grid struct {
		caption string
		columns []column
		rows    []row
		foot    []row // sums, set off by a rule
		legend  string
		// rowTerms: the first cell of each row is a term to define.
		rowTerms bool
	}
	// column has its heading split where it may break, and its unit apart.
	column struct {
		head []string
		unit string
		term string // what defines it, if not its heading
		left bool   // text; numbers stand right
		name bool   // may be elided on a terminal
		part bool   // where to cut a table that is too wide
	}
	row struct {
		mark  mark
		notes []int // footnotes to the first cell
		cells []string
	}

	// tiles are the few figures to see first.
	tiles []tile
	tile  struct{ label, value, note string }

	// figure is a picture: charts for a page, lines of characters for a terminal.
	// Either may be missing.
	figure struct {
		title  string // what it shows
		text   string // what it says
		key    []swatch
		charts []drawing
		plot   func(width int) []string
	}
	// swatch explains a colour; drawing makes SVG for a page of some width, its
	// ids made of id.
	swatch  struct{ role, label string }
	drawing func(id string, width float64) (string, error)
)

func (facts) isBlock()   {}
func (tiles) isBlock()   {}
func (para) isBlock()    {}
func (bullets) isBlock() {}
func (grid) isBlock()    {}
func (figure) isBlock()  {}

// A mark sets a row off from the others.
type mark int

const (
	unmarked mark = iota
	today         // what the collection is stored with now
	advised       // what the advice recommends
)

// heading is a column's heading on one line, for formats that wrap by
// themselves.
func (c column) heading() string {
	s := ""
	for i, part := range c.head {
		switch {
		case i == 0:
		case len(s) > 0 && s[len(s)-1] == '-':
			s = s[:len(s)-1]
		default:
			s += " "
		}
		s += part
	}
	return s
}
