package main

import (
	"fmt"
	"strconv"
	"strings"
)

// mebibytes is a flag for whole MiB: "8MiB" or "8".
type mebibytes int64

func (m *mebibytes) Set(s string) error {
	n, err := strconv.ParseInt(strings.TrimSuffix(s, "MiB"), 10, 32)
	if err != nil || n <= 0 {
		return fmt.Errorf("want a size such as 8MiB")
	}
	*m = mebibytes(n)
	return nil
}

func (m *mebibytes) String() string { return fmt.Sprintf("%dMiB", int64(*m)) }
func (m *mebibytes) Type() string   { return "SIZE" }
func (m mebibytes) bytes() int64    { return int64(m) << 20 }
