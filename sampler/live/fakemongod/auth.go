package fakemongod

import (
	"github.com/xdg-go/scram"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// conn is the state of a connection.
type conn struct {
	talk  *scram.ServerConversation
	known bool // authenticated
}

// users are who may read.
type users struct {
	server *scram.Server
}

// Require lets only this user in, by SCRAM-SHA-256.
func (s *Server) Require(user, password string) error {
	client, err := scram.SHA256.NewClient(user, password, "")
	if err != nil {
		return err
	}
	stored, err := client.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "fake salt of 16b", Iters: 4096})
	if err != nil {
		return err
	}
	server, err := scram.SHA256.NewServer(func(name string) (scram.StoredCredentials, error) {
		if name != user {
			return scram.StoredCredentials{}, errFrame
		}
		return stored, nil
	})
	if err != nil {
		return err
	}
	s.users = &users{server}
	return nil
}

// sasl answers saslStart and saslContinue.
func (s *Server) sasl(c *conn, cmd bson.Raw, first bool) bson.D {
	refused := failure(18, "", "Authentication failed.")
	if s.users == nil {
		return refused
	}
	if first {
		c.talk = s.users.server.NewConversation()
	}
	if c.talk == nil {
		return refused
	}
	_, payload := cmd.Lookup("payload").Binary()
	if c.talk.Done() {
		c.known = c.talk.Valid()
		return saslReply(nil, true)
	}
	out, err := c.talk.Step(string(payload))
	if err != nil {
		return refused
	}
	if c.talk.Done() {
		c.known = c.talk.Valid()
	}
	return saslReply([]byte(out), c.talk.Done())
}

func saslReply(payload []byte, done bool) bson.D {
	return bson.D{{Key: "conversationId", Value: int32(1)}, {Key: "done", Value: done},
		{Key: "payload", Value: bson.Binary{Data: payload}}, {Key: "ok", Value: 1.0}}
}
