package keystring

import (
	"math"
	"testing"
)

func TestLastRecordID(t *testing.T) {
	for _, id := range []int64{0, 1, 31, 32, 1023, 1024, 262143, 262144, 67108863, 67108864, 1<<34 - 1, 1 << 34, 1 << 42, math.MaxInt64} {
		b := AppendRecordID([]byte{0x2b, 0x04}, id)
		if got, ok := LastRecordID(b); !ok || got != id {
			t.Errorf("RecordId %d: read %d, %t from % x", id, got, ok, b)
		}
	}
	for _, b := range [][]byte{nil, {1}, {0xe0, 0x00}, {0x01, 0x07}} {
		if id, ok := LastRecordID(b); ok {
			t.Errorf("% x: read RecordId %d where there is none", b, id)
		}
	}
}
