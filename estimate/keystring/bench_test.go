package keystring

import (
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func benchDocument(t testing.TB) []byte {
	return marshal(t, d{kv("_id", oid), kv("tenantId", "t0042"), kv("userId", "u0007"), kv("status", "paid"),
		kv("createdAt", bson.DateTime(1700000000000)), kv("total", 1234.5), kv("tags", a{"new", "gift", "vip"}),
		kv("items", a{d{kv("sku", "a-1"), kv("qty", 2), kv("price", 9.99)}, d{kv("sku", "b-2"), kv("qty", 1), kv("price", 19.5)}}),
		kv("shipping", d{kv("city", "Da Nang"), kv("street", "12 Le Loi")}), kv("note", "leave at the door please"),
		kv("price", decimalOf(t, "12.34")), kv("traceId", "0123456789abcdef0123456789abcdef")})
}

func BenchmarkEntries(b *testing.B) {
	doc := benchDocument(b)
	for _, key := range []string{"{_id: 1}", "{userId: 1}", "{tenantId: 1, createdAt: -1}", "{traceId: 1}", "{price: 1}",
		"{tags: 1}", "{'items.sku': 1}", "{userId: 'hashed'}", "{'$**': 1}", "{note: 'text'}"} {
		b.Run(fmt.Sprint(key), func(b *testing.B) {
			g := New(parseKey(b, key), Options{})
			b.ReportAllocs()
			for i := range b.N {
				if err := g.Entries(doc, int64(i), func(_, _ []byte) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
