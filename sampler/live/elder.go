package live

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"strings"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// The driver refuses servers below wire version 9 (MongoDB 4.4), because its
// helpers are no longer tested with them. This package spells out every command
// itself, and none is newer than OP_MSG, which came with wire version 6. Such
// servers run on: MongoDB 4.2 and older, Amazon DocumentDB 4.0, Azure Cosmos DB
// with older interfaces. For them, after the driver has refused, hello replies
// are made to say 9. Nothing but greetings is touched.
const (
	oldestWire  = 6
	refusedWire = 9
	// helloMost is far above the size of a reply to hello.
	helloMost = 1 << 20
)

// elder gives options that reach servers older than the driver takes.
func elder(o *options.ClientOptions) *options.ClientOptions {
	e := *o
	d := &elderDialer{tls: o.TLSConfig, next: o.Dialer}
	if d.next == nil {
		d.next = &net.Dialer{}
	}
	// TLS is set up below, since a greeting cannot be read above it.
	e.TLSConfig = nil
	e.Dialer = d
	return &e
}

type elderDialer struct {
	tls  *tls.Config
	next options.ContextDialer
}

// DialContext connects, and secures the connection where TLS was asked for.
func (d *elderDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.next.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if d.tls == nil {
		return &elderConn{Conn: c}, nil
	}
	config := d.tls.Clone()
	if config.ServerName == "" {
		if config.ServerName, _, err = net.SplitHostPort(address); err != nil {
			config.ServerName = address
		}
	}
	secure := tls.Client(c, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = c.Close() // the handshake's error counts
		return nil, err
	}
	return &elderConn{Conn: secure}, nil
}

// elderConn lifts the wire version in replies to greetings.
type elderConn struct {
	net.Conn
	greeted bool   // the next reply is to a greeting
	ready   []byte // of that reply, not yet read
}

// Write passes one message on and looks whether it is a greeting: the driver
// writes messages whole.
func (c *elderConn) Write(b []byte) (int, error) {
	c.greeted = greeting(b)
	return c.Conn.Write(b)
}

// Opcodes. src/mongo/rpc/message.h.
const (
	opQuery = 2004
	opMsg   = 2013
)

// greeting: an OP_QUERY, which only greetings still use, or an OP_MSG whose
// command is one.
func greeting(b []byte) bool {
	const header, flags = 16, 4
	if len(b) < header+flags+1+4+1 {
		return false
	}
	switch binary.LittleEndian.Uint32(b[12:]) {
	case opQuery:
		return true
	case opMsg:
		// One kind byte, the document's length, the first element's type, its name.
		name, _, _ := bytes.Cut(b[header+flags+1+4+1:], []byte{0})
		return strings.EqualFold(string(name), "hello") || strings.EqualFold(string(name), "ismaster")
	}
	return false
}

var errGreeting = errors.New("the reply to a greeting is malformed")

// Read gives the reply to a greeting with its wire version lifted, and all
// else as it comes.
func (c *elderConn) Read(p []byte) (int, error) {
	if c.greeted {
		c.greeted = false
		m, err := readReply(c.Conn)
		if err != nil {
			return 0, err
		}
		lift(m)
		c.ready = m
	}
	if len(c.ready) > 0 {
		n := copy(p, c.ready)
		c.ready = c.ready[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// readReply reads one message, whose length leads it.
func readReply(r net.Conn) ([]byte, error) {
	size := make([]byte, 4)
	if err := readFull(r, size); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size)
	if n < 16 || n > helloMost {
		return nil, errGreeting
	}
	m := make([]byte, n)
	copy(m, size)
	return m, readFull(r, m[4:])
}

// readFull keeps the error of the connection as it is: the driver tells
// timeouts from other errors by it.
func readFull(r net.Conn, b []byte) error {
	for len(b) > 0 {
		n, err := r.Read(b)
		if b = b[n:]; err != nil && len(b) > 0 {
			return err
		}
	}
	return nil
}

// wireField is the element maxWireVersion, an int32, up to its value.
var wireField = []byte("\x10maxWireVersion\x00")

// lift makes a version between oldestWire and refusedWire the latter.
func lift(m []byte) {
	i := bytes.Index(m, wireField)
	if i < 0 || len(m) < i+len(wireField)+4 {
		return
	}
	value := m[i+len(wireField):]
	if v := binary.LittleEndian.Uint32(value); v >= oldestWire && v < refusedWire {
		binary.LittleEndian.PutUint32(value, refusedWire)
	}
}
