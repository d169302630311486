package fakemongod

import (
	"encoding/binary"
	"errors"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// The opcodes of the wire protocol. src/mongo/rpc/op_msg.h, dbmessage.h.
const (
	opReply = 1
	opQuery = 2004
	opMsg   = 2013
)

const maxMessage = 48_000_000

var errFrame = errors.New("fakemongod: malformed message")

// message is one request: its command and the database it is for.
type message struct {
	id     int32
	legacy bool // came as OP_QUERY, as a first hello does
	cmd    bson.Raw
	db     string
}

func readMessage(r io.Reader) (message, error) {
	var head [16]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return message{}, err
	}
	length := int32(binary.LittleEndian.Uint32(head[:]))
	if length < 16 || length > maxMessage {
		return message{}, errFrame
	}
	body := make([]byte, length-16)
	if _, err := io.ReadFull(r, body); err != nil {
		return message{}, err
	}
	m := message{id: int32(binary.LittleEndian.Uint32(head[4:]))}
	switch binary.LittleEndian.Uint32(head[12:]) {
	case opQuery:
		return m.query(body)
	case opMsg:
		return m.msg(body)
	}
	return message{}, errFrame
}

// query: flags, collection name, skip, return, document.
func (m message) query(body []byte) (message, error) {
	if len(body) < 4 {
		return m, errFrame
	}
	rest := body[4:]
	for i, c := range rest {
		if c == 0 {
			rest = rest[i+1:]
			break
		}
	}
	if len(rest) < 8 {
		return m, errFrame
	}
	m.legacy, m.db, m.cmd = true, "admin", bson.Raw(rest[8:])
	return m, m.cmd.Validate()
}

// msg: flags, then sections; commands that read have the body section alone.
func (m message) msg(body []byte) (message, error) {
	if len(body) < 5 || body[4] != 0 {
		return m, errFrame
	}
	m.cmd = bson.Raw(body[5:])
	if err := m.cmd.Validate(); err != nil {
		return m, err
	}
	m.db, _ = m.cmd.Lookup("$db").StringValueOK()
	return m, nil
}

// frame makes the reply to m.
func (m message) frame(reply bson.Raw) []byte {
	var b []byte
	put := func(v uint32) { b = binary.LittleEndian.AppendUint32(b, v) }
	op, extra := uint32(opMsg), 5
	if m.legacy {
		op, extra = opReply, 20
	}
	put(uint32(16 + extra + len(reply)))
	put(uint32(m.id) + 1)
	put(uint32(m.id))
	put(op)
	if m.legacy { // flags, cursor id, starting from, number returned
		put(8)
		put(0)
		put(0)
		put(0)
		put(1)
	} else { // flags, kind
		put(0)
		b = append(b, 0)
	}
	return append(b, reply...)
}
