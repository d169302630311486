package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// record is one line of a table of tab-separated columns.
type record struct {
	line   int
	column map[string]int // by the name in the table's first line
	fields []string
	err    error // the first field that is no number
}

// readRecords reads a table whose columns are named in its first line, with
// comments behind #.
func readRecords(path string) ([]*record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("what the engine made of the collections is not there: %w", err)
	}
	defer f.Close()
	var out []*record
	var column map[string]int
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		fields := strings.Split(s.Text(), "\t")
		switch {
		case strings.HasPrefix(s.Text(), "#"):
		case column == nil:
			column = map[string]int{}
			for i, name := range fields {
				column[name] = i
			}
		default:
			out = append(out, &record{line: n, column: column, fields: fields})
		}
	}
	return out, s.Err()
}

// text is empty where there is no such column.
func (r *record) text(name string) string {
	if i, ok := r.column[name]; ok && i < len(r.fields) {
		return r.fields[i]
	}
	return ""
}

func (r *record) number(name string) int64 {
	n, err := strconv.ParseInt(r.text(name), 10, 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", name, err)
	}
	return n
}
