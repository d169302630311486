package namespace

import (
	"regexp"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/sampler"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"shop.orders", "shop.orders", true},
		{"shop.orders", "shop.orders2", false},
		{"shop.*", "shop.orders", true},
		{"shop.*", "shop.", true},
		{"shop.*", "shopping.orders", false},
		{"*", "a.b.c", true},
		{"*.orders", "shop.eu.orders", true},
		{"*.ord*rs", "shop.orders", true},
		{"**a**", "xay", true},
		{"a*b*c", "abbc", true},
		{"a*b*c", "acb", false},
		{`a\*b`, "a*b", true},
		{`a\*b`, "axb", false},
		{`a\\b`, `a\b`, true},
		{"", "", true},
		{"", "a", false},
		{"a.c", "abc", false},
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

// FuzzMatch compares with the regular expression that means the same.
func FuzzMatch(f *testing.F) {
	f.Add("a*b", "axb")
	f.Add(`\*\\`, `*\`)
	f.Fuzz(func(t *testing.T, pattern, name string) {
		var re strings.Builder
		for p := 0; p < len(pattern); {
			c, width, wild := literal(pattern, p)
			if wild {
				re.WriteString(`(?:[\x00-\xff])*`)
			} else {
				re.WriteString(regexp.QuoteMeta(string(rune(c))))
			}
			p += width
		}
		// Bytes become the runes of the same number, so that any bytes compare.
		latin := func(s string) string {
			r := make([]rune, len(s))
			for i := range r {
				r[i] = rune(s[i])
			}
			return string(r)
		}
		want := regexp.MustCompile(`(?s)\A` + re.String() + `\z`).MatchString(latin(name))
		if got := Match(pattern, name); got != want {
			t.Errorf("Match(%q, %q) = %v", pattern, name, got)
		}
	})
}

func TestWants(t *testing.T) {
	ns := sampler.Namespace{DB: "shop", Coll: "orders"}
	for _, c := range []struct {
		s    Select
		want bool
	}{
		{Select{}, true},
		{Select{DB: "shop"}, true},
		{Select{DB: "shop", Coll: "users"}, false},
		{Select{DB: "crm", Coll: "orders"}, false},
		{Select{Include: []string{"crm.*", "shop.o*"}}, true},
		{Select{Coll: "system.buckets.orders"}, true}, // where a time series' data is
		{Select{Include: []string{"crm.*"}}, false},
		{Select{Include: []string{"*"}, Exclude: []string{"*.orders"}}, false},
	} {
		if got := c.s.Wants(ns); got != c.want {
			t.Errorf("%+v wants %v: %v", c.s, ns, got)
		}
	}
	if !(Select{DB: "shop", Coll: "orders"}).Wants(sampler.Namespace{Coll: "orders"}) {
		t.Error("an unknown database does not fit -d")
	}
	if !(Select{Include: []string{"shop.ord*"}}).Wants(sampler.Namespace{Coll: "orders"}) {
		t.Error("an unknown database does not fit a pattern with one")
	}
}

func TestCheck(t *testing.T) {
	for pattern, ok := range map[string]bool{"": false, `a\`: false, `a\\`: true, "a.*": true} {
		if err := (Select{Exclude: []string{pattern}}).Check(); (err == nil) != ok {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

func TestNotUsers(t *testing.T) {
	for _, c := range []struct {
		s    Select
		ns   sampler.Namespace
		user bool
	}{
		{Select{}, sampler.Namespace{DB: "shop", Coll: "orders"}, true},
		{Select{}, sampler.Namespace{DB: "shop", Coll: "system.buckets.ts"}, true},
		{Select{}, sampler.Namespace{DB: "shop", Coll: "system.buckets."}, false},
		{Select{}, sampler.Namespace{DB: "shop", Coll: "system.js"}, false},
		{Select{}, sampler.Namespace{DB: "shop", Coll: "systems"}, true},
		{Select{}, sampler.Namespace{DB: "shop", Coll: "$admin.system.users"}, false},
		{Select{}, sampler.Namespace{DB: "admin", Coll: "mine"}, false},
		{Select{DB: "admin"}, sampler.Namespace{DB: "admin", Coll: "mine"}, true},
		{Select{DB: "admin"}, sampler.Namespace{DB: "admin", Coll: "system.users"}, false},
		{Select{Include: []string{"config.chunks"}}, sampler.Namespace{DB: "config", Coll: "chunks"}, true},
		{Select{Include: []string{"*"}}, sampler.Namespace{DB: "config", Coll: "chunks"}, false},
		{Select{DB: "local"}, sampler.Namespace{DB: "local", Coll: "oplog.rs"}, false},
		{Select{Coll: "system.profile"}, sampler.Namespace{DB: "shop", Coll: "system.profile"}, true},
		{Select{}, sampler.Namespace{Coll: "oplog"}, false},
		{Select{}, sampler.Namespace{DB: "shop", Coll: "oplog"}, true},
		{Select{}, sampler.Namespace{DB: "__mdb_internal_search", Coll: "x"}, false},
	} {
		if why := c.s.NotUsers(c.ns); (why == "") != c.user {
			t.Errorf("%v: %q", c.ns, why)
		}
	}
}

func TestFileName(t *testing.T) {
	long := strings.Repeat("aVery", 60)
	for _, coll := range []string{"orders", "with space/and slash", "a.b", "$x", "cafés", "100%", "a+b"} {
		got, whole := FromFileName(FileName(coll))
		if got != coll || !whole {
			t.Errorf("%q came back as %q, %v", coll, got, whole)
		}
	}
	if n := len(FileName(long)); n != maxFileName {
		t.Errorf("shortened to %d bytes", n)
	}
	if got, whole := FromFileName(FileName(long)); whole || !strings.HasPrefix(long, got) || len(got) < keptOfName-2 {
		t.Errorf("shortened name came back as %q, %v", got, whole)
	}
	if got, _ := FromFileName("50%zz"); got != "50%zz" {
		t.Errorf("name that is no escape came back as %q", got)
	}
}
