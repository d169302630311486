package sampler

import "testing"

func TestBudgetOf(t *testing.T) {
	for _, tt := range []struct {
		b    Budget
		size int64
		want int64
	}{
		{Budget{}, 1000, 0},
		{Budget{Bytes: 7}, 1000, 7},
		{Budget{Share: 0.02}, 1000, 20},
		{Budget{Bytes: 7, Share: 0.02}, 1000, 20},
		{Budget{Share: 0.02}, 1, 1}, // 0 would be everything
		{Budget{Share: 1e-9}, 1 << 40, 1099},
	} {
		if got := tt.b.Of(tt.size); got.Bytes != tt.want {
			t.Errorf("%+v of %d: %d bytes, want %d", tt.b, tt.size, got.Bytes, tt.want)
		}
	}
}
