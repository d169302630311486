package estimate

import (
	"fmt"

	"github.com/wtsize/wtsize/sampler"
)

// A variant is the same collection under another table setting.
type variant struct {
	setting string
	t       table
	builder *builder // for a complete read
}

// newVariants gives one variant for each setting of Options.WhatIf.
func newVariants(t table, o Options) ([]*variant, []sampler.Warning) {
	var out []*variant
	var warnings []sampler.Warning
	for _, s := range o.WhatIf {
		v := &variant{setting: s, t: t}
		var err error
		if v.t.settings, err = t.settings.With(s); err != nil {
			warnings = append(warnings, sampler.Warning{Code: "what-if", Text: fmt.Sprintf("%s: %v", s, err)})
			continue
		}
		out = append(out, v)
	}
	return out, warnings
}

func (v *variant) result(all []projected, o Options) WhatIf {
	w := WhatIf{Setting: v.setting, StorageSize: map[string]int64{}}
	for i, p := range all {
		w.StorageSize[o.Compressors[i].String()] = p.file.Size
	}
	return w
}

// whatIf gives the variants of a complete read.
func (k *collector) whatIf(r *CollectionResult) error {
	for _, v := range k.variants {
		if v.builder == nil {
			continue
		}
		all, err := whole(v.builder)
		if err != nil {
			return err
		}
		r.WhatIf = append(r.WhatIf, v.result(all, k.e.opts))
	}
	return nil
}

// whatIfSampled gives the variants of a sample.
func (k *collector) whatIfSampled(r *CollectionResult, p population) error {
	for _, v := range k.variants {
		all, err := p.build(v.t, k.e.opts, k.e.pool, p.runs(v.t))
		if err != nil {
			return err
		}
		r.WhatIf = append(r.WhatIf, v.result(all, k.e.opts))
	}
	return nil
}
