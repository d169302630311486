package export

// scanner finds the end of a JSON object without understanding it. It goes on
// where it stopped when it is given more of the same text.
type scanner struct {
	at, depth int
	quoted    bool
}

// scan gives the length of the object at the start of text; 0 when it is not
// all there.
func (s *scanner) scan(text []byte) int {
	for ; s.at < len(text); s.at++ {
		c := text[s.at]
		if s.quoted {
			if c == '\\' {
				s.at++
			} else if c == '"' {
				s.quoted = false
			}
			continue
		}
		switch c {
		case '"':
			s.quoted = true
		case '{':
			s.depth++
		case '}':
			if s.depth--; s.depth == 0 {
				return s.at + 1
			}
		}
	}
	return 0
}
