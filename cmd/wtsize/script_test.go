package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/wtsize/wtsize/sampler/generate"
	"github.com/wtsize/wtsize/sampler/live/fakemongod"
	"github.com/wtsize/wtsize/sampler/racetest"
)

// TestScripts runs testdata/script: each file is a session with the command.
//
//	wtsize-gen SHAPE …          documents
//	wtsize-still …              wtsize without timings
//	result FILE…                each is valid by report's schema
//	columns WIDTH FILE…         no line is wider
//	permissions MODE FILE
//	truncate FILE BYTES
//
// $HOST serves the database shop, with orders and log; $LOCKED does so to the
// user me with the password hunter2 alone.
func TestScripts(t *testing.T) {
	bin := programs(t)
	open, locked := deployments(t)
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", e.Getenv("PATH")+string(os.PathListSeparator)+bin)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each command waits for a second
			e.Setenv("HOST", open)
			e.Setenv("LOCKED", locked)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "exact" {
				return exactCodecs(), nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"result": checkResults, "columns": checkColumns, "permissions": checkPermissions, "truncate": truncate,
		},
	})
}

// scripts are the sessions to run: under the race detector those that interrupt,
// sample, stream and read servers, as the others start the same goroutines.
func scripts(t *testing.T) []string {
	t.Helper()
	pattern := "*.txt"
	if racetest.Enabled {
		pattern = "[eilr]*.txt"
	}
	files, err := filepath.Glob(filepath.Join("testdata", "script", pattern))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	return files
}

// deployments starts two servers and returns their hosts.
func deployments(t *testing.T) (open, locked string) {
	t.Helper()
	hosts := make([]string, 2)
	for i := range hosts {
		orders := &fakemongod.Collection{Name: "orders", Indexes: []bson.D{{{Key: "v", Value: 2}, {Key: "key", Value: bson.D{{Key: "_id", Value: 1}}}, {Key: "name", Value: "_id_"}}}}
		log := &fakemongod.Collection{Name: "log"}
		for shape, c := range map[string]*fakemongod.Collection{"orders": orders, "log": log} {
			g, err := generate.New(shape, 1)
			if err != nil {
				t.Fatal(err)
			}
			for range 2000 {
				c.Add(append(bson.Raw(nil), g.Next()...))
			}
		}
		s, err := fakemongod.Start(fakemongod.V80(), fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{orders, log}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		hosts[i] = s.Host
		if i == 1 {
			if err := s.Require("me", "hunter2"); err != nil {
				t.Fatal(err)
			}
		}
	}
	return hosts[0], hosts[1]
}
