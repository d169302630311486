package stream

import "bytes"

// logShape is how mongodump's messages start: date, time, milliseconds and
// zone, and a tab. 0 stands for any digit and + for either sign.
// mongo-tools: common/log/tool_logger.go, ToolTimeFormat.
const logShape = "0000-00-00T00:00:00.000+0000\t"

// LogPrefix is how many bytes LogLine needs.
const LogPrefix = len(logShape)

// LogLine reports whether p starts with a message of a MongoDB tool. Where
// stderr was merged into the output (2>&1) they stand in the middle of a dump.
func LogLine(p []byte) bool {
	if len(p) < len(logShape) {
		return false
	}
	for i, want := range []byte(logShape) {
		c := p[i]
		switch want {
		case '0':
			if c < '0' || c > '9' {
				return false
			}
		case '+':
			if c != '+' && c != '-' {
				return false
			}
		default:
			if c != want {
				return false
			}
		}
	}
	return true
}

// FindLogLine gives where the first such message stands in p, which need not be
// at the start of a line; -1 when there is none.
func FindLogLine(p []byte) int {
	for i := 0; ; i++ {
		tab := bytes.IndexByte(p[i:], '\t')
		if tab < 0 {
			return -1
		}
		i += tab
		if start := i + 1 - LogPrefix; start >= 0 && LogLine(p[start:]) {
			return start
		}
	}
}
