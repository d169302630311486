package live

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/wtsize/wtsize/sampler"
)

// Server error codes this package acts on. MongoDB: src/mongo/base/error_codes.yml;
// 16500 is Azure Cosmos DB's throttling, 8000 Atlas' proxy, 303 Amazon
// DocumentDB's unsupported feature.
const (
	codeBadValue          = 2
	codeUnauthorized      = 13
	codeAuthFailed        = 18
	codeNamespaceNotFound = 26
	codeCursorNotFound    = 43
	codeMaxTimeMSExpired  = 50
	codeCommandNotFound   = 59
	codeViewNotSupported  = 166
	codeKeyNotFound       = 211
	codeCursorKilled      = 237
	codeNotImplemented    = 238
	codeReauthenticate    = 391
	codeAtlas             = 8000
	codeInterrupted       = 11601
	codeThrottled         = 16500
	codeSampleFailed      = 28799
)

// transient are errors that pass by themselves: elections, shutdowns and the
// network between members. error_codes.yml, categories RetriableError,
// NetworkError and NotPrimaryError.
var transient = map[int]bool{
	6: true, 7: true, 89: true, 91: true, 134: true, 189: true, 262: true, 9001: true,
	10107: true, 11600: true, 11602: true, 13388: true, 13435: true, 13436: true, 175: true,
}

// serverError is a failed command as it may be shown: what the server said,
// without values of documents or credentials. It keeps no reference to the
// driver's error, whose text has both.
type serverError struct {
	Host, Command string
	Code          int    // 0 when no server answered
	Name          string // of the code
	Text          string
	Network       bool // the connection broke
	Auth          bool // the server does not know us
	Moved         bool // another member took over
	Old           bool // the driver does not speak to servers so old
	Strained      bool // we stopped, to spare the server
	Stopped       error
}

func (e *serverError) Error() string {
	if e.Strained {
		return e.Text
	}
	s := e.Command + " failed"
	if e.Code != 0 {
		s += fmt.Sprintf(" with error %d", e.Code)
		if e.Name != "" {
			s += " " + e.Name
		}
	}
	if e.Text != "" {
		s += ": " + e.Text
	}
	return s
}

// Unwrap gives the context's error alone, so that callers can tell an
// interrupt from a failure.
func (e *serverError) Unwrap() error { return e.Stopped }

// newServerError takes apart what the driver returned.
func newServerError(ctx context.Context, host, command string, err error, scrub scrubber) *serverError {
	e := &serverError{Host: host, Command: command}
	if ctx.Err() != nil {
		e.Stopped, e.Text = ctx.Err(), "interrupted"
		return e
	}
	var ce mongo.CommandError
	if errors.As(err, &ce) && ce.Code != 0 {
		e.Code, e.Name, e.Text = int(ce.Code), ce.Name, plain(ce.Message)
		e.Auth = e.Code == codeAuthFailed || e.Code == codeReauthenticate || e.Code == 11
	} else {
		e.Network = true
		e.Text = lastError(err.Error())
		e.Auth = strings.Contains(e.Text, "auth error")
		if errors.Is(err, context.Canceled) {
			e.Text = "no reply in time"
		}
	}
	if strings.Contains(e.Text, "reports wire version") {
		e.Network, e.Old = false, true
		e.Text = "the server is older than MongoDB 3.6, the oldest that can be read"
	}
	if e.Auth {
		e.Network = false
		e.Text = "authentication failed"
	}
	e.Text = scrub.text(e.Text)
	return e
}

// lastError takes the cause out of a server selection error, which wraps it in
// a dump of the topology.
func lastError(t string) string {
	if i := strings.LastIndex(t, "Last error: "); i >= 0 {
		t = strings.TrimRight(t[i+len("Last error: "):], "}] ,")
	}
	return clip(t)
}

// plain is a server's message up to the first document it quotes, with quoted
// values taken out: servers echo the command, and with it keys of documents.
// Names of operators and fields of commands ($…) stay.
func plain(t string) string {
	if i := strings.IndexAny(t, "{["); i >= 0 {
		t = strings.TrimSpace(t[:i])
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(t, '"')
		if i < 0 {
			break
		}
		j := strings.IndexByte(t[i+1:], '"')
		if j < 0 {
			t = t[:i]
			break
		}
		b.WriteString(t[:i])
		if inner := t[i+1 : i+1+j]; strings.HasPrefix(inner, "$") {
			b.WriteString(`"` + inner + `"`)
		} else {
			b.WriteString(`"…"`)
		}
		t = t[i+j+2:]
	}
	b.WriteString(t)
	return clip(strings.TrimRight(b.String(), " :"))
}

// clip bounds a foreign text to one line.
func clip(t string) string {
	t = strings.Join(strings.Fields(t), " ")
	const most = 240
	if r := []rune(t); len(r) > most {
		t = string(r[:most]) + "…"
	}
	return t
}

// codeOf gives the server's error code, 0 for any other error.
func codeOf(err error) int {
	var e *serverError
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// final reports errors after which no other way of reading can help: we were
// stopped, cut off or are not known to the server.
func final(err error) bool {
	var e *serverError
	if !errors.As(err, &e) {
		return err != nil
	}
	return !e.Moved && (e.Stopped != nil || e.Network || e.Auth || e.Old || e.Strained || transient[e.Code])
}

// fault is err as a reader of the report sees it.
func fault(host string, ns sampler.Namespace, err error) *sampler.Fault {
	var f *sampler.Fault
	if errors.As(err, &f) {
		return f
	}
	f = &sampler.Fault{Source: host, Offset: -1}
	if f.NS = ns.DB; ns.Coll != "" {
		f.NS = ns.String()
	}
	var e *serverError
	if !errors.As(err, &e) {
		f.Why, f.Err = "reading failed", err
		return f
	}
	if e.Host != "" {
		f.Source = e.Host
	}
	f.Why, f.Hint = e.Error(), hint(e, ns)
	f.Err = e.Stopped
	return f
}

// hint says how to go on after an error.
func hint(e *serverError, ns sampler.Namespace) string {
	switch {
	case e.Stopped != nil:
		return ""
	case e.Auth:
		return "check user name, password and --authenticationDatabase; credentials may have expired"
	case e.Strained:
		return "try again when the server is less busy, or from another member"
	case e.Old:
		return "dump the collection with the mongodump of that release, and size the dump"
	case e.Network:
		return "check host, port, TLS options and that the server is up; reading again takes another sample"
	case transient[e.Code]:
		return "the member is stepping down, shutting down or starting; try again in a minute"
	}
	switch e.Code {
	case codeUnauthorized:
		return "grant the role read on database " + ns.DB
	case codeMaxTimeMSExpired:
		return "the server is slow; try again when it is less busy, or from another member"
	case codeThrottled:
		return "the service throttles; read less with --sample, or slower with --rate"
	case codeInterrupted, codeCursorKilled:
		return "someone on the server ended the operation; ask before trying again"
	case codeCursorNotFound:
		return "the server closed the cursor; read less with --sample, which needs none on most servers"
	case codeNamespaceNotFound:
		return "the collection was dropped or renamed"
	case codeAtlas:
		return "the service does not allow this command on this tier"
	}
	return ""
}
