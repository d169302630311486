package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	reflector "github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wtsize/wtsize/estimate"
)

// schemaOfTypes makes the schema from the Go types.
func schemaOfTypes(t *testing.T) []byte {
	t.Helper()
	r := &reflector.Reflector{AllowAdditionalProperties: true, Anonymous: true}
	for _, dir := range []string{"estimate", "sampler"} {
		if err := r.AddGoComments("github.com/wtsize/wtsize/"+dir, "../"+dir); err != nil {
			t.Fatal(err)
		}
	}
	s := r.Reflect(&estimate.Result{})
	s.Title = "wtsize result"
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

func TestSchemaIsFresh(t *testing.T) {
	want := schemaOfTypes(t)
	if *update {
		if err := os.WriteFile("schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(want), string(Schema())); d != "" {
		t.Errorf("schema.json is stale, run go generate ./report (-types +file):\n%s", d)
	}
}

func compiledSchema(t *testing.T) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(schemaOfTypes(t)))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("result.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("result.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *validator.Schema, data string) error {
	t.Helper()
	doc, err := validator.UnmarshalJSON(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// Every golden result, and every made-up one, is what the schema says.
func TestResultsMatchSchema(t *testing.T) {
	s := compiledSchema(t)
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden results: %v", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, string(data)); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, result := range []func() estimate.Result{madeOrders, madeDump, madeLevels, madeHostile} {
		if err := validate(t, s, rendered(t, result(), Options{Format: JSON})); err != nil {
			t.Error(err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compiledSchema(t)
	good := rendered(t, madeOrders(), Options{Format: JSON})
	for _, c := range []struct{ name, old, new string }{
		{"text for a number", `"seed": 1`, `"seed": "1"`},
		{"a fraction of bytes", `"size": 461000000`, `"size": 461000000.5`},
		{"a missing field", `"ns": "shop.orders",`, ``},
		{"null", `"type": "collection"`, `"type": null`},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good {
			t.Fatalf("%s: the result does not hold %s", c.name, c.old)
		}
		if err := validate(t, s, bad); err == nil {
			t.Errorf("%s: taken for a result", c.name)
		}
	}
	if err := validate(t, s, strings.Replace(good, `"seed": 1`, `"seed": 1, "later": {}`, 1)); err != nil {
		t.Errorf("a field of a later version is refused: %v", err)
	}
}
