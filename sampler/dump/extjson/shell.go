package extjson

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// word reads a bare word: a constant, or the call of one of the shell's
// constructors, with or without new.
func (p *parser) word() (value, error) {
	name := p.name()
	if name == "new" {
		p.space()
		name = p.name()
	}
	if !p.accept('(') {
		return p.constant(name)
	}
	args, err := p.list(')')
	if err != nil {
		return value{}, err
	}
	json, ok := construct(name, args)
	if !ok {
		return value{}, p.fail("constructor that is not known, or with odd arguments,")
	}
	return value{json: json}, nil
}

func (p *parser) constant(name string) (value, error) {
	switch name {
	case "true", "false", "null":
		return value{json: name}, nil
	case "undefined":
		return value{json: `{"$undefined":true}`}, nil
	case "NaN", "Infinity":
		return value{double(name), number, name}, nil
	case "MinKey":
		return value{json: `{"$minKey":1}`}, nil
	case "MaxKey":
		return value{json: `{"$maxKey":1}`}, nil
	}
	return value{}, p.fail("word that is not known")
}

// construct gives the canonical form of name(args...).
func construct(name string, args []value) (string, bool) {
	one := func(i int) string {
		if i < len(args) {
			return args[i].raw
		}
		return ""
	}
	switch name {
	case "NumberLong", "Long":
		return wrapNumber("$numberLong", one(0))
	case "NumberInt", "Int32":
		return wrapNumber("$numberInt", one(0))
	case "NumberDecimal", "Decimal128":
		return wrapNumber("$numberDecimal", one(0))
	case "Double", "Number":
		return wrapNumber("$numberDouble", one(0))
	case "ISODate", "Date":
		return date(one(0))
	case "ObjectId", "ObjectID":
		return `{"$oid":` + quote(one(0)) + `}`, len(one(0)) == 24
	case "UUID":
		return `{"$uuid":` + quote(one(0)) + `}`, true
	case "BinData":
		return binData(one(0), one(1)), len(args) == 2
	case "HexData":
		data, err := hex.DecodeString(one(1))
		return binData(one(0), base64.StdEncoding.EncodeToString(data)), err == nil
	case "Timestamp":
		if len(args) < 2 {
			return `{"$timestamp":{"t":0,"i":0}}`, len(args) == 0
		}
		return fmt.Sprintf(`{"$timestamp":{"t":%s,"i":%s}}`, args[0].json, args[1].json), true
	case "RegExp":
		return regular(one(0), one(1)), len(args) > 0
	case "DBRef":
		if len(args) < 2 {
			return "", false
		}
		return fmt.Sprintf(`{"$ref":%s,"$id":%s}`, args[0].json, args[1].json), true
	case "Code":
		return `{"$code":` + quote(one(0)) + `}`, true
	case "Boolean":
		return strconv.FormatBool(len(args) > 0 && (args[0].json == "true" || args[0].kind == number && args[0].json != "0")), true
	case "MinKey", "MaxKey":
		return `{"$m` + name[1:] + `":1}`, len(args) == 0
	}
	return "", false
}

func regular(pattern, options string) string {
	return `{"$regularExpression":{"pattern":` + quote(pattern) + `,"options":` + quote(options) + `}}`
}

func binData(subtype, data string) string {
	if n, err := strconv.ParseUint(subtype, 10, 8); err == nil {
		subtype = fmt.Sprintf("%02x", n)
	}
	return `{"$binary":{"base64":` + quote(data) + `,"subType":` + quote(subtype) + `}}`
}

func wrapNumber(key, s string) (string, bool) {
	if i, err := strconv.ParseFloat(s, 64); err == nil && (key == "$numberLong" || key == "$numberInt") {
		if _, err := strconv.ParseInt(s, 10, 64); err != nil {
			s = strconv.FormatInt(int64(i), 10)
		}
	}
	return `{"` + key + `":` + quote(s) + `}`, s != ""
}

// dateLayouts are the spellings of dates met in dumps and in shells.
var dateLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02",
}

// date: a time as text, or milliseconds since 1970.
func date(s string) (string, bool) {
	ms, err := strconv.ParseInt(s, 10, 64)
	for i := 0; err != nil && i < len(dateLayouts); i++ {
		var t time.Time
		if t, err = time.Parse(dateLayouts[i], strings.TrimSpace(s)); err == nil {
			ms = t.UnixMilli()
		}
	}
	return fmt.Sprintf(`{"$date":{"$numberLong":"%d"}}`, ms), err == nil
}

// unwrap spells an object, making the wrappers that the driver refuses into
// ones it takes: numbers without quotes, dates without a time.
func unwrap(members []member) value {
	if len(members) == 1 && members[0].kind != other {
		m := members[0]
		json, ok := "", false
		switch m.key {
		case "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal":
			json, ok = wrapNumber(m.key, m.raw)
		case "$date":
			json, ok = date(m.raw)
		}
		if ok {
			return value{json: json}
		}
	}
	all := make([]string, len(members))
	for i, m := range members {
		all[i] = quote(m.key) + ":" + m.json
	}
	return value{json: "{" + strings.Join(all, ",") + "}"}
}
