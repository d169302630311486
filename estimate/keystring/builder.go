package keystring

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Types of values in a key. Numbers and booleans put more into the byte; these
// are also the ones that stand before each field of an object.
// MongoDB: key_string.cpp, namespace CType and bsonTypeToGenericKeyStringType.
const (
	keyMinKey    = 10
	keyUndefined = 15
	keyNull      = 20
	keyNumber    = 30
	keyString    = 60
	keyObject    = 70
	keyArray     = 80
	keyBinary    = 90
	keyObjectID  = 100
	keyBool      = 110
	keyTrue      = 111
	keyDate      = 120
	keyTimestamp = 130
	keyRegex     = 140
	keyDBPointer = 150
	keyCode      = 160
	keyCodeScope = 170
	keyMaxKey    = 240

	// keyEnd follows the last component.
	keyEnd = 0x04
)

// errSymbolCollated: a server refuses symbols where strings are collated.
var errSymbolCollated = notIndexable("a symbol in an index with a collation")

// errDecimalV0: index version 1 has no form for decimals.
var errDecimalV0 = notIndexable("a decimal in an index of version 1")

// A builder appends the components of one key.
type builder struct {
	buf     []byte
	ends    []int // of the components
	bits    typeBits
	v0      bool                       // KeyString version 0
	collate func(dst, s []byte) []byte // nil: strings sort by their bytes
}

func (b *builder) reset() {
	b.buf, b.ends = b.buf[:0], b.ends[:0]
	b.bits.reset()
}

// component appends one value of the key.
func (b *builder) component(e elem, descending bool) error {
	at := len(b.buf)
	if err := b.value(e, 0); err != nil {
		return err
	}
	b.close(at, descending)
	return nil
}

// close ends the component that starts at at.
func (b *builder) close(at int, descending bool) {
	if descending {
		invert(b.buf[at:])
	}
	b.ends = append(b.ends, len(b.buf))
}

func (b *builder) end() { b.buf = append(b.buf, keyEnd) }

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// value appends a value in ascending form.
// MongoDB: BuilderBase::_appendBsonValue.
func (b *builder) value(e elem, depth int) error {
	v := e.val
	switch e.typ {
	case tString:
		b.string(e.text())
	case tInt32:
		b.bits.put(bitsInt, 2)
		b.int64(int64(int32(binary.LittleEndian.Uint32(v))))
	case tInt64:
		b.bits.put(bitsLong, 2)
		b.int64(int64(binary.LittleEndian.Uint64(v)))
	case tDouble:
		b.double(math.Float64frombits(binary.LittleEndian.Uint64(v)))
	case tDecimal:
		if b.v0 {
			return errDecimalV0
		}
		b.decimal(v)
	case tObjectID:
		b.buf = append(append(b.buf, keyObjectID), v...)
	case tDate:
		b.bigEndian(keyDate, binary.LittleEndian.Uint64(v)^1<<63, false)
	case tTimestamp:
		b.bigEndian(keyTimestamp, binary.LittleEndian.Uint64(v), false)
	case tBool:
		if v[0] != 0 {
			b.buf = append(b.buf, keyTrue)
		} else {
			b.buf = append(b.buf, keyBool)
		}
	case tObject:
		b.buf = append(b.buf, keyObject)
		return b.object(v, depth)
	case tArray:
		return b.array(v, depth)
	case tBinary:
		b.binary(v[4], v[5:])
	default:
		return b.rare(e, depth)
	}
	return nil
}

// rare appends the values that are seldom indexed.
func (b *builder) rare(e elem, depth int) error {
	v := e.val
	switch e.typ {
	case tSymbol:
		if b.collate != nil {
			return errSymbolCollated
		}
		b.bits.put(1, 1)
		b.buf = append(b.buf, keyString)
		b.bytesWithNULs(e.text())
	case tCode:
		b.buf = append(b.buf, keyCode)
		b.bytesWithNULs(e.text())
	case tCodeScope:
		n := int(binary.LittleEndian.Uint32(v[4:]))
		b.buf = append(b.buf, keyCodeScope)
		b.bytesWithNULs(v[8 : 8+n-1])
		plain := b.collate
		b.collate = nil // a scope is never collated
		err := b.object(v[8+n:], depth)
		b.collate = plain
		return err
	case tRegex:
		b.buf = append(append(b.buf, keyRegex), v...) // both parts end in NUL
	case tDBPointer:
		ns := v[4 : len(v)-13]
		if i := bytes.IndexByte(ns, 0); i >= 0 {
			ns = ns[:i]
		}
		b.buf = append(b.buf, keyDBPointer)
		b.buf = binary.BigEndian.AppendUint32(b.buf, uint32(len(ns)))
		b.buf = append(append(b.buf, ns...), v[len(v)-12:]...)
	default:
		b.buf = append(b.buf, genericType(e.typ))
	}
	return nil
}

func (b *builder) string(s []byte) {
	b.bits.put(0, 1)
	b.buf = append(b.buf, keyString)
	if b.collate != nil {
		b.buf = append(b.collate(b.buf, s), 0) // a sort key holds no NUL
		return
	}
	b.bytesWithNULs(s)
}

// bytesWithNULs appends s and a NUL; a NUL inside becomes NUL 0xFF.
func (b *builder) bytesWithNULs(s []byte) {
	for {
		i := bytes.IndexByte(s, 0)
		if i < 0 {
			break
		}
		b.buf = append(append(b.buf, s[:i]...), 0, 0xFF)
		s = s[i+1:]
	}
	b.buf = append(append(b.buf, s...), 0)
}

func (b *builder) binary(subtype byte, data []byte) {
	b.buf = append(b.buf, keyBinary)
	if len(data) < 0xFF {
		b.buf = append(b.buf, byte(len(data)))
	} else {
		b.buf = append(b.buf, 0xFF)
		b.buf = binary.BigEndian.AppendUint32(b.buf, uint32(len(data)))
	}
	b.buf = append(append(b.buf, subtype), data...)
}

// object appends the fields of an object, each as type, name, value, and a NUL.
func (b *builder) object(doc []byte, depth int) error {
	if depth >= maxDepth {
		return ErrMalformed
	}
	for r := newReader(doc); ; {
		name, e, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		b.buf = append(b.buf, genericType(e.typ))
		b.buf = append(append(b.buf, name...), 0)
		if err := b.value(e, depth+1); err != nil {
			return err
		}
	}
	b.buf = append(b.buf, 0)
	return nil
}

func (b *builder) array(doc []byte, depth int) error {
	if depth >= maxDepth {
		return ErrMalformed
	}
	b.buf = append(b.buf, keyArray)
	for r := newReader(doc); ; {
		_, e, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := b.value(e, depth+1); err != nil {
			return err
		}
	}
	b.buf = append(b.buf, 0)
	return nil
}

func genericType(t byte) byte {
	switch t {
	case tMinKey:
		return keyMinKey
	case tUndefined:
		return keyUndefined
	case tDouble, tInt32, tInt64, tDecimal:
		return keyNumber
	case tString, tSymbol:
		return keyString
	case tObject:
		return keyObject
	case tArray:
		return keyArray
	case tBinary:
		return keyBinary
	case tObjectID:
		return keyObjectID
	case tBool:
		return keyBool
	case tDate:
		return keyDate
	case tTimestamp:
		return keyTimestamp
	case tRegex:
		return keyRegex
	case tDBPointer:
		return keyDBPointer
	case tCode:
		return keyCode
	case tCodeScope:
		return keyCodeScope
	case tMaxKey:
		return keyMaxKey
	}
	return keyNull
}
