package live

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
	"github.com/wtsize/wtsize/sampler/racetest"
)

// The secrets of the corpus. User names count: they are half of a credential.
const (
	user   = "adminuser"
	secret = "s3cr3tpw"
)

// malformed are connection strings with something wrong about them, and some
// that are right, each holding user and secret somewhere.
func malformed() []string {
	special := []string{"@", ":", "/", "?", "#", "%", "%zz", "[", "]", " ", "\n", "\x00", "é", "&", "=", "\\", "@@", "://", "%40", "%2F"}
	uris := []string{
		"mongodb://adminuser:s3cr3tpw", // no host
		"mongodb://adminuser:s3cr3tpw@",
		"mongodb://adminuser:s3cr3tpw@/db",
		"mongodb://adminuser:s3cr3tpw@:27017",
		"mongodb://adminuser:s3cr3tpw@host:port/db",
		"mongodb://adminuser:s3cr3tpw@host:99999999/db",
		"mongodb://adminuser:s3cr3tpw@host:27017,host2:bad",
		"mongodb://adminuser:s3cr3tpw@host?tls=maybe",
		"mongodb://adminuser:s3cr3tpw@host/?authMechanism=NONE-SUCH",
		"mongodb://adminuser:s3cr3tpw@host/?readPreference=sometimes",
		"mongodb://adminuser:s3cr3tpw@host/?tlsCertificateKeyFile=/no/such/file",
		"mongodb://adminuser:s3cr3tpw@host/?tlsCAFile=/no/such/file&tlsCertificateKeyFilePassword=s3cr3tpw",
		"mongodb://adminuser:s3cr3tpw@host/?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:s3cr3tpw",
		"mongodb://host/?authMechanism=MONGODB-OIDC&authMechanismProperties=TOKEN_RESOURCE:s3cr3tpw,ENVIRONMENT:azure&x=adminuser",
		"mongodb://adminuser:s3cr3tpw@host/?compressors=s3cr3tpw",
		"mongodb://adminuser:s3cr3tpw@host/?directConnection=true&loadBalanced=true",
		"mongodb://adminuser:s3cr3tpw@a,b/?directConnection=true",
		"mongodb://adminuser:s3cr3tpw@host/?w=majority&wtimeoutMS=s3cr3tpw",
		"mongodb://adminuser:s3cr3tpw@host/?maxPoolSize=s3cr3tpw",
		"mongodb+srv://adminuser:s3cr3tpw@host:27017",
		"mongodb+srv://adminuser:s3cr3tpw@a.b.invalid,c.d.invalid",
		"mongodb+srv://adminuser:s3cr3tpw@localhost",
		"mongodb+srv://adminuser:s3cr3tpw@",
		"mongo://adminuser:s3cr3tpw@host",
		"mongodb:/adminuser:s3cr3tpw@host",
		"mongodb:adminuser:s3cr3tpw@host",
		"http://adminuser:s3cr3tpw@host",
		"adminuser:s3cr3tpw@host",
		"MONGODB://adminuser:s3cr3tpw@host",
		" mongodb://adminuser:s3cr3tpw@host",
		"mongodb://mongodb://adminuser:s3cr3tpw@host",
		"mongodb://adminuser:s3cr3tpw@host/db@adminuser:s3cr3tpw",
		"mongodb://host/adminuser:s3cr3tpw",
		"mongodb://host/?user=adminuser&password=s3cr3tpw",
		"mongodb://adminuser:s3cr3tpw@%2Ftmp%2Fnone.sock/db",
		"mongodb://adminuser:s3cr3tpw@[::1]:1/db",
		"mongodb://adminuser:s3cr3tpw@[::1/db",
	}
	for _, c := range special {
		uris = append(uris,
			"mongodb://adminuser:s3cr3tpw"+c+"s3cr3tpw@host/db",
			"mongodb://adminuser"+c+":s3cr3tpw@host/db",
			"mongodb://adminuser:"+c+"s3cr3tpw@host:1/?x=y",
			"mongodb://adminuser:s3cr3tpw@host"+c+"adminuser/db",
			"mongodb+srv://adminuser:s3cr3tpw"+c+"@host.invalid/db",
			"mongodb://adminuser:s3cr3tpw@host/db"+c+"s3cr3tpw",
		)
	}
	return uris
}

// TestNoCredentials opens every string of the corpus, with and without
// overrides, and looks for secrets in everything that comes back.
func TestNoCredentials(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("connects to closed ports")
	}
	for i, uri := range malformed() {
		if racetest.Enabled && i%4 != 0 {
			continue // the same goroutines each time
		}
		for _, o := range []Options{
			{URI: uri},
			{URI: uri, Username: user, Password: secret},
			{URI: "mongodb://127.0.0.1:1", ShardURIs: []string{uri}},
			{URI: uri, Params: url.Values{"authMechanismProperties": {"X:" + secret}}},
		} {
			texts := []string{RedactURI(uri)}
			s, err := Open(o)
			if err != nil {
				texts = append(texts, fmt.Sprint(err), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err))
				if f, ok := err.(*sampler.Fault); !ok || f.Why == "" {
					t.Errorf("%d: error %v is no fault", i, err)
				} else {
					texts = append(texts, f.Hint)
				}
			} else {
				texts = append(texts, s.Name())
			}
			for _, text := range texts {
				if strings.Contains(text, secret) || strings.Contains(text, user) {
					t.Errorf("%q gives away a credential: %q", uri, text)
				}
			}
		}
	}
}

// TestRejected: what a server and the driver say about a wrong password holds
// neither the password nor the user.
func TestRejected(t *testing.T) {
	for _, p := range []fakemongod.Profile{fakemongod.V70(), fakemongod.V42()} {
		rejected(t, serve(t, p, fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 10, objectIDs)}}))
	}
}

func rejected(t *testing.T, s *fakemongod.Server) {
	if err := s.Require(user, secret); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		o    Options
		why  string
	}{
		{"right", Options{URI: "mongodb://" + user + ":" + secret + "@" + s.Host}, ""},
		{"right, overriding", Options{URI: "mongodb://nobody:wrongpw@" + s.Host, Username: user, Password: secret}, ""},
		{"right, separately", Options{URI: s.URI(), Username: user, Password: secret, AuthDatabase: "admin"}, ""},
		{"right, mechanism named", Options{URI: "mongodb://" + user + "@" + s.Host + "/?authMechanism=SCRAM-SHA-256", Password: secret}, ""},
		{"wrong", Options{URI: "mongodb://" + user + ":" + secret + "x@" + s.Host}, "authentication failed"},
		{"wrong user", Options{URI: "mongodb://" + secret + ":" + secret + "@" + s.Host}, "authentication failed"},
		{"none", Options{URI: s.URI()}, "requires authentication"},
		{"short", Options{URI: "mongodb://me:pw@" + s.Host}, "authentication failed"},
	} {
		var v collector
		err := open(t, tc.o).Read(context.Background(), testBudget, &v)
		if tc.why == "" {
			if err != nil || v.find("a") == nil {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", tc.name)
			continue
		}
		text := fmt.Sprintf("%v %+v %#v", err, err, err)
		if strings.Contains(text, secret) || strings.Contains(text, user) || tc.name != "short" && !strings.Contains(text, tc.why) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestAuthDatabase: the user is looked for where the flag says.
func TestAuthDatabase(t *testing.T) {
	for flag, want := range map[string]string{"": "shop", "users": "users"} {
		s := serve(t, fakemongod.V70(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 10, objectIDs)}})
		if err := s.Require(user, secret); err != nil {
			t.Fatal(err)
		}
		o := Options{URI: s.URI() + "/shop", Username: user, Password: secret, AuthDatabase: flag}
		if err := open(t, o).Read(context.Background(), testBudget, &collector{}); err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, cmd := range s.Commands() {
			if has(cmd, "saslStart") {
				asked++
				if db := str(cmd, "$db"); db != want {
					t.Errorf("%q: user looked for in %q, want %q", flag, db, want)
				}
			}
		}
		if asked == 0 {
			t.Errorf("%q: no authentication", flag)
		}
	}
}

func TestUnreachable(t *testing.T) {
	o := Options{URI: "mongodb://" + user + ":" + secret + "@127.0.0.1:1/?serverSelectionTimeoutMS=300"}
	start := time.Now()
	err := open(t, o).Read(context.Background(), testBudget, &collector{})
	if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "mongodb://127.0.0.1:1: cannot connect") {
		t.Errorf("error %v after %v", err, time.Since(start))
	}
}

func TestRedactURI(t *testing.T) {
	for uri, want := range map[string]string{
		"mongodb://u:p@h":                             "mongodb://h",
		"mongodb://u:p@h:27017,i:27018/db?x=y":        "mongodb://h:27017,i:27018",
		"mongodb+srv://u:p@cluster0.abc.mongodb.net/": "mongodb+srv://cluster0.abc.mongodb.net",
		"mongodb://h":                                 "mongodb://h",
		"mongodb://[::1]:27017":                       "mongodb://[::1]:27017",
		"mongodb://u:p%40q@h":                         "mongodb://h",
		"mongodb://u:p@q@h":                           "mongodb://…",
		"mongodb://u:p/q@h":                           "mongodb://…",
		"mongodb://u:password":                        "mongodb://…",
		"mongodb://h?x=a@b":                           "mongodb://…",
		"http://u:p@h":                                "…",
		"":                                            "…",
	} {
		if got := RedactURI(uri); got != want {
			t.Errorf("%q: %q, want %q", uri, got, want)
		}
	}
}

// What servers say loses the documents and values it quotes.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		`not authorized on shop to execute command { find: "a", filter: { _id: "x" } }`: "not authorized on shop to execute command",
		`find: unknown field "$_requestResumeToken"`:                                    `find: unknown field "$_requestResumeToken"`,
		`value "jane@example.org" is odd`:                                               `value "…" is odd`,
		`an open "quote`:                                                                `an open`,
		"two\nlines":                                                                    "two lines",
		"":                                                                              "",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if n := len([]rune(plain(strings.Repeat("x", 1000)))); n != 241 {
		t.Errorf("%d characters", n)
	}
}

func TestNeedsPassword(t *testing.T) {
	for _, tc := range []struct {
		o    Options
		want bool
	}{
		{Options{URI: "mongodb://h"}, false},
		{Options{URI: "mongodb://u@h"}, true},
		{Options{URI: "mongodb://u:@h"}, false},
		{Options{URI: "mongodb://u:p@h"}, false},
		{Options{URI: "mongodb://u@h", Password: "p"}, false},
		{Options{URI: "mongodb://h", Username: "u"}, true},
		{Options{URI: "mongodb://u@h/?authMechanism=MONGODB-X509"}, false},
		{Options{URI: "mongodb://u@h/?authmechanism=mongodb-x509"}, false},
		{Options{URI: "mongodb://u@h/?authMechanism=SCRAM-SHA-256"}, true},
		{Options{URI: "mongodb://u@h", Params: url.Values{"authMechanism": {"GSSAPI"}}}, false},
		{Options{URI: ""}, false},
	} {
		if got := tc.o.NeedsPassword(); got != tc.want {
			t.Errorf("%+v: %v", tc.o, got)
		}
	}
}

func TestWithUser(t *testing.T) {
	for _, tc := range []struct{ uri, user, password, want string }{
		{"mongodb://h/db", "", "", "mongodb://h/db"},
		{"mongodb://h/db", "u", "", "mongodb://u@h/db"},
		{"mongodb://h/db", "u", "p", "mongodb://u:p@h/db"},
		{"mongodb://u@h", "", "p@:/ ?", "mongodb://u:p%40%3A%2F%20%3F@h"},
		{"mongodb://u:p@h,i/?x=a@b", "v", "q", "mongodb://v:q@h,i/?x=a@b"},
		{"mongodb://u:p@h", "v", "", "mongodb://v:p@h"},
	} {
		if got := withUser(tc.uri, Options{Username: tc.user, Password: tc.password}); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.uri, got, tc.want)
		}
	}
}
