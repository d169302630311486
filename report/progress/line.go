package progress

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/wtsize/wtsize/report"
)

// A part of the line, and how soon it is dropped where there is no room: parts
// of higher rank go first.
type part struct {
	text string
	rank int
}

// render is the line at a time, at most one column less than the terminal: a
// character in the last column makes some terminals wrap.
func (m *Meter) render(now time.Time) string {
	room := max(m.o.Width()-1, 1)
	parts := []part{
		{m.amount(), 0},
		{m.share(), 1},
		{m.rateText(now), 2},
		{m.left(now), 1},
		{report.Integer(m.docs) + " documents", 3},
	}
	for rank := 3; rank > 0 && length(parts) > room; rank-- {
		parts = without(parts, rank)
	}
	line := join(parts)
	name := ""
	if spare := room - report.Columns(line) - 2; m.name != "" && spare >= 8 {
		name = "  " + report.Elide(m.name, min(spare, 40))
	}
	if spare := room - report.Columns(line+name) - 2; m.share() != "" && spare >= 10 {
		line = bar(m.bytes, m.total, min(spare, 24)) + "  " + line
	}
	line += name
	return m.paint(report.Elide(line, room))
}

func (m *Meter) paint(line string) string {
	if !m.o.Color {
		return line
	}
	return strings.NewReplacer("━", "\x1b[36m━\x1b[0m", "╺", "\x1b[2m╺\x1b[0m", "─", "\x1b[2m─\x1b[0m").Replace(line)
}

func length(parts []part) int { return report.Columns(join(parts)) }

func join(parts []part) string {
	var out []string
	for _, p := range parts {
		if p.text != "" {
			out = append(out, p.text)
		}
	}
	return strings.Join(out, "  ")
}

func without(parts []part, rank int) []part {
	var out []part
	for _, p := range parts {
		if p.rank < rank {
			out = append(out, p)
		}
	}
	return out
}

// amount is "412 MiB of 1.18 GiB", or what was read where the total is not
// known or was passed.
func (m *Meter) amount() string {
	if m.total <= 0 || m.bytes > m.total {
		return report.Bytes(m.bytes)
	}
	return report.Bytes(m.bytes) + " of " + report.Bytes(m.total)
}

func (m *Meter) share() string {
	if m.total <= 0 || m.bytes > m.total {
		return ""
	}
	// Rounded down: 100 % means all of it.
	return fmt.Sprintf("%d %%", int64(math.Floor(100*float64(m.bytes)/float64(m.total))))
}

// rate is bytes per second over the last window.
func (m *Meter) rate(now time.Time) float64 {
	first := m.past[0]
	d := now.Sub(first.at).Seconds()
	if d <= 0 {
		return 0
	}
	return float64(m.bytes-first.bytes) / d
}

func (m *Meter) rateText(now time.Time) string {
	if r := m.rate(now); r > 0 {
		return report.Rate(r)
	}
	return ""
}

// left is the time to go at the present rate, said when it can be known.
func (m *Meter) left(now time.Time) string {
	r := m.rate(now)
	if m.total <= m.bytes || r <= 0 || now.Sub(m.start) < time.Second {
		return ""
	}
	return clock(time.Duration(float64(m.total-m.bytes)/r*1e9)) + " left"
}

// clock prints a time as people read it off a line: "8 s", "2 min 05 s",
// "1 h 12 min".
func clock(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", max(s, 1))
	case s < 3600:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	case s < 100*3600:
		return fmt.Sprintf("%d h %02d min", s/3600, s%3600/60)
	}
	return "days"
}

func bar(done, total int64, n int) string {
	full := int(float64(n) * math.Min(float64(done)/float64(total), 1))
	return strings.Repeat("━", full) + strings.Repeat("─", n-full)
}

// summary is the closing line.
func (m *Meter) summary(took time.Duration) string {
	s := fmt.Sprintf("read %s documents, %s, in %s", report.Integer(m.docs), report.Bytes(m.bytes), report.Seconds(took.Seconds()))
	if took > 0 {
		s += " (" + report.Rate(float64(m.bytes)/took.Seconds()) + ")"
	}
	return s
}
