package keystring

// ClusterKey appends the key under which a collection clustered by _id stores
// doc: the KeyString of _id without an end byte. MongoDB:
// src/mongo/db/record_id_helpers.cpp, keyForDoc.
func ClusterKey(dst, doc []byte) ([]byte, error) {
	e, err := lookup(doc, "_id")
	if err != nil {
		return dst, err
	}
	var b builder
	b.reset()
	if err := b.component(e, false); err != nil {
		return dst, err
	}
	return append(dst, b.buf...), nil
}
