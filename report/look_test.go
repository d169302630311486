package report

import (
	"github.com/wtsize/wtsize/estimate"
	"os"
	"testing"
)

func TestLook(t *testing.T) {
	for n, r := range map[string]func() estimate.Result{"orders": madeOrders, "dump": madeDump, "hostile": madeHostile, "levels": madeLevels} {
		f, _ := os.Create("/tmp/look-" + n + ".html")
		if err := Render(f, r(), Options{Format: HTML}); err != nil {
			t.Error(err)
		}
		f.Close()
	}
}
