package element

// deepest is how far WalkDeep follows nesting. What is nested deeper is held
// to its length and terminating zero only.
const deepest = 32

// Walk checks the outline of a whole document: known element types, names that
// end, values that stay inside. Embedded documents count as their length and
// terminating zero. It says nothing about content.
func Walk(doc []byte) error { return walk(doc, 0) }

// WalkDeep is Walk for embedded documents and arrays too.
func WalkDeep(doc []byte) error { return walk(doc, deepest) }

func walk(doc []byte, depth int) error {
	rest, err := All(doc)
	if err != nil {
		return err
	}
	for len(rest) > 0 {
		var e Element
		if e, rest, err = Next(rest); err != nil {
			return err
		}
		if depth > 0 && e.Nested() {
			if err := walk(e.Value, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}
