package generate

import (
	"encoding/json"
	"fmt"
	"strings"
)

// index is a plain index: ascending and descending keys.
type index struct{ keys []key }

type key struct {
	path      string
	direction int
}

// name is what a server calls the index when it is given no name.
func (x index) name() string {
	parts := make([]string, len(x.keys))
	for i, k := range x.keys {
		parts[i] = fmt.Sprintf("%s_%d", k.path, k.direction)
	}
	return strings.Join(parts, "_")
}

// Metadata is the metadata.json that mongodump writes beside a .bson file, for
// a collection of this stream: the _id index and the shape's plain indexes.
func (s *Stream) Metadata(collection string) ([]byte, error) {
	name, err := json.Marshal(collection)
	if err != nil {
		return nil, fmt.Errorf("collection name: %w", err)
	}
	var b strings.Builder
	b.WriteString(`{"indexes":[`)
	b.WriteString(`{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"}`)
	for _, x := range s.shape.indexes {
		b.WriteString(`,{"v":{"$numberInt":"2"},"key":{`)
		for i, k := range x.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%s":{"$numberInt":"%d"}`, k.path, k.direction)
		}
		fmt.Fprintf(&b, `},"name":"%s"}`, x.name())
	}
	fmt.Fprintf(&b, `],"uuid":"%016x%016x","collectionName":%s,"type":"collection"}`,
		mix(s.seed+2), mix(s.seed+3), name)
	return []byte(b.String()), nil
}
