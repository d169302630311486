package keystring

import (
	"encoding/binary"
	"math"
)

const (
	notLocation notIndexable = "not a location a 2d index takes"
	// geoHashSubtype marks the hash of a 2d index. MongoDB: bdtCustom.
	geoHashSubtype = 0x80
)

type geo2dOptions struct {
	bits     int
	min, max float64
}

// parse2D reads the options of a 2d index, with a server's defaults.
// MongoDB: src/mongo/db/geo/hash.cpp, GeoHashConverter::parseParameters.
func parse2D(get func(string) elem) geo2dOptions {
	o := geo2dOptions{bits: 26, min: -180, max: 180}
	if v, ok := number(get("bits")); ok && v >= 1 && v <= 32 {
		o.bits = int(v)
	}
	low, okLow := number(get("min"))
	high, okHigh := number(get("max"))
	if okLow {
		o.min = low
	}
	if okHigh {
		o.max = high
	}
	if !(o.min < o.max) {
		o.min, o.max = -180, 180
	}
	return o
}

// hash interleaves the bits of x and y, highest first, x before y, in the top
// 2*bits bits. MongoDB: GeoHash::GeoHash and GeoHashConverter::hash.
func (o geo2dOptions) hash(x, y float64) (uint64, error) {
	if !(x >= o.min && x <= o.max && y >= o.min && y <= o.max) {
		return 0, notLocation
	}
	h := spread(o.scale(x))<<1 | spread(o.scale(y))
	return h &^ (1<<(64-2*o.bits) - 1), nil
}

func (o geo2dOptions) scale(v float64) uint32 {
	scaling := 0x1p32 / (o.max - o.min)
	s := (v - o.min) * scaling
	if v == o.max { // stay inside the box
		s = 0x1p32 - 0x1p32/math.Ldexp(1, o.bits)/2
	}
	return uint32(s)
}

// spread puts the bits of v on the even places.
func spread(v uint32) uint64 {
	w := uint64(v)
	w = (w | w<<16) & 0x0000FFFF0000FFFF
	w = (w | w<<8) & 0x00FF00FF00FF00FF
	w = (w | w<<4) & 0x0F0F0F0F0F0F0F0F
	w = (w | w<<2) & 0x3333333333333333
	return (w | w<<1) & 0x5555555555555555
}

// geo2dEntries makes one key per location; other fields with several values
// become an array. MongoDB: expression_keys_private.cpp, get2DKeys.
func (g *Generator) geo2dEntries(doc []byte) error {
	return g.paths[0].each(doc, false, func(e elem) error {
		if e.typ != tObject && e.typ != tArray {
			return nil
		}
		r := newReader(e.val)
		_, first, ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		if isNumber(first) {
			return g.geo2dEntry(doc, e.val)
		}
		return eachItem(e.val, func(item elem) error {
			if item.typ != tObject && item.typ != tArray {
				return notLocation
			}
			if len(item.val) == 5 { // {} or []
				return nil
			}
			return g.geo2dEntry(doc, item.val)
		})
	})
}

func isNumber(e elem) bool { return genericType(e.typ) == keyNumber }

func (g *Generator) geo2dEntry(doc, location []byte) error {
	x, y, err := pair(location)
	if err != nil {
		return err
	}
	h, err := g.ix.geo2d.hash(x, y)
	if err != nil {
		return err
	}
	g.b.reset()
	at := len(g.b.buf)
	g.b.binary(geoHashSubtype, binary.BigEndian.AppendUint64(nil, h))
	g.b.close(at, g.desc[0])
	for i, p := range g.paths[1:] {
		var all []elem
		err := p.each(doc, true, func(e elem) error { all = append(all, e); return nil })
		if err != nil {
			return err
		}
		if err := g.b.several(all, g.desc[1+i]); err != nil {
			return err
		}
	}
	g.pending.add(&g.b)
	return nil
}

// several appends no value as null, one as it is, and more as an array.
func (b *builder) several(all []elem, descending bool) error {
	switch len(all) {
	case 0:
		return b.component(null, descending)
	case 1:
		return b.component(all[0], descending)
	}
	at := len(b.buf)
	b.buf = append(b.buf, keyArray)
	for _, e := range all {
		if err := b.value(e, 1); err != nil {
			return err
		}
	}
	b.buf = append(b.buf, 0)
	b.close(at, descending)
	return nil
}

// pair reads the first two numbers of a location.
func pair(doc []byte) (x, y float64, err error) {
	var v [2]float64
	r := newReader(doc)
	for i := range v {
		_, e, ok, err := r.next()
		if err != nil {
			return 0, 0, err
		}
		f, isNum := coordinate(e)
		if !ok || !isNum {
			return 0, 0, notLocation
		}
		v[i] = f
	}
	return v[0], v[1], nil
}

// coordinate is the value of a numeric type, decimals included.
func coordinate(e elem) (float64, bool) {
	if e.typ != tDecimal {
		return number(e)
	}
	d := readDecimal(e.val)
	if d.nan || d.inf {
		return 0, false
	}
	f, _ := d.truncate()
	if d.neg {
		f = -f
	}
	return f, true
}
