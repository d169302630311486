package generate

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

type order struct {
	ID        bson.ObjectID `bson:"_id"`
	TenantID  string        `bson:"tenantId"`
	UserID    string        `bson:"userId"`
	Status    string
	CreatedAt time.Time `bson:"createdAt"`
	Total     float64
	Tags      []string
	Items     []struct {
		SKU   string
		Qty   int32
		Price float64
	}
	Shipping struct{ City, Street string }
	Note     string
	TraceID  string `bson:"traceId"`
	Ref      string
}

func TestOrderFields(t *testing.T) {
	s := start(t, "orders", DefaultDocuments)
	var last bson.ObjectID
	cities, states := map[string]bool{}, map[string]bool{}
	for i := range 5_000 {
		var o order
		doc := s.Next()
		if err := bson.Unmarshal(doc, &o); err != nil {
			t.Fatalf("document %d: %v", i, err)
		}
		if i > 0 && (bytes.Compare(last[:], o.ID[:]) >= 0 || o.ID.Timestamp().Sub(last.Timestamp()) != time.Second) {
			t.Fatalf("document %d: _id %s after %s", i, o.ID.Hex(), last.Hex())
		}
		last = o.ID
		cities[o.Shipping.City], states[o.Status] = true, true
		if len(o.TenantID) != 5 || len(o.UserID) != 5 || len(o.TraceID) != 32 ||
			len(o.Tags) < 1 || len(o.Tags) > 2 || len(o.Items) < 1 || len(o.Items) > 3 || o.Note == "" ||
			o.Ref != fmt.Sprintf("orders/vn/2026/10/%08d", i) {
			t.Fatalf("document %d: %+v", i, o)
		}
	}
	if len(cities) != 12 || len(states) != 4 {
		t.Errorf("%d cities and %d states, want 12 and 4", len(cities), len(states))
	}
}
