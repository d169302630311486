package report

// palette paints with the terminal's own SGR attributes: bold, dim and two of
// its named colours, so it keeps to the reader's scheme, dark or light. Colour
// never says anything that a word or a symbol does not say too.
type palette struct{ on bool }

func (p palette) sgr(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p palette) bold(s string) string    { return p.sgr("1", s) }
func (p palette) dim(s string) string     { return p.sgr("2", s) }
func (p palette) advised(s string) string { return p.sgr("1;32", s) }
func (p palette) today(s string) string   { return p.sgr("1", s) }
func (p palette) command(s string) string { return p.sgr("36", s) }

func (p palette) mark(m mark, s string) string {
	switch m {
	case advised:
		return p.advised(s)
	case today:
		return p.today(s)
	}
	return s
}
