package advise

import (
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// configString finds storageEngine.wiredTiger.configString in collection
// options; "" when there is none.
func configString(options bson.Raw) string {
	v, err := options.LookupErr("storageEngine", "wiredTiger", "configString")
	if err != nil {
		return ""
	}
	s, _ := v.StringValueOK()
	return s
}

// setCompressor names a compressor in a WiredTiger configuration string and
// leaves its other settings alone. The last of equal settings counts there, so
// an old one that stands in an odd place does no harm.
func setCompressor(config, compressor string) string {
	var kept []string
	for _, setting := range splitConfig(config) {
		key, _, _ := strings.Cut(setting, "=")
		if strings.TrimSpace(key) != "block_compressor" && strings.TrimSpace(setting) != "" {
			kept = append(kept, setting)
		}
	}
	return strings.Join(append(kept, "block_compressor="+compressor), ",")
}

// splitConfig cuts at the commas outside parentheses and brackets.
func splitConfig(config string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(config) {
		switch config[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, config[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, config[start:])
}

// createOptions writes the options to create a collection again with another
// compressor, as a mongosh expression.
func createOptions(options bson.Raw, compressor string) string {
	config := setCompressor(configString(options), compressor)
	engine := bson.D{{Key: "wiredTiger", Value: bson.D{{Key: "configString", Value: config}}}}
	d := bson.D{}
	elements, err := options.Elements()
	if err != nil {
		elements = nil
	}
	for _, e := range elements {
		if key := e.Key(); key != "storageEngine" && key != "uuid" && key != "autoIndexId" {
			d = append(d, bson.E{Key: key, Value: e.Value()})
		}
	}
	d = append(d, bson.E{Key: "storageEngine", Value: engine})
	text, err := bson.MarshalExtJSON(d, false, false)
	if err != nil {
		text, _ = bson.MarshalExtJSON(bson.D{{Key: "storageEngine", Value: engine}}, false, false)
	}
	var b strings.Builder
	for _, r := range string(text) {
		b.WriteString(escapeRune(r))
	}
	if len(d) > 1 {
		return "EJSON.deserialize(" + b.String() + ")"
	}
	return b.String()
}
