package generate

import (
	"encoding/binary"
	"math"
	"strconv"
)

// BSON element types, as in the specification at bsonspec.org.
const (
	typeDouble   = 0x01
	typeString   = 0x02
	typeDocument = 0x03
	typeArray    = 0x04
	typeBinary   = 0x05
	typeObjectID = 0x07
	typeBool     = 0x08
	typeDate     = 0x09
	typeInt32    = 0x10
)

// document builds one BSON document at a time in a buffer that it keeps.
//
//	int32 length | element … | 0x00        an element: type, name, 0x00, value
//
// Every open document or string has its length written when it ends.
type document struct {
	b     []byte
	open  [8]int // where the open documents start
	depth int
}

// reset starts a document; the buffer is used again.
func (d *document) reset() {
	d.b = d.b[:0]
	d.depth = 0
	d.begin()
}

func (d *document) begin() {
	d.open[d.depth] = len(d.b)
	d.depth++
	d.b = append(d.b, 0, 0, 0, 0)
}

// end closes what begin, beginDocument or beginArray opened last.
func (d *document) end() {
	d.b = append(d.b, 0)
	d.depth--
	start := d.open[d.depth]
	binary.LittleEndian.PutUint32(d.b[start:], uint32(len(d.b)-start))
}

func (d *document) name(kind byte, name string) {
	d.b = append(d.b, kind)
	d.b = append(d.b, name...)
	d.b = append(d.b, 0)
}

func (d *document) beginDocument(name string) { d.name(typeDocument, name); d.begin() }
func (d *document) beginArray(name string)    { d.name(typeArray, name); d.begin() }

func (d *document) int32(name string, v int32) {
	d.name(typeInt32, name)
	d.b = binary.LittleEndian.AppendUint32(d.b, uint32(v))
}

func (d *document) double(name string, v float64) {
	d.name(typeDouble, name)
	d.b = binary.LittleEndian.AppendUint64(d.b, math.Float64bits(v))
}

func (d *document) bool(name string, v bool) {
	d.name(typeBool, name)
	if v {
		d.b = append(d.b, 1)
	} else {
		d.b = append(d.b, 0)
	}
}

// date takes milliseconds since 1970.
func (d *document) date(name string, ms int64) {
	d.name(typeDate, name)
	d.b = binary.LittleEndian.AppendUint64(d.b, uint64(ms))
}

// objectID writes the three parts of an ObjectId: seconds since 1970, five
// bytes that stand for the process, and a counter of three bytes.
func (d *document) objectID(name string, seconds uint32, process uint64, counter uint32) {
	d.name(typeObjectID, name)
	d.b = binary.BigEndian.AppendUint32(d.b, seconds)
	d.b = append(d.b, byte(process>>32), byte(process>>24), byte(process>>16), byte(process>>8), byte(process),
		byte(counter>>16), byte(counter>>8), byte(counter))
}

func (d *document) string(name, v string) {
	d.beginString(name)
	d.b = append(d.b, v...)
	d.endString()
}

// beginString opens a string whose bytes are appended to d.b until endString.
func (d *document) beginString(name string) {
	d.name(typeString, name)
	d.begin()
}

// endString closes a string: its length counts its final zero but not itself.
func (d *document) endString() {
	d.end()
	start := d.open[d.depth]
	binary.LittleEndian.PutUint32(d.b[start:], uint32(len(d.b)-start-4))
}

// digits appends v in at least width decimal digits.
func (d *document) digits(v int64, width int) {
	for limit := int64(10); width > 1; width-- {
		if v < limit {
			for pad := width; pad > 1; pad-- {
				d.b = append(d.b, '0')
			}
			break
		}
		limit *= 10
	}
	d.b = strconv.AppendInt(d.b, v, 10)
}

const hexDigits = "0123456789abcdef"

// hex appends v as 16 hexadecimal digits.
func (d *document) hex(v uint64) {
	for shift := 60; shift >= 0; shift -= 4 {
		d.b = append(d.b, hexDigits[v>>shift&15])
	}
}

// beginBinary opens a generic binary value of n bytes, which the caller appends.
func (d *document) beginBinary(name string, n int) {
	d.name(typeBinary, name)
	d.b = binary.LittleEndian.AppendUint32(d.b, uint32(n))
	d.b = append(d.b, 0)
}
