package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/wtsize/wtsize/sampler"
	"github.com/wtsize/wtsize/sampler/dump"
	"github.com/wtsize/wtsize/sampler/live"
)

// liveFlags say which deployment is read, as in MongoDB's tools. There is no
// short form for a host: -h is help.
type liveFlags struct {
	uri, config                      string
	username, password, authDatabase string
	readPreference                   string
	shards                           []string
	tls, tlsInsecure                 bool
	tlsCA, tlsKey, tlsKeyPassword    string
	set                              *pflag.FlagSet
	opened                           live.Options // of the deployment that is read
}

func (f *liveFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.uri, "uri", "", "connection string of what to read (also WTSIZE_URI)")
	fs.StringArrayVar(&f.shards, "shard-uri", nil, "connection string of a shard, to read it directly (repeatable)")
	fs.StringVar(&f.config, "config", "", "YAML file with uri: and password:, to keep them out of ps")
	fs.StringVarP(&f.username, "username", "u", "", "user")
	fs.StringVarP(&f.password, "password", "p", "", "its password; asked for on the terminal where left out")
	fs.StringVar(&f.authDatabase, "authenticationDatabase", "", "database that holds the user")
	fs.StringVar(&f.readPreference, "readPreference", "", "which members to read from (default secondaryPreferred)")
	fs.BoolVar(&f.tls, "tls", false, "connect with TLS")
	fs.StringVar(&f.tlsCA, "tlsCAFile", "", "PEM file of the certificate authority")
	fs.StringVar(&f.tlsKey, "tlsCertificateKeyFile", "", "PEM file of the client's certificate and key")
	fs.StringVar(&f.tlsKeyPassword, "tlsCertificateKeyFilePassword", "", "password of that key")
	fs.BoolVar(&f.tlsInsecure, "tlsInsecure", false, "don't check the server's certificate")
	f.set = fs
	values(fs, "uri", "STRING", "shard-uri", "STRING", "config", "FILE", "username", "NAME", "password", "PASSWORD", "authenticationDatabase", "NAME", "readPreference", "MODE", "tlsCAFile", "FILE", "tlsCertificateKeyFile", "FILE", "tlsCertificateKeyFilePassword", "PASSWORD")
}

// given reports a flag that says something about a deployment.
func (f *liveFlags) given() (name string) {
	f.set.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && name == "" {
			name = flag.Name
		}
	})
	return name
}

// isURI tells a connection string from a path.
func isURI(s string) bool {
	return strings.HasPrefix(s, "mongodb://") || strings.HasPrefix(s, "mongodb+srv://")
}

// input is the deployment that is meant, nil where none is. The environment
// counts only where nothing else is named.
func (f *liveFlags) input(e *env, uris []string, s dump.Select, rate int64, alone bool) (*input, error) {
	o, err := f.options(e, uris, alone)
	if err != nil {
		return nil, err
	}
	if o.URI == "" && len(o.ShardURIs) == 0 {
		if name := f.given(); name != "" {
			return nil, usage("add --uri mongodb://HOST", "--%s without a deployment to read", name)
		}
		return nil, nil
	}
	o.DB, o.Coll, o.Rate = s.DB, s.Coll, rate
	o.Select = s.Wants
	if o.Coll != "" && o.DB == "" {
		return nil, usage("add --db DATABASE", "--collection without --db")
	}
	if err := f.ask(e, &o); err != nil {
		return nil, err
	}
	src, err := live.Open(o)
	if err != nil {
		return nil, err
	}
	f.opened = o
	return &input{name: src.Name(), open: func() (sampler.Source, error) { return src, nil }, live: src}, nil
}

func (f *liveFlags) options(e *env, uris []string, alone bool) (live.Options, error) {
	o := live.Options{
		URI: f.uri, ShardURIs: f.shards, Username: f.username, Password: f.password,
		AuthDatabase: f.authDatabase, Params: f.params(),
	}
	for _, uri := range uris {
		if o.URI != "" {
			return o, usage("give one --uri; --shard-uri takes more", "two connection strings given")
		}
		o.URI = uri
	}
	if f.config != "" {
		c, err := readConfig(f.config)
		if err != nil {
			return o, err
		}
		if o.URI == "" {
			o.URI = c.URI
		}
		if o.Password == "" {
			o.Password = c.Password
		}
	}
	if o.URI == "" && len(o.ShardURIs) == 0 && alone {
		o.URI = e.getenv("WTSIZE_URI")
	}
	return o, nil
}

// params are the flags that a connection string has options for.
func (f *liveFlags) params() url.Values {
	v := url.Values{}
	for name, value := range map[string]string{
		"readPreference": f.readPreference, "tlsCAFile": f.tlsCA,
		"tlsCertificateKeyFile": f.tlsKey, "tlsCertificateKeyFilePassword": f.tlsKeyPassword,
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if f.tls || f.tlsInsecure || f.tlsCA != "" || f.tlsKey != "" {
		v.Set("tls", "true")
	}
	if f.tlsInsecure {
		v.Set("tlsInsecure", "true")
	}
	return v
}

// collections lists those of a database, as far as they can be had in a moment.
func (f *liveFlags) collections(ctx context.Context, db string) []string {
	if f.opened.URI == "" && len(f.opened.ShardURIs) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, listingTime)
	defer cancel()
	o := f.opened
	var names []string
	o.DB, o.Coll = db, ""
	o.Select = func(ns sampler.Namespace) bool {
		names = append(names, ns.Coll)
		return false
	}
	if src, err := live.Open(o); err == nil {
		_, _ = src.Plan(ctx, sampler.Budget{}) // what goes wrong was told already
	}
	return names
}

// ask asks for the password where there is a user without one.
func (f *liveFlags) ask(e *env, o *live.Options) error {
	if o.Password != "" || !f.lacksPassword(o) {
		return nil
	}
	password, err := e.askPassword("Password: ")
	if err != nil {
		return usage("--config FILE, with a line password: in it", "a password is needed, and there is no terminal to ask for it")
	}
	o.Password = password
	return nil
}

func (f *liveFlags) lacksPassword(o *live.Options) bool {
	if strings.Contains(o.URI, "authMechanism=") && !strings.Contains(o.URI, "authMechanism=SCRAM") &&
		!strings.Contains(o.URI, "authMechanism=PLAIN") {
		return false // a certificate, a token or a ticket stands in for it
	}
	_, rest, _ := strings.Cut(o.URI, "://")
	userinfo, _, ok := strings.Cut(rest, "@")
	inURI := ok && strings.Contains(userinfo, ":")
	return !inURI && (ok || o.Username != "") || f.set.Changed("password")
}

// config is the file of --config, with the keys of MongoDB's tools.
type config struct {
	URI, Password string
}

// maxConfigBytes is far above what two lines take.
const maxConfigBytes = 1 << 20

// readConfig never repeats what is in the file: any of it may be the password.
func readConfig(path string) (config, error) {
	var c config
	info, err := os.Stat(path)
	if err != nil {
		return c, hinted{fmt.Errorf("%s: can't be read: %w", path, cause(err)), "check --config FILE"}
	}
	if info.Size() > maxConfigBytes {
		return c, hinted{fmt.Errorf("%s: too long for a configuration file", path), "check --config FILE"}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, hinted{fmt.Errorf("%s: can't be read: %w", path, cause(err)), "check --config FILE"}
	}
	keys := map[string]string{}
	if err := yaml.Unmarshal(data, &keys); err != nil {
		return c, hinted{fmt.Errorf("%s: not a configuration file", path), "write lines such as uri: mongodb://HOST and password: SECRET"}
	}
	for key := range keys {
		if key != "uri" && key != "password" {
			return c, hinted{fmt.Errorf("%s: a key that is neither uri nor password", path), "write lines such as uri: mongodb://HOST and password: SECRET"}
		}
	}
	return config{keys["uri"], keys["password"]}, nil
}
