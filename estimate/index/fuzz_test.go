package index

import (
	"bytes"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// FuzzProject: whatever the values and however the runs fall, a size within its
// interval and no panic.
func FuzzProject(f *testing.F) {
	f.Add([]byte("a\nb\nb\nc d\n\nx-1"), uint8(2), false)
	f.Add([]byte("1\n2\n3\n4\n5\n6\n7\n8"), uint8(4), true)
	f.Fuzz(func(t *testing.T, text []byte, length uint8, numbers bool) {
		values := bytes.Split(text, []byte("\n"))
		if len(values) > 300 {
			return
		}
		s := NewSample(indexOf(t, "{a: 1, b: -1}"), Limits{Entries: 100})
		for i, v := range values {
			if i%(int(length)+1) == 0 {
				s.Run(float64(i)/float64(len(values)), 0)
			}
			var value any = string(v)
			if numbers {
				value = len(v) * int(length)
			}
			doc, err := bson.Marshal(bson.D{{Key: "a", Value: value}, {Key: "b", Value: i % 7}})
			if err != nil {
				t.Skip()
			}
			if err := s.Document(doc); err != nil {
				t.Fatal(err)
			}
		}
		p, err := s.Project(newest, Population{Documents: 600}, 0.95, 1)
		if err != nil || p.Low > p.Size || p.Size > p.High || p.Size < 4096 || p.Size%4096 != 0 {
			t.Errorf("%+v %v", p, err)
		}
	})
}
