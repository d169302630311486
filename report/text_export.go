package report

import "strings"

// The functions here are for messages outside of a report, so that they read as
// the report does. None of them writes a no-break space.

// Bytes prints a byte count with three digits or more: "412 MiB".
func Bytes(v int64) string { return plain(bytesText(v, false)) }

// Integer prints an integer with thousands separated: "1,204,331".
func Integer(v int64) string { return integer(v) }

// Seconds prints a duration: "6.40 s", "168 µs".
func Seconds(v float64) string { return plain(secondsText(v)) }

// Rate prints a throughput: "125 MB/s".
func Rate(bytesPerSecond float64) string { return plain(rateText(bytesPerSecond)) }

// Columns is the number of terminal columns that text takes.
func Columns(s string) int { return width(s) }

// Elide shortens text to at most n columns by cutting out its middle.
func Elide(s string, n int) string { return elide(s, n) }

func plain(s string) string { return strings.ReplaceAll(s, nbsp, " ") }
