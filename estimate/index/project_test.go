package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/wtsize/wtsize/estimate/keystring"
	"github.com/wtsize/wtsize/estimate/wt"
)

var docCache = map[string][][]byte{}

func allDocuments(t testing.TB, set string) [][]byte {
	if docs, ok := docCache[set]; ok {
		return docs
	}
	var docs [][]byte
	eachDocument(t, set, func(doc []byte) { docs = append(docs, append([]byte(nil), doc...)) })
	docCache[set] = docs
	return docs
}

func sampleOf(t testing.TB, key string, docs [][]byte, runs int, share float64, seed uint64) *Sample {
	ix, err := keystring.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSample(keystring.New(ix, keystring.Options{}), Limits{})
	r := rand.New(rand.NewPCG(seed, 9))
	n := len(docs)
	length := max(1, int(share*float64(n)/float64(runs)))
	for i := range runs {
		low, high := i*n/runs, (i+1)*n/runs
		at := low
		if high-low > length {
			at += r.IntN(high - low - length + 1)
		}
		s.Run(float64(at)/float64(n), 0)
		for j := at; j < min(at+length, n); j++ {
			if err := s.Document(docs[j]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func TestExplore(t *testing.T) {
	if os.Getenv("EXPLORE") == "" {
		t.Skip()
	}
	share, _ := strconv.ParseFloat(os.Getenv("EXPLORE"), 64)
	runs, _ := strconv.Atoi(os.Getenv("RUNS"))
	var all []float64
	for _, row := range readTruth(t) {
		if row.entries < 5000 || os.Getenv("SET") != "" && os.Getenv("SET") != row.set {
			continue
		}
		docs := allDocuments(t, row.set)
		var line string
		var mean float64
		start := time.Now()
		const seeds = 3
		for seed := range seeds {
			s := sampleOf(t, row.key, docs, runs, share, uint64(seed))
			p, err := s.Project(Config{Table: wt.Index(), Release: wt.Newest()}, Population{Documents: int64(len(docs))}, 0.95, int64(seed))
			if err != nil {
				t.Fatal(err)
			}
			off := 100 * (float64(p.Size)/float64(row.size) - 1)
			line += fmt.Sprintf(" %+7.2f [%+6.1f %+6.1f]", off, 100*(float64(p.Low)/float64(row.size)-1), 100*(float64(p.High)/float64(row.size)-1))
			mean += off / seeds
			all = append(all, max(off, -off))
		}
		fmt.Printf("%-34s %-32s %8d %s  %v\n", row.set, row.name, row.entries, line, time.Since(start)/seeds)
	}
	slices.Sort(all)
	fmt.Printf("median %.2f p90 %.2f p95 %.2f max %.2f\n", all[len(all)/2], all[len(all)*9/10], all[len(all)*95/100], all[len(all)-1])
}
