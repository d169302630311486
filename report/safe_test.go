package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSafe(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"shop.orders", "shop.orders"},
		{"café", "café"},
		{"cafe\u0301", "cafe\u0301"},
		{"日本語.коллекция.مجموعة", "日本語.коллекция.مجموعة"},
		{"a b", "a b"},
		{"a\u00a0b", `a\u00a0b`},
		{"a\u3000b", `a\u3000b`},
		{"\x1b[31mred", `\u001b[31mred`},
		{"\x9b31m", `\x9b31m`},
		{"\u009b31m", `\u009b31m`},
		{"a\nb\r\tc\x00\x7f", `a\u000ab\u000d\u0009c\u0000\u007f`},
		{"\u202egnp.exe", `\u202egnp.exe`},
		{"\u2066x\u2069", `\u2066x\u2069`},
		{"zero\u200bwidth\u200d\ufeff\u2060", `zero\u200bwidth\u200d\ufeff\u2060`},
		{"soft\u00adhyphen", `soft\u00adhyphen`},
		{"line\u2028para\u2029", `line\u2028para\u2029`},
		{"hangul\u3164filler", `hangul\u3164filler`},
		{"tag\U000e0041", `tag\u{e0041}`},
		{"private\ue000", `private\ue000`},
		{"variation\ufe0f", `variation\ufe0f`},
		{"bad\xff\xc3", `bad\xff\xc3`},
		{"\ufffd", "\ufffd"},
	} {
		if got := Safe(c.in); got != c.want {
			t.Errorf("Safe(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	f.Add(hostile)
	f.Add("shop.orders")
	f.Fuzz(func(t *testing.T, in string) {
		s := Safe(in)
		if !utf8.ValidString(s) || strings.IndexFunc(s, hidden) >= 0 {
			t.Errorf("Safe(%q) = %q holds what it should not", in, s)
		}
		if again := Safe(s); again != s {
			t.Errorf("Safe is not idempotent: %q, %q", s, again)
		}
		for _, n := range []int{0, 1, 2, 7, 40} {
			if e := elide(s, n); width(e) > n || !utf8.ValidString(e) {
				t.Errorf("elide(%q, %d) = %q has %d columns", s, n, e, width(e))
			}
			for _, line := range wrap(s, n+2) {
				if width(line) > n+2 {
					t.Errorf("wrap(%q, %d) has a line of %d columns", s, n+2, width(line))
				}
			}
		}
	})
}

func TestElide(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"orders", 6, "orders"},
		{"orders", 5, "or…rs"},
		{"orders", 4, "or…s"},
		{"orders", 1, "…"},
		{"orders", 0, ""},
		{"日本語日本語", 7, "日…本語"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := elide(c.in, c.n); got != c.want {
			t.Errorf("elide(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestWrapKeepsUnits(t *testing.T) {
	got := strings.Join(wrap("saves 38 % of 2.97 MiB in 0.29 s at 131 MB/s, says 1 Small", 9), "|")
	for _, part := range []string{"38" + nbsp + "%", "2.97" + nbsp + "MiB", "0.29" + nbsp + "s", "131" + nbsp + "MB/s", "1|Small"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q does not keep %q together", got, part)
		}
	}
}

func TestBreakCommand(t *testing.T) {
	for _, c := range []struct {
		name, in string
		n        int
		want     []string
	}{
		{"short", "db.a.stats()", 40, []string{"db.a.stats()"}},
		{"at a space", "db.f(1, 2, 3)", 10, []string{"db.f(1, 2,", "3)"}},
		{"never in quotes", `db.f("a b c", 'd e')`, 12, []string{`db.f("a b c",`, `'d e')`}},
		{"escaped quote", `db.f("a\" b", 1)`, 8, []string{`db.f("a\" b",`, `1)`}},
		{"shell", "mongorestore --drop --gzip dump", 22, []string{`mongorestore --drop \`, `--gzip dump`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := breakCommand(c.in, c.n); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
