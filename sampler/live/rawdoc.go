package live

import "go.mongodb.org/mongo-driver/v2/bson"

// Replies are read by path, without decoding: servers add, drop and retype
// fields, and a figure that is not there or not a number is merely not known.

func str(d bson.Raw, path ...string) string {
	v, err := d.LookupErr(path...)
	if err != nil {
		return ""
	}
	s, _ := v.StringValueOK()
	return s
}

// boolean takes true, and 1 as old servers and old metadata write it.
func boolean(d bson.Raw, path ...string) bool {
	v, err := d.LookupErr(path...)
	if err != nil {
		return false
	}
	if b, ok := v.BooleanOK(); ok {
		return b
	}
	i, ok := number(v)
	return ok && i != 0
}

// integer gives a number as bytes or a count; 0 when absent, negative or odd.
func integer(d bson.Raw, path ...string) int64 {
	v, err := d.LookupErr(path...)
	if err != nil {
		return 0
	}
	i, _ := number(v)
	return max(i, 0)
}

func number(v bson.RawValue) (int64, bool) {
	switch v.Type {
	case bson.TypeInt32:
		i, ok := v.Int32OK()
		return int64(i), ok
	case bson.TypeInt64:
		return v.Int64OK()
	case bson.TypeDouble:
		f, ok := v.DoubleOK()
		if !ok || f != f || f > 1<<62 || f < -(1<<62) {
			return 0, false
		}
		return int64(f), true
	}
	return 0, false
}

func doc(d bson.Raw, path ...string) bson.Raw {
	v, err := d.LookupErr(path...)
	if err != nil {
		return nil
	}
	sub, _ := v.DocumentOK()
	return sub
}

func has(d bson.Raw, path ...string) bool {
	_, err := d.LookupErr(path...)
	return err == nil
}

// batch gives the documents of a cursor's reply, sharing its memory.
func batch(reply bson.Raw) ([]bson.Raw, error) {
	v, err := reply.LookupErr("cursor", "firstBatch")
	if err != nil {
		if v, err = reply.LookupErr("cursor", "nextBatch"); err != nil {
			return nil, err
		}
	}
	a, ok := v.ArrayOK()
	if !ok {
		return nil, bson.ValueDecoderError{}
	}
	values, err := a.Values()
	if err != nil {
		return nil, err
	}
	docs := make([]bson.Raw, 0, len(values))
	for _, v := range values {
		d, ok := v.DocumentOK()
		if !ok {
			return nil, bson.ValueDecoderError{}
		}
		docs = append(docs, d)
	}
	return docs, nil
}
