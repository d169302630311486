package wt

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"
)

// data is n bytes that do not look like a header.
func data(n int) []byte { return bytes.Repeat([]byte{'x'}, n) }

// head is what stands before data in a cell, in hexadecimal.
func head(t *testing.T, cell, data []byte) string {
	t.Helper()
	if !bytes.HasSuffix(cell, data) {
		t.Fatalf("cell %x does not end with its %d bytes", cell[:min(len(cell), 20)], len(data))
	}
	return hex.EncodeToString(cell[:len(cell)-len(data)])
}

func TestKeyCell(t *testing.T) {
	for _, tt := range []struct {
		pfx  byte
		n    int
		want string
	}{
		// Short: length << 2 | 1, with a prefix byte | 2.
		{0, 0, "01"}, {0, 1, "05"}, {0, 62, "f9"}, {0, 63, "fd"},
		{4, 0, "0204"}, {4, 1, "0604"}, {255, 63, "feff"},
		// Long: 0x50, with a prefix byte 0x70, then vpack(length - 64).
		{0, 64, "5080"}, {0, 64 + 63, "50bf"}, {0, 64 + 64, "50c000"}, {0, 64 + 8255, "50dfff"},
		{0, 64 + 8256, "50e100"}, {0, 64 + 8257, "50e101"}, {0, 64 + 8256 + 256, "50e20100"},
		{4, 64, "700480"}, {255, 64 + 64, "70ffc000"},
	} {
		suffix := data(tt.n)
		cell := AppendKeyCell(nil, tt.pfx, suffix)
		if got := head(t, cell, suffix); got != tt.want {
			t.Errorf("key cell, prefix %d, %d bytes: head %s, want %s", tt.pfx, tt.n, got, tt.want)
		}
		if n := KeyCellLen(tt.pfx, tt.n); n != len(cell) {
			t.Errorf("KeyCellLen(%d, %d) = %d, want %d", tt.pfx, tt.n, n, len(cell))
		}
	}
}

func TestValueHead(t *testing.T) {
	const second = 1_700_000_000 << 32 // packs to 0xe8 and the 8 bytes of itself - 8256
	const packedSecond = "e86553f0ffffffdfc0"
	for _, tt := range []struct {
		w    TimeWindow
		n    int
		want string
	}{
		{TimeWindow{}, 0, "03"}, {TimeWindow{}, 5, "17"}, {TimeWindow{}, 63, "ff"},
		{TimeWindow{}, 64, "8080"}, {TimeWindow{}, 64 + 63, "80bf"}, {TimeWindow{}, 64 + 64, "80c000"},
		{TimeWindow{}, 64 + 8255, "80dfff"}, {TimeWindow{}, 64 + 8256, "80e100"},
		{TimeWindow{}, 64 + 8257, "80e101"}, {TimeWindow{}, 64 + 8256 + 256, "80e20100"},
		// With a window: 0x8c, flags, fields, run length 0, the length as it is,
		// never the short form and never less 64.
		{TimeWindow{second, 5}, 5, "8c28" + packedSecond + "85" + "80" + "85"},
		{TimeWindow{second, 5}, 63, "8c28" + packedSecond + "85" + "80" + "bf"},
		{TimeWindow{second, 5}, 64, "8c28" + packedSecond + "85" + "80" + "c000"},
		{TimeWindow{second, 64}, 8256, "8c28" + packedSecond + "c000" + "80" + "e100"},
		{TimeWindow{second, 0}, 300, "8c08" + packedSecond + "80" + "c0ec"},
		{TimeWindow{0, 5}, 300, "8c20" + "85" + "80" + "c0ec"},
	} {
		got := hex.EncodeToString(AppendValueHead(nil, tt.w, tt.n))
		if got != tt.want {
			t.Errorf("AppendValueHead(%+v, %d) = %s, want %s", tt.w, tt.n, got, tt.want)
		}
		if n := ValueHeadLen(tt.n); tt.w.IsZero() && n != len(got)/2 {
			t.Errorf("ValueHeadLen(%d) = %d, want %d", tt.n, n, len(got)/2)
		}
	}
}

// Whatever is packed comes back, at every length around a step of the ladder.
func TestLeafRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	length := func() int {
		steps := []int{0, 1, 63, 64, 127, 128, 8255, 8256, 8257, 8319, 8320, 8321, 8576, 70_000}
		return max(0, steps[rng.IntN(len(steps))]+rng.IntN(5)-2)
	}
	fill := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	for range 2000 {
		key, value := fill(length()), fill(length())
		var w TimeWindow
		switch rng.IntN(4) {
		case 0:
			w = TimeWindow{rng.Uint64() >> rng.IntN(64), rng.Uint64() >> rng.IntN(64)}
		case 1:
			w.StartTxn = rng.Uint64() >> rng.IntN(64)
		case 2:
			w.StartTS = rng.Uint64() >> rng.IntN(64)
		}
		cells := AppendKeyCell(nil, 0, key)
		at := len(cells)
		cells = append(AppendValueHead(cells, w, len(value)), value...)
		if got := LeafKey(cells); !bytes.Equal(got, key) {
			t.Fatalf("key of %d bytes comes back as %d", len(key), len(got))
		}
		if got := LeafValue(cells[at:]); !bytes.Equal(got, value) {
			t.Fatalf("value of %d bytes, window %+v, comes back as %d", len(value), w, len(got))
		}
	}
}

func TestAddrCell(t *testing.T) {
	cookie := []byte{0x80, 0x87, 0xe4, 1, 2, 3, 4}
	const tail = "87" + "8087e401020304"
	timed := TimeAggregate{OldestStartTS: 70, NewestStartTS: 72, NewestTxn: 5}
	for _, tt := range []struct {
		release string
		kind    ChildKind
		a       TimeAggregate
		want    string
	}{
		// Before 4.4 cells carry no windows; from 4.4 on the second descriptor
		// byte is there even where it says nothing.
		{"4.2", ChildLeaf, TimeAggregate{}, "30"},
		{"4.2", ChildLeaf, timed, "30"},
		{"4.2.24", ChildInternal, TimeAggregate{}, "10"},
		{"4.4", ChildLeaf, TimeAggregate{}, "3800"},
		{"8.0", ChildInternal, TimeAggregate{}, "1800"},
		{"8.0", ChildLeafOverflow, TimeAggregate{}, "2800"},
		// Oldest start, newest transaction, newest durable start as a difference.
		{"4.4", ChildLeaf, timed, "382a" + "c006" + "85" + "82"},
		{"8.3", ChildInternal, timed, "182a" + "c006" + "85" + "82"},
	} {
		r, err := ParseRelease(tt.release)
		if err != nil {
			t.Fatal(err)
		}
		got := hex.EncodeToString(AppendAddrCell(nil, r, tt.kind, tt.a, cookie))
		if got != tt.want+tail {
			t.Errorf("%s, kind %#x, %+v: %s, want %s", tt.release, tt.kind, tt.a, got, tt.want+tail)
		}
	}
}

func TestCookie(t *testing.T) {
	for _, tt := range []struct {
		offset, size int64
		checksum     uint32
		want         string
	}{
		// The first block stands behind the description block: offset 0.
		{4096, 28672, 1, "80" + "87" + "81"},
		{4096 * 64, 4096, math.MaxUint32, "bf" + "81" + "e4ffffdfbf"},
		{4096 * 65, 4096 * 64, 8255, "c000" + "c000" + "dfff"},
		{4096 * (8256 + 1), 4096, 0, "e100" + "81" + "80"},
	} {
		got := hex.EncodeToString(AppendCookie(nil, tt.offset, tt.size, 4096, tt.checksum))
		if got != tt.want {
			t.Errorf("AppendCookie(%d, %d, %#x) = %s, want %s", tt.offset, tt.size, tt.checksum, got, tt.want)
		}
	}
}

func TestOverflowKeyCellLen(t *testing.T) {
	for cookie, want := range map[int]int{7: 9, 13: 15, 63: 65, 64: 67} {
		if got := OverflowKeyCellLen(cookie); got != want {
			t.Errorf("OverflowKeyCellLen(%d) = %d, want %d", cookie, got, want)
		}
	}
}

func TestTimeAggregate(t *testing.T) {
	var a TimeAggregate
	a.Add(TimeWindow{})
	if a != (TimeAggregate{}) {
		t.Errorf("an empty window makes %+v", a)
	}
	a.Add(TimeWindow{StartTS: 20, StartTxn: 3})
	a.Add(TimeWindow{StartTS: 10, StartTxn: 1})
	a.Add(TimeWindow{})
	a.Merge(TimeAggregate{OldestStartTS: 15, NewestStartTS: 30, NewestTxn: 2})
	a.Merge(TimeAggregate{})
	if want := (TimeAggregate{10, 30, 3}); a != want {
		t.Errorf("got %+v, want %+v", a, want)
	}
}
