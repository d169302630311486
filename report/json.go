package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler"
)

// maxResultBytes bounds what Parse reads. A result with every zstd level, field
// report and histogram is a few hundred KiB a collection; this leaves room for
// thousands of collections.
const maxResultBytes = 256 << 20

// writeJSON writes r indented, ending in a newline. encoding/json keeps the
// order of struct fields and sorts map keys, so equal values give equal bytes.
func writeJSON(w io.Writer, r estimate.Result) error {
	r = withoutNulls(r)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// withoutNulls replaces nil lists and maps that are always written, for the
// format does without null, and errors without bound, for JSON has no infinity.
func withoutNulls(r estimate.Result) estimate.Result {
	r.Collections = append([]estimate.CollectionResult{}, r.Collections...)
	if r.Totals.StorageSize == nil {
		r.Totals.StorageSize = map[string]int64{}
	}
	for i := range r.Collections {
		c := &r.Collections[i]
		c.Compressors = append([]estimate.CompressorResult{}, c.Compressors...)
		for j := range c.Compressors {
			k := &c.Compressors[j]
			k.SamplingError, k.ModelSpread = bounded(k.SamplingError), bounded(k.ModelSpread)
		}
		if c.Advice != nil && c.Advice.Why == nil {
			a := *c.Advice
			a.Why = []string{}
			c.Advice = &a
		}
	}
	return r
}

// bounded writes an error that is infinite, or no number, as the largest number
// there is.
func bounded(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return math.MaxFloat64
	}
	return v
}

// Parse reads a saved JSON result. Unknown fields are ignored; a newer schema
// is refused, and so is input over 256 MiB. Errors are *sampler.Fault and carry
// the byte offset where there is one.
func Parse(r io.Reader) (estimate.Result, error) {
	return parse(r, maxResultBytes)
}

func parse(r io.Reader, limit int64) (estimate.Result, error) {
	in := &io.LimitedReader{R: r, N: limit + 1}
	data, err := io.ReadAll(in)
	if err != nil {
		return estimate.Result{}, fault(-1, "cannot be read", "", err)
	}
	if in.N == 0 {
		return estimate.Result{}, fault(limit, "larger than a result can be",
			"give the file that wtsize estimate --format json wrote", nil)
	}
	var head struct {
		SchemaVersion *int `json:"schemaVersion"`
	}
	if err := decode(data, &head); err != nil {
		return estimate.Result{}, err
	}
	if err := checkVersion(head.SchemaVersion); err != nil {
		return estimate.Result{}, err
	}
	var res estimate.Result
	if err := decode(data, &res); err != nil {
		return estimate.Result{}, err
	}
	return res, keepKeyOrder(data, &res)
}

// keepKeyOrder stores index keys as the JSON they were written in: decoded into
// a map they would lose the order of their fields, which is what they mean.
func keepKeyOrder(data []byte, res *estimate.Result) error {
	var keys struct {
		Collections []struct {
			Indexes []struct {
				Key json.RawMessage `json:"key"`
			} `json:"indexes"`
		} `json:"collections"`
	}
	if err := decode(data, &keys); err != nil {
		return err
	}
	for i, c := range keys.Collections {
		for j, x := range c.Indexes {
			if x.Key != nil {
				res.Collections[i].Indexes[j].Key = x.Key
			}
		}
	}
	return nil
}

func checkVersion(v *int) error {
	switch {
	case v == nil || *v < 1:
		return fault(-1, "not a wtsize result: no schemaVersion",
			"give the file that wtsize estimate --format json wrote", nil)
	case *v > estimate.SchemaVersion:
		return fault(-1, fmt.Sprintf("schema version %d is newer than %d, the newest known here",
			*v, estimate.SchemaVersion), "read it with the wtsize that wrote it, or a newer one", nil)
	}
	return nil
}

// decode names the offset of what is wrong, and never the text found there.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	const hint = "give the file that wtsize estimate --format json wrote, whole and unedited"
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return fault(syntax.Offset, "not JSON", hint, nil)
	case errors.As(err, &kind):
		return fault(kind.Offset, fmt.Sprintf("not a wtsize result: field %s is not a %s",
			Safe(kind.Field), kind.Type), hint, nil)
	}
	return fault(-1, "not a wtsize result", hint, nil)
}

func fault(offset int64, why, hint string, cause error) *sampler.Fault {
	return &sampler.Fault{Source: "result", Offset: offset, Why: why, Hint: hint, Err: cause}
}
