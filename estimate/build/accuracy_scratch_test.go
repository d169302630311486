package build

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/wtsize/wtsize/estimate/codec"
	"github.com/wtsize/wtsize/estimate/reconcile"
	"github.com/wtsize/wtsize/estimate/wt"
)

func TestScratchAccuracy(t *testing.T) {
	f, err := os.Open("/work/shared/data/truth.tsv")
	if err != nil {
		t.Skip(err)
	}
	type row struct{ size, low, high int64 }
	truth := map[string]map[string]row{}
	var sets []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		c := strings.Split(sc.Text(), "\t")
		if len(c) < 8 || c[0] == "set" {
			continue
		}
		n := func(i int) int64 { v, _ := strconv.ParseInt(c[i], 10, 64); return v }
		if truth[c[0]] == nil {
			truth[c[0]] = map[string]row{}
			sets = append(sets, c[0])
		}
		truth[c[0]][c[1]] = row{n(4) - n(5), n(6), n(7)}
	}
	overlap := 2.0
	if v := os.Getenv("OVERLAP"); v != "" {
		overlap, _ = strconv.ParseFloat(v, 64)
	}
	pool := NewPool(runtime.NumCPU())
	defer pool.Close()
	errs := map[string][]float64{}
	exact := 0
	total := 0
	for _, set := range sets {
		if w := os.Getenv("SET"); w != "" && !strings.Contains(set, w) {
			continue
		}
		docs := readGz(t, "/work/shared/data/sets/"+set+".gz")
		line := fmt.Sprintf("%-34s", set)
		var foot int64
		for _, s := range codec.Defaults() {
			if w := os.Getenv("COMP"); w != "" && w != s.Name {
				continue
			}
			tab := New(Config{Table: wt.Collection(), Setting: s, Release: wt.Newest(), CacheBytes: 1 << 30, Overlaps: []float64{overlap}}, pool)
			foot = 0
			p := reconcile.NewPager(wt.Collection(), wt.Newest(), 1<<30, func(p *reconcile.Page) error {
				foot += p.Footprint
				if os.Getenv("V") != "" {
					fmt.Println(s, "page", p.Records(), p.Footprint, "precomp", tab.runs[0].feedback.Size)
				}
				return tab.Page(p)
			})
			var key []byte
			for i, d := range docs {
				key = wt.AppendPackedInt64(key[:0], int64(i+1))
				if err := p.Add(key, wt.TimeWindow{}, d); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			outs, err := tab.Finish()
			if err != nil {
				t.Fatal(err)
			}
			out := outs[0]
			if out.Ledger.Sum() != out.Size {
				t.Error(out.Ledger, out.Size)
			}
			r := truth[set][s.Name]
			e := float64(out.Size-r.size) / float64(r.size) * 100
			if out.Size >= r.low && out.Size <= r.high {
				e = 0
			}
			mark := " "
			if out.Size == r.size {
				exact++
				mark = "="
			}
			total++
			errs[s.Name] = append(errs[s.Name], abs(e))
			line += fmt.Sprintf(" %s%+7.3f%%(%+d,%d+%d)", mark, e, (out.Size-r.size)/4096, out.LeafPages, out.InternalPages)
		}
		fmt.Println(line, foot>>20)
	}
	for n, e := range errs {
		sort.Float64s(e)
		fmt.Printf("%s median %.3f p95 %.3f max %.3f\n", n, e[len(e)/2], e[len(e)*95/100], e[len(e)-1])
	}
	fmt.Println("exact", exact, "of", total)
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

func readGz(t *testing.T, name string) (docs [][]byte) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for len(b) > 0 {
		n := binary.LittleEndian.Uint32(b)
		docs = append(docs, b[:n])
		b = b[n:]
	}
	return docs
}
