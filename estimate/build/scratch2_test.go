package build

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

func TestScratch2(t *testing.T) {
	b, err := os.ReadFile(os.Getenv("FILE"))
	if err != nil {
		t.Skip()
	}
	pool := NewPool(runtime.NumCPU())
	defer pool.Close()
	os_ := []float64{1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6}
	tab := New(Config{Table: wt.Collection(), Setting: codec.Setting{Name: os.Getenv("COMP"), Level: map[string]int{"zlib": 6, "zstd": 6}[os.Getenv("COMP")]}, Release: wt.Newest(), CacheBytes: 1 << 30, Overlaps: os_}, pool)
	p := reconcile.NewPager(wt.Collection(), wt.Newest(), 1<<30, func(p *reconcile.Page) error {
		return tab.Page(p)
	})
	var key []byte
	i := 0
	for len(b) > 0 {
		n := binary.LittleEndian.Uint32(b)
		i++
		key = wt.AppendPackedInt64(key[:0], int64(i))
		p.Add(key, wt.TimeWindow{}, b[:n])
		b = b[n:]
	}
	p.Close()
	fs, err := tab.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range fs {
		fmt.Printf(" %v:%d", os_[i], f.Size)
	}
	fmt.Println()
}
