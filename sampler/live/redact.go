package live

import (
	"net/url"
	"regexp"
	"strings"
)

// wellFormed is a connection string whose parts can be told apart without
// doubt: nothing but an escaped user:password before the only @ of the
// authority, then hosts. What does not match may hold a password anywhere.
var wellFormed = regexp.MustCompile(
	`^(mongodb(?:\+srv)?://)(?:[^@/?#\s]*@)?((?:[A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.%]+\]|%2[Ff][A-Za-z0-9._%\-]+)(?::[0-9]{1,5})?(?:,(?:[A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.%]+\])(?::[0-9]{1,5})?)*)(?:/[^@/]*)?(?:\?[^@]*)?$`)

// RedactURI gives the scheme and hosts of a connection string and nothing else:
// no user, password, database or options. Of a string that is not well formed
// it gives the scheme at most, since any part of it may be the password.
func RedactURI(uri string) string {
	if m := wellFormed.FindStringSubmatch(uri); m != nil {
		return m[1] + m[2]
	}
	for _, scheme := range []string{"mongodb+srv://", "mongodb://"} {
		if strings.HasPrefix(uri, scheme) {
			return scheme + "…"
		}
	}
	return "…"
}

// A scrubber removes secrets from texts that others wrote.
type scrubber struct {
	secrets []string
	// mute: a secret is so short that removing it would show where it stood;
	// no foreign text is passed on at all.
	mute bool
}

// shortSecret is the length below which a secret is no longer searched for.
const shortSecret = 4

// secretParams are URI options whose values are secrets.
// MongoDB connection string specification, "Connection Options".
var secretParams = []string{"authMechanismProperties", "tlsCertificateKeyFilePassword",
	"sslClientCertificateKeyPassword", "tlsCertificateKeyFile", "proxyPassword", "proxyUsername"}

func newScrubber(o Options) scrubber {
	var s scrubber
	s.add(o.Password)
	s.add(o.Username)
	s.addParams(o.Params)
	for _, uri := range append([]string{o.URI}, o.ShardURIs...) {
		s.addURI(uri)
	}
	return s
}

// addURI takes every reading of a string that may not be well formed: the
// userinfo may end at any @.
func (s *scrubber) addURI(uri string) {
	if uri == "" {
		return
	}
	s.add(uri)
	_, rest, ok := strings.Cut(uri, "://")
	if !ok {
		rest = uri
	}
	for i, c := range rest {
		if c == '@' {
			user, password, _ := strings.Cut(rest[:i], ":")
			s.add(user)
			s.add(password)
		}
	}
	if i := strings.LastIndexByte(rest, '?'); i >= 0 {
		if q, err := url.ParseQuery(rest[i+1:]); err == nil {
			s.addParams(q)
		}
	}
}

func (s *scrubber) addParams(q url.Values) {
	for key, values := range q {
		for _, secret := range secretParams {
			if strings.EqualFold(key, secret) {
				for _, v := range values {
					s.addProperties(v)
				}
			}
		}
	}
}

// addProperties takes the values of NAME:value,NAME:value as well as the whole.
func (s *scrubber) addProperties(v string) {
	s.add(v)
	for _, pair := range strings.Split(v, ",") {
		if _, value, ok := strings.Cut(pair, ":"); ok {
			s.add(value)
		}
	}
}

func (s *scrubber) add(secret string) {
	if secret == "" {
		return
	}
	for _, form := range []string{secret, unescape(secret), url.QueryEscape(secret), url.PathEscape(secret)} {
		if len(form) < shortSecret {
			s.mute = true
			continue
		}
		s.secrets = append(s.secrets, form)
	}
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// text gives s without secrets, or nothing when that cannot be promised.
func (s scrubber) text(t string) string {
	if s.mute {
		return ""
	}
	for _, secret := range s.secrets {
		t = strings.ReplaceAll(t, secret, "…")
	}
	return t
}
