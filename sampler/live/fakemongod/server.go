package fakemongod

import (
	"crypto/tls"
	"net"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Fault is something to go wrong.
type Fault struct {
	// Command is the command it befalls; "" for any but the handshake.
	Command string
	// Match narrows that to some commands; nil is all.
	Match func(cmd bson.Raw) bool
	// After lets that many through first; Times is how often it strikes, 0 for
	// ever.
	After, Times int
	// Code and Message are the error given. With Drop the connection is closed
	// instead, with Cut after half a reply; Delay comes before the answer.
	Code    int
	Name    string
	Message string
	Drop    bool
	Cut     bool
	Delay   time.Duration
}

// Server is a running fake.
type Server struct {
	Profile Profile
	// Host is host:port.
	Host string
	// Me is what hello says of itself; Host unless set.
	Me string
	// Members are the hosts of the replica set; Host alone unless set.
	Members []string
	// Shards are what listShards names.
	Shards []string
	// Status is the cache in serverStatus: maximum, used and dirty bytes.
	Status func() (most, used, dirty int64)
	// Options is getCmdLineOpts' parsed document.
	Options bson.D
	// Before is called with each command before it is answered, under the
	// server's lock: it may change collections.
	Before func(s *Server, name string, cmd bson.Raw)

	mu      sync.Mutex
	ln      net.Listener
	dbs     []DB
	faults  []*Fault
	cmds    []bson.Raw
	users   *users
	conns   map[net.Conn]bool
	peak    int
	cursors map[int64]*cursor
	nextID  int64
	seed    uint64
	largest int
	closed  bool
	wg      sync.WaitGroup
}

// Start serves dbs on a port of 127.0.0.1 until Close.
func Start(p Profile, dbs ...DB) (*Server, error) { return StartTLS(p, nil, dbs...) }

// StartTLS is Start over TLS; a nil config is none.
func StartTLS(p Profile, config *tls.Config, dbs ...DB) (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if config != nil {
		ln = tls.NewListener(ln, config)
	}
	s := &Server{Profile: p, Host: ln.Addr().String(), ln: ln, dbs: dbs, conns: map[net.Conn]bool{},
		cursors: map[int64]*cursor{}, nextID: 1000, seed: 1}
	s.wg.Add(1)
	go s.accept()
	return s, nil
}

// URI is a connection string for the server.
func (s *Server) URI() string { return "mongodb://" + s.Host }

// Close stops the server and its connections.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	_ = s.ln.Close()
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
}

// Inject makes faults happen from now on.
func (s *Server) Inject(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range faults {
		s.faults = append(s.faults, &faults[i])
	}
}

// Collection gives a collection, to be changed under Before or before use.
func (s *Server) Collection(db, coll string) *Collection { return s.collection(db, coll) }

// Commands gives the commands answered, without handshakes and monitoring.
func (s *Server) Commands() []bson.Raw {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]bson.Raw(nil), s.cmds...)
}

// LargestReply is the size of the largest reply; OpenCursors is how many cursors
// are open; PeakConnections is how many connections were, at most.
func (s *Server) LargestReply() int    { s.mu.Lock(); defer s.mu.Unlock(); return s.largest }
func (s *Server) OpenCursors() int     { s.mu.Lock(); defer s.mu.Unlock(); return len(s.cursors) }
func (s *Server) PeakConnections() int { s.mu.Lock(); defer s.mu.Unlock(); return s.peak }

func (s *Server) accept() {
	defer s.wg.Done()
	for {
		c, err := s.ln.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.closed {
			_ = c.Close()
			s.mu.Unlock()
			return
		}
		s.conns[c] = true
		s.peak = max(s.peak, len(s.conns))
		s.wg.Add(1)
		s.mu.Unlock()
		go s.serve(c)
	}
}

func (s *Server) serve(c net.Conn) {
	defer s.wg.Done()
	defer func() {
		_ = c.Close()
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
	}()
	session := &conn{}
	for {
		m, err := readMessage(c)
		if err != nil {
			return
		}
		f := s.strike(m)
		if f != nil && f.Delay > 0 {
			time.Sleep(f.Delay)
		}
		if f != nil && f.Drop {
			return
		}
		var reply bson.Raw
		if f != nil && f.Code != 0 {
			reply = marshal(failure(f.Code, f.Name, f.Message))
		} else {
			reply = s.answer(session, m)
		}
		b := m.frame(reply)
		if f != nil && f.Cut {
			_, _ = c.Write(b[:len(b)/2])
			return
		}
		if _, err := c.Write(b); err != nil {
			return
		}
	}
}

// strike finds the fault that befalls m, if any.
func (s *Server) strike(m message) *Fault {
	name := commandName(m.cmd)
	if m.legacy || name == "hello" || name == "isMaster" || name == "ismaster" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		if f.Command != "" && f.Command != name || f.Match != nil && !f.Match(m.cmd) {
			continue
		}
		if f.After > 0 {
			f.After--
			continue
		}
		if f.Times < 0 {
			continue
		}
		if f.Times > 0 {
			f.Times--
			if f.Times == 0 {
				f.Times = -1
			}
		}
		return f
	}
	return nil
}

func commandName(cmd bson.Raw) string {
	e, err := cmd.IndexErr(0)
	if err != nil {
		return ""
	}
	return e.Key()
}

func marshal(d bson.D) bson.Raw {
	b, err := bson.Marshal(d)
	if err != nil {
		panic("fakemongod: " + err.Error()) // a reply of ours that is no BSON is a mistake in the fake
	}
	return b
}

func failure(code int, name, message string) bson.D {
	if name == "" {
		name = codeNames[code]
	}
	return bson.D{{Key: "ok", Value: 0.0}, {Key: "errmsg", Value: message}, {Key: "code", Value: int32(code)}, {Key: "codeName", Value: name}}
}

var codeNames = map[int]string{2: "BadValue", 9: "FailedToParse", 13: "Unauthorized", 18: "AuthenticationFailed",
	26: "NamespaceNotFound", 43: "CursorNotFound", 50: "MaxTimeMSExpired", 59: "CommandNotFound",
	166: "CommandNotSupportedOnView", 211: "KeyNotFound", 11600: "InterruptedAtShutdown", 11601: "Interrupted"}
