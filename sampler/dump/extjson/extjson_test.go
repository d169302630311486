package extjson

import (
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// TestSpellings: each pair spells the same document; the second is canonical.
func TestSpellings(t *testing.T) {
	for _, c := range [][2]string{
		{`{"a":1}`, `{"a":{"$numberInt":"1"}}`},
		{`{a:1,'b':"x",}`, `{"a":{"$numberInt":"1"},"b":"x"}`},
		{`{"a":NumberLong("12")}`, `{"a":{"$numberLong":"12"}}`},
		{`{"a":NumberLong(12)}`, `{"a":{"$numberLong":"12"}}`},
		{`{"a":NumberLong(1e3)}`, `{"a":{"$numberLong":"1000"}}`},
		{`{"a":{"$numberLong":12}}`, `{"a":{"$numberLong":"12"}}`},
		{`{"a":{"$numberInt":12}}`, `{"a":{"$numberInt":"12"}}`},
		{`{"a":NumberInt(7), "b":NumberDecimal("1.50"), "c":Double(2)}`,
			`{"a":{"$numberInt":"7"},"b":{"$numberDecimal":"1.50"},"c":{"$numberDouble":"2"}}`},
		{`{"a":ISODate("2020-01-02T03:04:05Z")}`, `{"a":{"$date":{"$numberLong":"1577934245000"}}}`},
		{`{"a":ISODate("2020-01-02T03:04:05.006+0000")}`, `{"a":{"$date":{"$numberLong":"1577934245006"}}}`},
		{`{"a":new Date(5)}`, `{"a":{"$date":{"$numberLong":"5"}}}`},
		{`{"a":{"$date":"1970-01-02"}}`, `{"a":{"$date":{"$numberLong":"86400000"}}}`},
		{`{"a":ObjectId("5465667be74bf6e4cb017c54")}`, `{"a":{"$oid":"5465667be74bf6e4cb017c54"}}`},
		{`{"a":BinData(3,"AAEC")}`, `{"a":{"$binary":{"base64":"AAEC","subType":"03"}}}`},
		{`{"a":HexData(128,"000102")}`, `{"a":{"$binary":{"base64":"AAEC","subType":"80"}}}`},
		{`{"a":UUID("c8edabc3-f738-4ca3-b68d-ab92a91478a3")}`, `{"a":{"$uuid":"c8edabc3-f738-4ca3-b68d-ab92a91478a3"}}`},
		{`{"a":Timestamp(1,2)}`, `{"a":{"$timestamp":{"t":1,"i":2}}}`},
		{`{"a":/x[/]\/y/i, "b":RegExp("z")}`,
			`{"a":{"$regularExpression":{"pattern":"x[/]\\/y","options":"i"}},"b":{"$regularExpression":{"pattern":"z","options":""}}}`},
		{`{"a":MinKey,"b":MaxKey(),"c":undefined,"d":NaN,"e":-Infinity}`,
			`{"a":{"$minKey":1},"b":{"$maxKey":1},"c":{"$undefined":true},"d":{"$numberDouble":"NaN"},"e":{"$numberDouble":"-Infinity"}}`},
		{`{"a":DBRef("c",1)}`, `{"a":{"$ref":"c","$id":{"$numberInt":"1"}}}`},
		{"{ // note\n \"a\": /* in */ [1,.5,-0x10,1e400,] }",
			`{"a":[{"$numberInt":"1"},{"$numberDouble":"0.5"},{"$numberInt":"-16"},{"$numberDouble":"Infinity"}]}`},
		{`{'a':'it\'s \x41\u00e9\ud83d\ude00\0'}`, `{"a":"it's Aé😀\u0000"}`},
		{"\ufeff{\"a\":true}", `{"a":true}`},
	} {
		want, err := Unmarshal([]byte(c[1]))
		if err != nil {
			t.Fatalf("%s: %v", c[1], err)
		}
		if got, err := Unmarshal([]byte(c[0])); err != nil || string(got) != string(want) {
			t.Errorf("%s gave %v, %v", c[0], got, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, s := range []string{"", "[]", "{", `{"a"`, `{"a":}`, `{"a":1 "b":2}`, `{"a":Foo(1)}`, `{"a":secret}`,
		`{"a":"x`, `{"a":/x`, `{"a":"\u12`, `{a:"\uzzzz"}`, `{"a":ObjectId("5")}`, `{"a":-}`,
		`{"a":{"$oid":"secret"}}`, `{"a":` + strings.Repeat("[", 5000)} {
		doc, err := Unmarshal([]byte(s))
		if err == nil {
			t.Errorf("%.40s gave %v", s, doc)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("content in the error: %v", err)
		}
	}
}

// TestDriverAgrees: what the driver reads, the tolerant reader leaves alike.
func TestDriverAgrees(t *testing.T) {
	in := bson.D{{Key: "d", Value: 1.5}, {Key: "s", Value: "x\"\\\n"}, {Key: "o", Value: bson.D{{Key: "i", Value: int32(1)}}},
		{Key: "l", Value: int64(1) << 40}, {Key: "a", Value: bson.A{true, nil}}, {Key: "t", Value: bson.DateTime(5)}}
	for _, canonical := range []bool{true, false} {
		text, err := bson.MarshalExtJSON(in, canonical, false)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Canonical(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got bson.Raw
		if bson.UnmarshalExtJSON(text, false, &want) != nil || bson.UnmarshalExtJSON(again, false, &got) != nil || string(want) != string(got) {
			t.Errorf("%s became %s", text, again)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"a":NumberLong(1),b:[ISODate("2020-01-01"),/x/i]}`))
	f.Add([]byte(`{"a":{"$binary":{"base64":"AAEC","subType":"03"}}} trailing`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if doc, err := Unmarshal(in); err == nil && doc.Validate() != nil {
			t.Errorf("invalid BSON from %q", in)
		}
	})
}

var fastSeeds = []string{
	`{"_id":{"$oid":"5465667be74bf6e4cb017c54"},"n":1,"l":123456789012,"d":1.5,"e":1e3,"s":"x\u00e9\n\"","t":true,"f":false,"z":null}`,
	`{"a":[1,"x",{"b":[]},{}],"at":{"$date":{"$numberLong":"-5"}},"on":{"$date":"2020-01-02T03:04:05.678Z"}}`,
	`{ "a" : {"$binary":{"base64":"AAEC","subType":"04"}}, "b":{"$timestamp":{"t":1,"i":2}} , "c":{"$numberDecimal":"1.50"}}`,
	`{"a":{"$numberInt":"5"},"b":{"$numberLong":"6"},"c":{"$numberDouble":"7.25"},"d":-12,"e":"😀 \ud83d\ude00"}`,
}

// TestFast: the usual spellings do not fall back, and give what the driver does.
func TestFast(t *testing.T) {
	for _, s := range fastSeeds {
		got, ok := appendFast([]byte("x"), []byte(s))
		want, err := slow([]byte(s))
		if !ok || err != nil || string(got) != "x"+string(want) {
			t.Errorf("%s: %v, %v\n%v\n%v", s, ok, err, bson.Raw(got[1:]), want)
		}
	}
}

// FuzzFast: where the fast reader answers, the driver gives the same.
func FuzzFast(f *testing.F) {
	for _, s := range fastSeeds {
		f.Add([]byte(s))
	}
	for _, s := range []string{`{"a":1.}`, `{"a":01}`, `{"a":-0}`, `{"a":1e}`, `{"a":"\ud800"}`, `{"":{"":1}}`, `{"a":{"$date":"x"}}`, `{"a":--1}`, `{"a":{"$timestamp":{"t":010,"i":0}}}`, `{"a":1-1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, ok := appendFast(nil, in)
		if !ok {
			return
		}
		want, err := slow(in)
		if err != nil || string(got) != string(want) {
			t.Errorf("%q: got %v, the driver %v, %v", in, bson.Raw(got), want, err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, s := range fastSeeds[:2] {
		b.Run("", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			var dst []byte
			for b.Loop() {
				dst, _ = Append(dst[:0], []byte(s))
			}
		})
	}
}
