package report

import _ "embed"

//go:generate go test -run ^TestSchemaIsFresh$ -update .

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the JSON result, made from the
// types of package estimate and their comments. It allows unknown properties:
// fields may be added within a schema version.
func Schema() []byte { return append([]byte(nil), schema...) }
