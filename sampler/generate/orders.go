package generate

// firstSecond is when the first document was made: 2026-10-01 00:00:00 UTC.
const firstSecond = 1790812800

// orderApart is the time between two orders in milliseconds: a million of them
// take a year, though they are loaded, and get their _id, one a second.
const orderApart = 365 * 24 * 3600 * 1000 / DefaultDocuments

var orderIndexes = []index{
	{keys: []key{{"tenantId", 1}, {"createdAt", -1}}},
	{keys: []key{{"userId", 1}}},
	{keys: []key{{"traceId", 1}}},
	{keys: []key{{"ref", 1}}},
}

// identify writes the _id: an ObjectId, one a second, from one process.
func (s *Stream) identify() {
	s.doc.objectID("_id", uint32(firstSecond+s.made), mix(s.seed)&0xff_ffff_ffff, uint32(mix(s.seed+1))+uint32(s.made))
}

// coded writes a letter and a four-digit number below n, such as "t0042".
func (s *Stream) coded(name string, letter byte, n int) {
	s.doc.beginString(name)
	s.doc.b = append(s.doc.b, letter)
	s.doc.digits(int64(s.rng.below(n)), 4)
	s.doc.endString()
}

// writeOrder makes the order of a shop: ascending _id and ref, few tenants,
// users and states, short lists, Vietnamese addresses, a random trace id.
//
// The vocabulary is tuned so that a page image of 118,550 bytes compresses to
// 25,400 bytes with libz 1.2.13 level 6, 23,600 with libzstd 1.5.4 level 6 and
// 40,260 with libsnappy 1.1.9, as the orders measured on a real server do: in
// the middle of the 28, 24 and 40 KiB blocks, away from their borders.
func writeOrder(s *Stream) {
	d, r := &s.doc, &s.rng
	s.identify()
	s.coded("tenantId", 't', 500)
	s.coded("userId", 'u', 200)
	d.string("status", r.one(states[:]))
	d.date("createdAt", firstSecond*1000+s.made*orderApart+int64(r.below(orderApart)))
	d.double("total", float64(r.between(20, 2_499))*1000)
	s.writeTags()
	s.writeItems()
	s.writeShipping()
	s.writeNote()
	d.beginString("traceId")
	d.hex(r.word())
	d.hex(r.word())
	d.endString()
	d.beginString("ref")
	d.b = append(d.b, "orders/vn/2026/10/"...)
	d.digits(s.made, 8)
	d.endString()
}

var arrayNames = [...]string{"0", "1", "2"}

func (s *Stream) writeTags() {
	s.doc.beginArray("tags")
	for i := range s.rng.between(1, 2) {
		s.doc.string(arrayNames[i], s.rng.one(tags[:]))
	}
	s.doc.end()
}

func (s *Stream) writeItems() {
	d, r := &s.doc, &s.rng
	d.beginArray("items")
	for i := range r.between(1, 3) {
		d.beginDocument(arrayNames[i])
		d.beginString("sku")
		d.b = append(d.b, "SKU-"...)
		d.digits(int64(r.below(500)), 5)
		d.endString()
		d.int32("qty", int32(r.between(1, 5)))
		d.double("price", float64(r.between(20, 999))*500)
		d.end()
	}
	d.end()
}

func (s *Stream) writeShipping() {
	d, r := &s.doc, &s.rng
	d.beginDocument("shipping")
	d.string("city", r.one(cities[:]))
	d.beginString("street")
	d.digits(int64(r.between(1, 300)), 1)
	d.b = append(d.b, ' ')
	d.b = append(d.b, r.one(streets[:])...)
	d.endString()
	d.end()
}

func (s *Stream) writeNote() {
	d, r := &s.doc, &s.rng
	d.beginString("note")
	for i := range r.between(1, 3) {
		if i > 0 {
			d.b = append(d.b, ' ')
		}
		d.b = append(d.b, r.one(sentences[:])...)
	}
	d.endString()
}
