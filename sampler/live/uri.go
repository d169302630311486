package live

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/wtsize/wtsize/sampler"
)

// uriReasons are what the driver finds wrong with a connection string, in words
// that hold no part of it. The driver's own text quotes the string.
var uriReasons = []struct{ part, why string }{
	{"scheme must be", "it must begin with mongodb:// or mongodb+srv://"},
	{"unescaped @", "user name or password hold a reserved character: write @ as %40, : as %3A, / as %2F, % as %25"},
	{"unescaped colon", "user name or password hold a reserved character: write : as %3A"},
	{"unescaped slash", "user name or password hold a reserved character: write / as %2F"},
	{"invalid URL escape", "a % is not followed by two hex digits: write % as %25"},
	{"invalid port", "a port is not a number"},
	{"port must be", "a port is not in 1..65535"},
	{"at least 1 host", "it names no host"},
	{"no such host", "the host of a mongodb+srv:// string has no SRV record"},
	{"lookup", "the SRV or TXT record of the host could not be looked up"},
	{"must be a slash", "a / is missing between hosts and ?"},
	{"username required", "the mechanism needs a user name"},
	{"password", "the mechanism needs a password, or takes none"},
	{"direct connection", "directConnection=true takes one host and no SRV record"},
	{"certificate", "a TLS certificate or key file could not be used"},
	{"no such file", "a TLS certificate or key file could not be opened"},
	{"tls", "the TLS options contradict each other"},
	{"authMechanism", "authMechanism or its properties are not valid"},
	{"readpref", "readPreference or its tags are not valid"},
	{"read preference", "readPreference or its tags are not valid"},
}

// clientOptions turns one connection string into driver options, overridden as
// o says. The error is a fault without any part of the string but its hosts.
func clientOptions(uri string, o Options) (*options.ClientOptions, error) {
	opts := options.Client().ApplyURI(withParams(withUser(uri, o), o.Params))
	if err := opts.Validate(); err != nil {
		f := &sampler.Fault{Source: RedactURI(uri), Offset: -1,
			Why:  "the connection string is not valid",
			Hint: "mongodb://[user[:password]@]host[:port][,…]/[database][?options]; special characters percent-encoded"}
		for _, r := range uriReasons {
			if strings.Contains(err.Error(), r.part) {
				f.Why += ": " + r.why
				break
			}
		}
		return nil, f
	}
	override(opts, o)
	// Waiting is this package's: every command has its own bound, and the driver
	// adds a second maxTimeMS to commands when it knows of one.
	opts.Timeout = nil
	opts.SetAppName("wtsize").SetMaxPoolSize(1).SetMinPoolSize(0).SetMaxConnecting(1)
	// Polling takes one monitoring connection where streaming takes two.
	opts.SetServerMonitoringMode(options.ServerMonitoringModePoll)
	opts.SetRetryWrites(false)
	if opts.ServerSelectionTimeout == nil {
		opts.SetServerSelectionTimeout(10 * time.Second)
	}
	return opts, nil
}

// override puts the authentication database in place.
func override(opts *options.ClientOptions, o Options) {
	if opts.Auth == nil {
		return // an authentication database alone authenticates nobody
	}
	auth := *opts.Auth
	if o.AuthDatabase != "" {
		auth.AuthSource = o.AuthDatabase
	}
	opts.SetAuth(auth)
}

// userinfo splits a connection string before and after "user:password@".
func userinfo(uri string) (before, info, after string) {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return "", "", uri
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority = rest[:i]
	}
	i := strings.LastIndexByte(authority, '@')
	if i < 0 {
		return scheme + "://", "", rest
	}
	return scheme + "://", rest[:i], rest[i+1:]
}

// withUser puts user name and password into the string: the driver looks for
// them there before it can be told otherwise.
func withUser(uri string, o Options) string {
	if o.Username == "" && o.Password == "" {
		return uri
	}
	before, info, after := userinfo(uri)
	name, password, has := strings.Cut(info, ":")
	if o.Username != "" {
		name = escape(o.Username)
	}
	if o.Password != "" {
		password, has = escape(o.Password), true
	}
	if has {
		name += ":" + password
	}
	return before + name + "@" + after
}

// escape encodes all that has a meaning in a connection string.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// passwordless are mechanisms that take no password, or can do without.
var passwordless = []string{"MONGODB-X509", "MONGODB-OIDC", "MONGODB-AWS", "GSSAPI"}

// NeedsPassword says that a user is named and the password is not: it should be
// asked for.
func (o Options) NeedsPassword() bool {
	_, info, after := userinfo(o.URI)
	name, _, has := strings.Cut(info, ":")
	if o.Password != "" || has || name == "" && o.Username == "" {
		return false
	}
	mechanism := o.Params.Get("authMechanism")
	if _, query, ok := strings.Cut(after, "?"); ok && mechanism == "" {
		if q, err := url.ParseQuery(query); err == nil {
			for k, v := range q {
				if strings.EqualFold(k, "authMechanism") {
					mechanism = v[0]
				}
			}
		}
	}
	return !slices.Contains(passwordless, strings.ToUpper(mechanism))
}

// withParams appends options to a connection string.
func withParams(uri string, params url.Values) string {
	if len(params) == 0 {
		return uri
	}
	added := params.Encode()
	base, query, has := strings.Cut(uri, "?")
	if !has {
		if i := strings.Index(base, "://"); i >= 0 && !strings.Contains(base[i+3:], "/") {
			base += "/"
		}
		return base + "?" + added
	}
	if query == "" {
		return base + "?" + added
	}
	return base + "?" + query + "&" + added
}
